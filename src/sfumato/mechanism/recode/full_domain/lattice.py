"""The generalization lattice as an array of m dimensions, and the watch over the time and nodes of a search in it.

A node is one level per attribute. The nodes at or below (finer than) a node are a slice of the array
from the bottom, those at or above (coarser) a slice to the top; so what is learned at one node is
written to all that it concerns in one step.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.recode.decision import Limits, Progress
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

Slices = tuple[slice, ...]


def lattice_size(attributes: Sequence[Attribute]) -> int:
    """Number of nodes, as a Python integer: it passes 2**63 at about fifty attributes."""
    return prod(a.hierarchy.height + 1 for a in attributes)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The lattice of m attributes.

    Args:
        heights: highest level of each attribute.

    Example:
        >>> lattice = Lattice((1, 2))
        >>> lattice.size, lattice.levels().tolist()[3], lattice.index((1, 0))
        (6, [1, 0], 3)
    """

    heights: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each dimension; attributes without a choice have none."""
        return tuple(h + 1 for h in self.heights if h > 0)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return prod(self.shape)

    @property
    def top(self) -> tuple[int, ...]:
        """The most general node."""
        return self.heights

    def levels(self) -> IntArray:
        """(size, m) int64: every node, in lexicographic order."""
        out = np.zeros((self.size, len(self.heights)), np.int64)
        free = [j for j, h in enumerate(self.heights) if h > 0]
        if free:
            out[:, free] = np.indices(self.shape).reshape(len(free), -1).T
        return out

    def index(self, node: Sequence[int]) -> int:
        """Position of a node in `levels`."""
        at = 0
        for level, height in zip(node, self.heights, strict=True):
            at = at * (height + 1) + int(level)
        return at

    def below(self, node: Sequence[int]) -> Slices:
        """The nodes at or below a node."""
        return tuple(slice(0, int(x) + 1) for x, h in zip(node, self.heights, strict=True) if h > 0)

    def above(self, node: Sequence[int]) -> Slices:
        """The nodes at or above a node."""
        return tuple(slice(int(x), None) for x, h in zip(node, self.heights, strict=True) if h > 0)


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
