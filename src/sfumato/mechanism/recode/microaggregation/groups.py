"""Groups of microaggregation: blocks of rows in which they are formed, and groups that join the nearest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.guarantee.shortfall import no_solution
from sfumato.mechanism.recode.partition.publish import runs_of
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.recode.microaggregation.points import Points
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


def blocks_of(points: Points, most: int, k: int) -> list[IntArray]:
    """Blocks of at most `most` rows, each grouped on its own afterwards.

    A block with more rows is halved along the number that varies most in it (along the first category where it has
    no number that varies), after a multiple of k rows, so that only the last group of all can be larger.

    Args:
        points: n rows in space.
        most: rows of a block, >= 4k.
        k: rows of a group.

    Returns:
        (n_block,) int64 sorted rows of each block, which together are all rows.

    Raises:
        ParameterError: `most` is below 4k, and there are more than 4k rows. Remedy: larger blocks.

    Example:
        >>> from sfumato.mechanism.recode.microaggregation.points import Points
        >>> line = Points(np.arange(9.0)[::-1, None].copy(), np.zeros((9, 0), np.int64), np.zeros(0))
        >>> [block.tolist() for block in blocks_of(line, 8, 2)]
        [[5, 6, 7, 8], [0, 1, 2, 3, 4]]
    """
    if most < 4 * k < len(points.numbers):
        raise ParameterError(
            "A block must hold at least 4 groups ({k} rows); got {most}.", "allow larger blocks.", k=4 * k, most=most
        )
    done: list[IntArray] = []
    waiting = [np.arange(len(points.numbers))]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= max(most, 4 * k):
            done.append(np.sort(rows))
            continue
        order = rows[np.argsort(_widest(points, rows), kind="stable")]
        middle = len(rows) // 2 // k * k
        waiting += [order[middle:], order[:middle]]
    return done


def _widest(points: Points, rows: IntArray) -> FloatArray | IntArray:
    """(n,) coordinate along which the rows of a block are put in order."""
    numbers = points.numbers[rows]
    variance = numbers.var(axis=0) if numbers.shape[1] else np.zeros(0)
    if variance.max(initial=0.0) > 0:
        return numbers[:, int(np.argmax(variance))]
    nodes = points.nodes[rows]
    varying = np.flatnonzero(np.ptp(nodes, axis=0)) if nodes.shape[1] else np.zeros(0, np.int64)
    return nodes[:, varying[0]] if len(varying) else np.zeros(len(rows))
