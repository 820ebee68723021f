"""Classes that break a promise about values are joined with those beside them, instead of being left out.

Classes are numbered so that near ones have near numbers: all of them are halved, each half again, until each is alone. The
halves are the nodes of a tree that everybody knows from the number of classes. From the leaves upwards a node whose classes
cannot all be published becomes one class, if that keeps the promises; so only unions of classes that are counted already
are looked at, and nothing more is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.partition.publish import label, runs_of
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.recode.partition.axes import Publish
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

_FINENESS = 2.0**30
"""Widths are compared as whole multiples of its inverse, so that ties do not hang on rounding."""


def joined(classes: Classes, holds: Callable[[Classes], BoolArray]) -> IntArray:
    """(n,) int64: the number under which each class is published, that of the first one it is joined with; -1: none is.

    A node is published as its two halves if both can be, else as one class if that holds, else its rows wait for a larger
    node. If not even all classes as one hold, nothing is published.

    Args:
        classes: with sizes and values, in the order of `halved`.
        holds: (m,) bool, which of m classes keep the promises.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> sizes = np.array([1, 3, 4, 2])
        >>> four = Classes(np.arange(4)[:, None], rows=sizes, alone=sizes)
        >>> joined(four, lambda found: found.rows >= 3).tolist(), joined(four, lambda found: found.rows > 10).tolist()
        ([0, 0, 2, 2], [-1, -1, -1, -1])
    """
    n = classes.n_classes
    into, waits = np.arange(n), ~holds(classes)
    for first in reversed(nodes(n)):
        if not waits.any():
            break
        touched = np.isin(first, first[waits])
        names, of = np.unique(first[touched], return_inverse=True)
        good = holds(merge(classes.select(touched), of, names[:, None]))
        at = np.flatnonzero(touched)
        into[at[good[of]]] = first[at[good[of]]]
        waits[at] = ~good[of]
    return np.where(waits, -1, into)


def numbers_of(into: IntArray) -> tuple[int, int, int]:
    """How many classes are published, left out, and joined with others.

    Example:
        >>> numbers_of(np.array([0, 0, -1, 3]))
        (2, 1, 1)
    """
    left_out, published = int((into < 0).sum()), len(np.unique(into[into >= 0]))
    return published, left_out, len(into) - left_out - published


def nodes(n: int) -> list[IntArray]:
    """From the root down, for each depth the first class of the node in which each of n classes is.

    Example:
        >>> [one.tolist() for one in nodes(3)]
        [[0, 0, 0], [0, 1, 1], [0, 1, 2]]
    """
    place = np.arange(n)
    low, high = np.zeros(n, np.int64), np.full(n, n, np.int64)
    out = [low]
    while (high - low > 1).any():
        middle = np.where(high - low > 1, (low + high) // 2, low)
        low, high = np.where(place >= middle, middle, low), np.where(place < middle, middle, high)
        out.append(low)
    return out


def halved(member: IntArray, codes: IntArray, attributes: Sequence[Attribute]) -> IntArray:
    """(n_classes,) int64: classes in an order in which near ones are near: sets are halved along their widest attribute.

    Args:
        member: (t,) int64 class of each tuple, 0 … n_classes-1, none empty.
        codes: (t, m) int64 leaf codes of the tuples.
        attributes: the m attributes.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "30", "40", "50"])
        >>> halved(np.array([2, 0, 3, 1]), np.arange(4)[:, None], [age]).tolist()
        [2, 0, 3, 1]
    """
    middles = _middles(member, codes, attributes)
    n = len(middles)
    order = np.arange(n)
    for first in nodes(n)[:-1]:
        points = middles[order]
        starts, of = np.unique(first, return_inverse=True)
        width = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts)
        axis = np.argmax(np.rint(width * _FINENESS), axis=1)
        order = order[np.lexsort((points[np.arange(n), axis[of]], of))]
    return order


def _middles(member: IntArray, codes: IntArray, attributes: Sequence[Attribute]) -> np.ndarray:
    """(n_classes, m) float64 in 0 … 1: the middle of each class along each attribute."""
    runs, out = runs_of(member), []
    for j, attribute in enumerate(attributes):
        n = attribute.hierarchy.n_leaves
        rank = np.arange(n)
        if attribute.positions is not None:
            rank[np.argsort(attribute.positions, kind="stable")] = np.arange(n)
        own = rank[codes[runs.order, j]]
        both = np.minimum.reduceat(own, runs.starts) + np.maximum.reduceat(own, runs.starts)
        out.append(both / max(1, 2 * (n - 1)))
    return np.stack(out, axis=1)


def labels_of(
    member: IntArray, codes: IntArray, attributes: Sequence[Attribute], publish: Publish
) -> tuple[tuple[str | None, ...], ...]:
    """For each attribute the text of each class, from its tuples.

    Args:
        member: (t,) int64 class of each tuple, 0 … n_classes-1, none empty.
        codes: (t, m) int64 leaf codes of the tuples.
        attributes: the m attributes.
        publish: minimal covers or hierarchy nodes.
    """
    found = label(member, codes, attributes, publish)
    of = np.zeros(int(member.max(initial=-1)) + 1, np.int64)
    of[member] = found.member
    return tuple(tuple(column[i] for i in of.tolist()) for column in found.labels())
