"""Where a row lies, and how far two rows are apart: numbers on a line, categories in their hierarchy.

Every attribute is scaled to a total variance of 1, so that none outweighs another because of its unit. Numbers and
dates lie at (x - mean) / standard deviation. Two categories are as far apart as they have different ancestors, level
by level up to the root; that is the squared distance of vectors with one entry per node of each level, so averages
mean something. A missing number lies at the mean, and is apart from every number by an entry of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.grouping.points import Points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray


def points_of(attributes: Sequence[Attribute], codes: IntArray, rows: IntArray) -> Points:
    """Place distinct tuples in space.

    Args:
        attributes: the m attributes; `weight` of a column multiplies its squared distances.
        codes: (n, m) int64, leaf codes of each tuple.
        rows: (n,) int64, rows of each tuple, for means and variances.

    Returns:
        One point per tuple. An attribute that does not vary adds nothing.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "40"])
        >>> points_of([age], np.array([[0], [1]]), np.array([1, 1])).numbers.ravel().round(4).tolist()
        [-0.7071, 0.7071]
    """
    numbers: list[FloatArray] = []
    nodes: list[IntArray] = []
    weights: list[float] = []
    for j, attribute in enumerate(attributes):
        leaves, weight = codes[:, j], attribute.column.weight
        if attribute.positions is None:
            paths = [step[leaves] for step in attribute.hierarchy.ancestors[:-1]]
        else:
            where = attribute.positions[leaves]
            numbers.append(scaled(where, rows) * np.sqrt(weight))
            paths = [np.isnan(where).astype(np.int64)]
        paths = [path for path in paths if np.ptp(path)] if len(leaves) else []
        total = sum(_variance_of_nodes(path, rows) for path in paths) or 1.0
        nodes += [np.unique(path, return_inverse=True)[1] for path in paths]
        weights += [weight / total] * len(paths)
    return Points(_columns(numbers, len(codes), np.float64), _columns(nodes, len(codes), np.int64), np.array(weights))


def scaled(where: FloatArray, rows: IntArray) -> FloatArray:
    """(n,) float64: (x - mean) / standard deviation (over n - 1), 0 for NaN and where nothing varies.

    Args:
        where: (n,) float64.
        rows: (n,) int64, how often each occurs.
    """
    there = ~np.isnan(where)
    n = int(rows[there].sum())
    if n < 2:
        return np.zeros(len(where))
    value = np.where(there, where, 0.0)
    weight = np.where(there, rows, 0).astype(np.float64)
    off = np.where(there, value - weight @ value / n, 0.0)
    variance = float(weight @ off**2) / (n - 1)
    return off / np.sqrt(variance) if variance > 0 else off * 0.0


def _variance_of_nodes(path: IntArray, rows: IntArray) -> float:
    """Half the mean squared distance of two rows that differ by 1 where their nodes differ."""
    share = np.bincount(path, weights=rows) / max(int(rows.sum()), 1)
    return float(1 - share @ share) / 2


def _columns(parts: Sequence[FloatArray] | Sequence[IntArray], n: int, kind: type) -> np.ndarray:
    return np.ascontiguousarray(np.stack(parts, axis=1)) if parts else np.zeros((n, 0), kind)


def share_lost(points: Points, rows: IntArray, member: IntArray) -> float:
    """Squared distances within groups over those within the table, in [0, 1]: what averages cannot tell any more.

    Args:
        points: n tuples (or pieces of tuples) in space.
        rows: (n,) int64, rows of each.
        member: (n,) int64, group of each.

    Example:
        >>> line = Points(np.array([[0.0], [2.0], [8.0], [10.0]]), np.zeros((4, 0), np.int64), np.zeros(0))
        >>> round(share_lost(line, np.ones(4, np.int64), np.array([0, 0, 1, 1])), 4)
        0.0588
    """
    whole = _scatter(points, rows, np.zeros(len(member), np.int64))
    return _scatter(points, rows, member) / whole if whole else 0.0


def _scatter(points: Points, rows: IntArray, member: IntArray) -> float:
    """Sum over rows of the squared distance from the average of its group."""
    size = np.maximum(np.bincount(member, weights=rows), 1)
    out = 0.0
    for x in points.numbers.T:
        mean = np.bincount(member, weights=rows * x) / size
        out += float(rows @ (x - mean[member]) ** 2)
    for node, weight in zip(points.nodes.T, points.weights, strict=True):
        n_nodes = int(node.max(initial=0)) + 1
        key, inverse = np.unique(member * n_nodes + node, return_inverse=True)
        count = np.bincount(inverse, weights=rows)
        out += float(weight) * float(size.sum() - (count**2 / size[key // n_nodes]).sum()) / 2
    return out
