"""The cheapest change of degrees after which each degree is that of k vertices at least: an exact dynamic programme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.types import IntArray

NEVER = 2**60
"""A cost above all others."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Degrees to be reached.

    Args:
        degrees: (n,) int64, for each vertex; each value stands k times at least, and their sum is even.
        cost: Σ |degree before - degree after|, the least possible.
    """

    degrees: IntArray
    cost: int

    @property
    def least_edges(self) -> int:
        """Edges that must be added or removed at least: each changes two degrees by 1."""
        return -(-self.cost // 2)


def cheapest_degrees(degrees: IntArray, k: int, *, lower: bool) -> Targets:
    """Degrees of which each stands k times, nearest to the given ones in the sum of absolute differences.

    Vertices in the order of their degrees are cut into groups of k to 2 k - 1, and each group gets one degree: its
    greatest, or (`lower`) its median. A group of 2 k or more can be cut in two at no cost, and an exchange shows that
    groups of consecutive vertices suffice. The sum of degrees of a graph is even, so the programme carries its parity
    along: where it must be turned, one group of odd size is moved by 1 more, whichever is cheapest. Time O(n k).

    Args:
        degrees: (n,) int64 in [0, n).
        k: in [1, n].
        lower: whether degrees may fall too.

    Returns:
        The degrees in the order of the vertices, and their cost.

    Raises:
        ParameterError: k below 1.
        NoSolution: fewer than k vertices. Remedy: ask for a smaller k.

    Source:
        K. Liu and E. Terzi, "Towards identity anonymization on graphs", SIGMOD 2008, section 5.1 (degrees rise only);
        the median and the parity are added here.

    Example:
        >>> found = cheapest_degrees(np.array([4, 3, 1, 1, 1]), 2, lower=False)
        >>> found.degrees.tolist(), found.cost, found.least_edges
        ([4, 4, 4, 1, 1], 4, 2)
    """
    n = len(degrees)
    whole(k, "k", 1, 2**31)
    enough(n, k)
    order = np.argsort(-degrees, kind="stable")
    groups = _Groups(degrees[order].astype(np.int64), k, lower)
    best, size, value = _programme(groups)
    out, end, parity = np.empty(n, np.int64), n, 0
    while end:
        many, one = int(size[end, parity]), int(value[end, parity])
        out[order[end - many : end]] = one
        end, parity = end - many, parity ^ (many * one & 1)
    return Targets(out, int(best[n, 0]))


def _programme(groups: _Groups) -> tuple[IntArray, IntArray, IntArray]:
    """Least cost of each prefix by the parity of its new sum, and the size and the degree of its last group.

    The k prefixes from b to b + k - 1 end with groups that begin before b: they are found at once.
    """
    n, k = groups.vertices, groups.k
    best = np.full((n + 1, 2), NEVER, np.int64)
    size, value = np.zeros((n + 1, 2), np.int64), np.zeros((n + 1, 2), np.int64)
    best[0, 0] = 0
    sizes = np.arange(k, 2 * k)
    for block in range(k, n + 1, k):
        ends = np.arange(block, min(block + k, n + 1))
        start = ends[:, None] - sizes
        values, costs = groups.choices(np.maximum(start, 0), ends[:, None])
        costs = np.where(start >= 0, costs, NEVER)
        turn = values * sizes & 1
        for parity in (0, 1):
            total = np.minimum(best[np.maximum(start, 0), turn ^ parity] + costs, NEVER)
            flat = total.transpose(1, 0, 2).reshape(len(ends), -1)
            at = flat.argmin(axis=1)
            best[ends, parity] = flat[np.arange(len(ends)), at]
            size[ends, parity] = sizes[at % k]
            value[ends, parity] = values.transpose(1, 0, 2).reshape(len(ends), -1)[np.arange(len(ends)), at]
    return best, size, value


def enough(n: int, k: int) -> None:
    """Refuse a graph of fewer vertices than must look alike.

    Raises:
        NoSolution: fewer than k vertices. Remedy: ask for a smaller k.
    """
    if n < k:
        raise NoSolution("A graph of {n} vertices cannot hide each among {k}.", "ask for a smaller k.", n=n, k=k)


class _Groups:
    """Costs of making a run of a falling sequence equal."""

    def __init__(self, falling: IntArray, k: int, lower: bool) -> None:
        self.falling, self.k, self.lower, self.vertices = falling, k, lower, len(falling)
        self.sums = np.concatenate(([0], np.cumsum(falling)))
        self.first = np.searchsorted(-falling, -falling)  # where the run of the same degree begins
        self.last = np.searchsorted(-falling, -falling, side="right")

    def choices(self, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
        """(2, …) degrees for the vertices [start, end) and their costs: the best, and the best of the other parity."""
        size = end - start
        middle = (start + size // 2) if self.lower else start
        base = self.falling[middle]
        above = self.sums[middle] - self.sums[start] - (middle - start) * base
        below = (end - middle) * base - (self.sums[end] - self.sums[middle])
        up = size - 2 * np.maximum(self.first[middle] - start, 0)
        up = np.where(base < self.vertices - 1, up, NEVER)
        down = size - 2 * np.maximum(end - self.last[middle], 0)
        down = np.where((base > 0) & self.lower, down, NEVER)
        odd = np.where(size % 2 == 1, np.minimum(up, down), NEVER)
        moved = np.where(up <= down, base + 1, base - 1)
        cost = above + below
        return np.stack([base, moved]), np.stack([cost, np.minimum(cost + odd, NEVER)])
