"""Groups by maximum distance to the average vector: outer groups first, k rows each.

While 3k rows or more are left: the row r farthest from the average of what is left and its k - 1 nearest ones are a
group; of the rest, the row s farthest from r and its k - 1 nearest ones are the next. With 2k to 3k - 1 rows left, one
more such group around r; what then remains (k to 2k - 1 rows) is the last group. Ties go to the row that comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.compiled import pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.grouping.compiled import group_compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.grouping.points import Points
    from sfumato.types import BoolArray, FloatArray, IntArray

PAYS_FROM = 20_000
"""Rows from which compiling is worth its time."""


def mdav(points: Points, k: int, tick: Callable[[int], None]) -> IntArray:
    """Part rows into groups of k to 2k - 1.

    Args:
        points: n rows in space, n >= k.
        k: rows of a group, >= 1.
        tick: told now and then how many rows have a group; it may raise to stop the work.

    Returns:
        (n,) int64, group of each row, 0 … n_groups-1, in the order in which they were made.

    Raises:
        ParameterError: fewer than k rows. Remedy: a smaller k.

    Source:
        J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
        microaggregation", Data Mining and Knowledge Discovery 11, 2005, section 3 (MDAV-generic).

    Example:
        >>> from sfumato.mechanism.grouping.points import Points
        >>> line = Points(np.array([[0.0], [9.0], [1.0], [8.0]]), np.zeros((4, 0), np.int64), np.zeros(0))
        >>> mdav(line, 2, lambda done: None).tolist()
        [0, 1, 0, 1]
    """
    n = len(points.numbers)
    if not 1 <= k <= n:
        raise ParameterError("Groups of {k} rows need as many rows; the table has too few.", "choose a smaller k.", k=k)
    if pays(n, PAYS_FROM):
        return group_compiled(points, k, tick)
    return _group(points, k, tick)


@dataclass(slots=True)
class _Left:
    """The rows without a group, in their first order."""

    points: Points
    rows: IntArray
    sums: FloatArray
    counts: list[IntArray]

    def keep(self, stays: BoolArray) -> None:
        """Take the others out."""
        for row in np.flatnonzero(~stays):
            self.sums -= self.points.numbers[row]
            for q, count in enumerate(self.counts):
                count[self.points.nodes[row, q]] -= 1
        self.points, self.rows = self.points.take(stays), self.rows[stays]

    def from_average(self) -> FloatArray:
        """(n_left,) squared distances from the average, but for a constant."""
        n = len(self.rows)
        out = np.zeros(n)
        for p in range(self.points.numbers.shape[1]):
            out += (self.points.numbers[:, p] - self.sums[p] / n) ** 2
        for q, count in enumerate(self.counts):
            out -= self.points.weights[q] * (count[self.points.nodes[:, q]] / n)
        return out

    def from_row(self, numbers: FloatArray, nodes: IntArray) -> FloatArray:
        """(n_left,) squared distances from one row."""
        out = np.zeros(len(self.rows))
        for p in range(self.points.numbers.shape[1]):
            out += (self.points.numbers[:, p] - numbers[p]) ** 2
        for q, node in enumerate(nodes):
            out += self.points.weights[q] * (self.points.nodes[:, q] != node)
        return out


def _group(points: Points, k: int, tick: Callable[[int], None]) -> IntArray:
    """The same with numpy alone."""
    n = len(points.numbers)
    member, n_groups = np.full(n, -1, np.int64), 0
    left = _left(points)
    while len(left.rows) >= 2 * k:
        far = int(np.argmax(left.from_average()))
        two = len(left.rows) >= 3 * k
        distance = left.from_row(left.points.numbers[far], left.points.nodes[far])
        stays = ~_nearest(distance, far, k)
        member[left.rows[~stays]] = n_groups
        n_groups += 1
        left.keep(stays)
        if two:
            far = int(np.argmax(distance[stays]))
            stays = ~_nearest(left.from_row(left.points.numbers[far], left.points.nodes[far]), far, k)
            member[left.rows[~stays]] = n_groups
            n_groups += 1
            left.keep(stays)
        tick(n - len(left.rows))
    member[left.rows] = n_groups
    tick(n)
    return member


def _left(points: Points) -> _Left:
    """All rows; sums are made row after row, as the compiled form does."""
    sums = np.cumsum(points.numbers, axis=0)[-1].copy()
    counts = [np.bincount(points.nodes[:, q]) for q in range(points.nodes.shape[1])]
    return _Left(points, np.arange(len(points.numbers)), sums, counts)


def _nearest(distance: FloatArray, center: int, k: int) -> BoolArray:
    """(n,) bool: the center and the k - 1 rows nearest to it, the first ones among equals."""
    distance = distance.copy()
    distance[center] = -1.0
    limit = np.partition(distance, k - 1)[k - 1]
    out: BoolArray = distance < limit
    equal = np.flatnonzero(distance == limit)
    out[equal[: k - int(out.sum())]] = True
    return out
