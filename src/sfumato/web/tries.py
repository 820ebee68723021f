"""How often somebody may try to come in: after some failures each one doubles the wait of whoever made it, and of nobody else."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Hashable

_KEPT = 10_000
"""Of whom failures are remembered at once, at most."""


@dataclass(slots=True)
class Tries:
    """Failures by who made them. A try counts as failed until it is forgiven, so that many at once are no way around.

    Args:
        free: failures without a wait.
        most: seconds of a wait at most; failures are forgotten ten times as long after the last wait.

    Example:
        >>> tries = Tries(free=2, most=60)
        >>> [tries.wait("ada", 0.0) or tries.count("ada", 0.0) for _ in range(4)]
        [None, None, None, 2.0]
        >>> tries.wait("grace", 0.0)
        0.0
        >>> tries.forgive("ada"); tries.wait("ada", 0.0)
        0.0
    """

    free: int
    most: float
    _failed: dict[Hashable, tuple[int, float]] = field(default_factory=dict)

    def wait(self, who: Hashable, now: float) -> float:
        """Seconds until somebody may try; 0: at once.

        Args:
            who: whatever tries are counted by.
            now: seconds of a steady clock.
        """
        return max(0.0, self._failed.get(who, (0, 0.0))[1] - now)

    def count(self, who: Hashable, now: float) -> None:
        """Somebody tries."""
        times, until = self._failed.pop(who, (0, 0.0))
        times = 1 if now > until + 10 * self.most else times + 1
        over = times - self.free
        self._failed[who] = times, now + (min(self.most, 2.0**over) if over > 0 else 0.0)
        while len(self._failed) > _KEPT:
            del self._failed[next(iter(self._failed))]

    def forgive(self, who: Hashable, *, once: bool = False) -> None:
        """The try was right: forget all failures, or with `once` this try alone."""
        times, _ = self._failed.pop(who, (0, 0.0))
        if once and times > 1:
            self._failed[who] = times - 1, 0.0
