"""When must a search stop, and who is told how far it is?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.recode.decision import Limits, Progress

EVERY = 16
"""Nodes between two calls of progress."""


class Watch:
    """Limits of one search, and its progress.

    Args:
        limits: most seconds and most nodes.
        clock: seconds that only grow; passed in, so that decisions stay testable.
        progress: told now and then; it may raise `Interrupted`.
        total: nodes in the lattice.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float], progress: Progress, total: int) -> None:
        """Start the clock."""
        self._limits = limits
        self._clock = clock
        self._progress = progress
        self._total = total
        self._start = clock() if limits.seconds is not None else 0.0
        self._checked = 0

    def tick(self, n_checked: int) -> None:
        """Note how many nodes were judged.

        Raises:
            Interrupted: progress was told to stop.
        """
        self._checked = n_checked
        if n_checked % EVERY == 1:
            self._progress(n_checked, self._total, "nodes of the lattice judged")

    def is_over(self) -> bool:
        """Whether a limit is reached."""
        nodes, seconds = self._limits.nodes, self._limits.seconds
        if nodes is not None and self._checked >= nodes:
            return True
        return seconds is not None and self._clock() - self._start >= seconds
