"""Groups of microaggregation that break a criterion join the nearest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.guarantee.shortfall import no_solution
from sfumato.mechanism.recode.partition.publish import runs_of
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.grouping.points import Points
    from sfumato.mechanism.recode.partition.criteria import Judge
    from sfumato.mechanism.recode.partition.publish import Labelled
    from sfumato.types import FloatArray, IntArray


def join_failing(
    judge: Judge, points: Points, member: IntArray, label: Callable[[IntArray], Labelled]
) -> tuple[Labelled, int]:
    """Join classes that fail once labels are read to the classes with the nearest centers, until none fails.

    Args:
        judge: the criteria, and the tuples (or pieces of tuples) that have groups.
        points: where these lie.
        member: (n,) int64, group of each, 0 … n_groups-1, none empty.
        label: spells the centers of groups.

    Returns:
        The classes that hold, and how many classes were joined to others.

    Raises:
        NoSolution: everything was joined, and the one class fails.
    """
    n_joined = 0
    while True:
        labelled = label(member)
        classes = merge(judge.finest, labelled.member, labelled.codes)
        bad = np.flatnonzero(~judge.holds(classes))
        if not len(bad):
            return labelled, n_joined
        if classes.n_classes == 1:
            raise no_solution(judge.criteria, judge.finest)
        n_joined += len(bad)
        member = _joined(points, judge.finest.rows, labelled.member, bad)


def _joined(points: Points, rows: IntArray, member: IntArray, bad: IntArray) -> IntArray:
    """Every class of `bad` joined to the class nearest to it; chains of such joins become one class."""
    centers, first = _centers(points, rows, member)
    nodes = points.nodes[first]
    parent = np.arange(len(centers))
    for one in bad.tolist():
        distance = ((centers - centers[one]) ** 2).sum(axis=1) + (nodes != nodes[one]) @ points.weights
        distance[one] = np.inf
        a, b = _root(parent, one), _root(parent, int(np.argmin(distance)))
        parent[max(a, b)] = min(a, b)
    roots = np.array([_root(parent, one) for one in range(len(parent))])
    return np.unique(roots, return_inverse=True)[1][member]


def _centers(points: Points, rows: IntArray, member: IntArray) -> tuple[FloatArray, IntArray]:
    """(n_classes, p) mean of the numbers of each class, and its first tuple, whose categories stand for it."""
    runs = runs_of(member)
    weight = rows[runs.order][:, None]
    total = np.add.reduceat(weight, runs.starts)
    centers = np.add.reduceat(points.numbers[runs.order] * weight, runs.starts) / np.maximum(total, 1)
    return centers, runs.order[runs.starts]


def _root(parent: IntArray, one: int) -> int:
    """The class that stands for a chain of joins."""
    while parent[one] != one:
        one = int(parent[one])
    return one
