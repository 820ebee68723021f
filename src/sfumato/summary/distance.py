"""The distance of a sensitive column's distribution in each class from that of the table.

The earth mover's distance with three ground distances, as exact quotients of integers. With p = c/n in
a class of n persons and q = T/N in the table of N persons:

- equal: 1/2 sum |p - q|;
- ordered: sum_{i<m} |sum_{j<=i} (p_j - q_j)| / (m - 1) over the m values present in the table;
- hierarchical: 1/H sum over the levels below the root of the equal distance at that level, H the height.

Sources: N. Li, T. Li, S. Venkatasubramanian, "t-Closeness", ICDE 2007, section 4. The last form equals
the paper's: mass moved between two leaves whose lowest common ancestor has height h pays half a step
up and half a step down at each of h levels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, assert_never

import numpy as np

from sfumato.summary.histogram import Distribution, add_by_owner

if TYPE_CHECKING:
    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.types import IntArray

Ground = Literal["equal", "ordered", "hierarchical"]
"""Name of a ground distance between two values."""

_LARGEST = 2**62

_DENSE = 8
"""A level with up to this many cells (node, class) for each entry is counted in a table of all of them."""


def distances(d: Distribution, reference: IntArray, ground: Ground) -> tuple[IntArray, IntArray]:
    """Earth mover's distance of each class from the reference, as numerators and denominators.

    Args:
        d: distribution by class.
        reference: (n_leaves,) int64 counts; every value that a class holds has a count >= 1.
        ground: ground distance.

    Returns:
        (n_classes,) numerators and (n_classes,) denominators: int64, or Python integers where int64
        could overflow. A class without values has the quotient 1/1.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.histogram import distribution_of
        >>> from sfumato.summary.histogram import Histogram
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), [str(v) for v in range(3, 12)])
        >>> low = Histogram(pay, np.zeros(3, int), np.arange(3), np.ones(3, int), np.ones(9, int))
        >>> one = Classes(np.array([[0]]), np.array([3]), np.array([3]), histograms=(low,))
        >>> top, bottom = distances(distribution_of(one, "pay"), low.total, "ordered")
        >>> (top / bottom).tolist()
        [0.375]
    """
    match ground:
        case "equal":
            top, bottom = _equal(d, reference), 2
        case "ordered":
            ranks, order = _ranks(d, reference)
            n_ranks = len(order)
            top, bottom = (_ordered(d, ranks, order), n_ranks - 1) if n_ranks > 1 else (np.zeros_like(d.sizes), 1)
        case "hierarchical":
            height = d.attribute.hierarchy.height
            top, bottom = (_hierarchical(d, reference), 2 * height) if height else (np.zeros_like(d.sizes), 1)
        case _:
            assert_never(ground)
    whole = int(reference.sum()) * bottom
    empty = d.sizes == 0
    sizes = d.sizes if int(d.sizes.max(initial=0)) * whole < _LARGEST else d.sizes.astype(object)
    return np.where(empty, 1, top), np.where(empty, 1, sizes * whole)


def _equal(d: Distribution, reference: IntArray) -> IntArray:
    """(n_classes,) sum_i |c_i N - T_i n|: twice the equal distance times n N."""
    sizes, count, total = _wide(d, reference, 3)
    whole = reference.sum(dtype=total.dtype)
    mine = total[d.value] * sizes[d.owner]
    more = count * whole - mine
    return np.asarray(d.add(np.abs(more, out=more) - mine) + sizes * whole)


def _hierarchical(d: Distribution, reference: IntArray) -> IntArray:
    """(n_classes,) the sum over the levels below the root of sum |c N - T n| over its nodes."""
    tree = d.attribute.hierarchy
    out = _equal(d, reference)
    for level in range(1, tree.height):
        codes = tree.ancestors[level]
        total = np.bincount(codes, weights=reference, minlength=len(tree.labels[level])).astype(np.int64)
        if np.count_nonzero(total) <= 1:
            break
        if len(total) * d.n_classes <= _DENSE * len(d.value) and _fits(d, total, 2):
            out = out + _equal_of_few(d, codes, total)
        else:
            d = _sorted_by(d, _depth_first(tree))
            out = out + _equal(_at_level(d, codes[d.value]), total)
    return out


def _equal_of_few(d: Distribution, codes: IntArray, total: IntArray) -> IntArray:
    """What `_equal` gives at a level of few nodes: all cells (node, class) are counted, nothing is sorted."""
    key = (codes * d.n_classes)[d.value] + d.owner
    cells = np.bincount(key, weights=d.count, minlength=len(total) * d.n_classes).astype(np.int64)
    more = cells.reshape(len(total), d.n_classes)
    more *= total.sum()
    more -= total[:, None] * d.sizes
    return np.asarray(np.abs(more, out=more).sum(axis=0))


def _at_level(d: Distribution, node: IntArray) -> Distribution:
    """Entries of the same class and node added up; equal nodes stand side by side."""
    new = np.ones(len(node), bool)
    new[1:] = (d.owner[1:] != d.owner[:-1]) | (node[1:] != node[:-1])
    count = add_by_owner(d.count, np.cumsum(new) - 1, int(new.sum()))
    return replace(d, owner=d.owner[new], value=node[new], count=count)


def _ordered(d: Distribution, ranks: IntArray, totals: IntArray) -> IntArray:
    """(n_classes,) sum_{i<m} |C_i N - S_i n| with the cumulative counts C of the class and S of the table.

    Between two values of a class C is constant while S grows, so the sum of a whole stretch comes from
    prefix sums of S and the place where n S passes N C: work grows with the entries, not with m.

    Args:
        d: distribution by class.
        ranks: (n_leaves,) int64, place of each leaf in the order.
        totals: (m,) int64, persons of the table at each place, >= 1.
    """
    d = _sorted_by(d, ranks)
    m = len(totals)
    sizes, count, _ = _wide(d, totals, 2 * m)
    below = np.cumsum(totals).astype(sizes.dtype)
    prefix = np.concatenate((np.zeros(1, sizes.dtype), np.cumsum(below)))
    n, first = sizes[d.owner], ranks[d.value]
    last_of_class = np.concatenate((d.owner[1:] != d.owner[:-1], [True]))[: len(first)]
    end = np.where(last_of_class, m, np.concatenate((first[1:], [m]))[: len(first)])
    reached = np.cumsum(count)
    before = np.concatenate((np.zeros(1, reached.dtype), reached))[np.searchsorted(d.owner, d.owner)]
    mine = (reached - before) * below[-1]
    middle = np.clip(np.searchsorted(below, -(-mine // n)), first, end)
    stretch = mine * (2 * middle - first - end) + n * (prefix[first] + prefix[end] - 2 * prefix[middle])
    starts = np.concatenate(([True], d.owner[1:] != d.owner[:-1]))[: len(first)]
    return np.asarray(d.add(stretch + np.where(starts, n * prefix[first], 0)))


def _ranks(d: Distribution, reference: IntArray) -> tuple[IntArray, IntArray]:
    """Place of each leaf among the distinct values of the table, and the persons at each place.

    Numbers and dates are placed by their position, text by the order of the hierarchy's leaves.
    """
    positions = d.attribute.positions
    place = np.arange(len(reference), dtype=np.float64) if positions is None else positions
    present = reference > 0
    distinct, inverse = np.unique(place[present], return_inverse=True)
    ranks = np.zeros(len(reference), np.int64)
    ranks[present] = inverse
    totals = np.bincount(inverse, weights=reference[present], minlength=len(distinct)).astype(np.int64)
    return ranks, totals


def _depth_first(tree: Hierarchy) -> IntArray:
    """(n_leaves,) int64: place of each leaf in an order that keeps the leaves of every node together."""
    rank = np.empty(tree.n_leaves, np.int64)
    rank[np.lexsort(tree.ancestors)] = np.arange(tree.n_leaves)
    return rank


def _sorted_by(d: Distribution, ranks: IntArray) -> Distribution:
    """The entries of each class in the order of the ranks of their values."""
    key = d.owner * (int(ranks.max(initial=0)) + 1) + ranks[d.value]
    if (key[1:] >= key[:-1]).all():
        return d
    order = np.argsort(key, kind="stable")
    return replace(d, owner=d.owner[order], value=d.value[order], count=d.count[order])


def _wide(d: Distribution, reference: IntArray, factor: int) -> tuple[IntArray, IntArray, IntArray]:
    """Sizes, counts and reference as int64, or as Python integers where factor n N could overflow."""
    if _fits(d, reference, factor):
        return d.sizes, d.count, reference
    return d.sizes.astype(object), d.count.astype(object), reference.astype(object)


def _fits(d: Distribution, reference: IntArray, factor: int) -> bool:
    """Whether factor n N is far from the largest int64."""
    return int(d.sizes.max(initial=0)) * int(reference.sum()) * factor < _LARGEST
