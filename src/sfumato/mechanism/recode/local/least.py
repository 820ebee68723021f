"""A loss that no partition can go below, whatever was searched.

A class that holds a tuple differs in some of the attributes and agrees in all others. So all of it lies
among the tuples that agree with this one in the others, and in each attribute in which it differs its
cover must hold two values and, of those tuples, as many persons as any class needs. The cheapest covers
that do, added up, are less than what the class loses. The least over all sets of attributes is a bound
for the tuple, and the mean over the rows one for the table.

Proof: `docs/proofs/least-loss.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.local.peel import cheapest
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.mechanism.recode.partition.scan import running_sum, segment_starts
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.axes import Axis
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_SETS = 4096
"""Sets of attributes looked at; the others are not below the cheapest of those that were left."""

MOST_VISITS = 20_000_000
"""Tuples looked at over all sets of attributes."""

ROUNDED = 1e-9
"""`cheapest` orders sets by losses rounded to twelve digits."""


def least_loss(table: Table, watch: Watch) -> float:
    """A global certainty penalty that no partition goes below if each class has the persons that it needs.

    Args:
        table: the tuples; the judge says how many persons any class needs.
        watch: limits and listener; at a limit the bound is lower.

    Returns:
        The bound, rounded down; 0 where classes of one person are allowed.
    """
    rows, m = table.sizes.rows, len(table.layout.axes)
    weight = sum(axis.weight for axis in table.layout.axes) * float(rows.sum())
    if not weight:
        return 0.0
    least = least_by_tuple(table, table.judge.least_persons(), watch)
    down = 1 - 2.0**-50 * (len(rows) + m)  # no sum of so many numbers is off by more
    return max(float(rows @ np.where(rows > 0, least, 0.0)) / weight * down, 0.0)


def least_by_tuple(table: Table, k: int, watch: Watch) -> FloatArray:
    """(n,) float64: what any class of k persons with the tuple loses at least, a row.

    Infinite where no class is so large.
    """
    n, m = table.ranks.shape[1], len(table.layout.axes)
    everywhere = np.zeros(n, np.int64)
    alone = np.stack([_cheapest_covers(table, j, everywhere, np.arange(n), k) for j in range(m)])
    floors = alone.min(axis=1, initial=np.inf)
    sets = cheapest([np.array([0.0, floor]) for floor in floors], MOST_SETS + 1)
    least, visits = np.full(n, np.inf), 0
    for turn, differs in enumerate(sets.astype(bool)):
        if turn % 16 == 0:
            watch.progress(turn, len(sets), "looking for a loss that no classes go below")
        if turn == MOST_SETS or visits > MOST_VISITS or watch.is_over():
            break
        live = alone[differs].sum(axis=0) < least
        if live.any():
            visits += n
            least = np.minimum(least, _differing(table, differs, live, k))
    else:
        return least
    lower: FloatArray = np.minimum(least, max(float(floors[differs].sum()) - ROUNDED, 0.0))
    return lower


def _differing(table: Table, differs: BoolArray, live: BoolArray, k: int) -> FloatArray:
    """(n,) float64: least loss of a class of k persons that differs in just the marked attributes.

    Infinite where there is none, and for tuples that are not in the group of one in `live`.
    """
    _, group = distinct_rows(table.ranks[~differs].T) if not differs.all() else (None, np.zeros(len(live), np.int64))
    persons = np.bincount(group, weights=table.sizes.persons)
    here = np.flatnonzero((persons >= k)[group] & np.bincount(group, weights=live).astype(bool)[group])
    out = np.full(len(live), np.inf)
    if len(here):
        _, inside = distinct_rows(group[here, None])
        out[here] = 0.0
        for j in np.flatnonzero(differs).tolist():
            out[here] += _cheapest_covers(table, j, inside, here, k)
    return out


def _cheapest_covers(table: Table, j: int, group: IntArray, tuples: IntArray, k: int) -> FloatArray:
    """(len(tuples),) float64: weighted loss of the cheapest cover on axis j of two or more values of the tuple's
    group, its own among them, that holds k persons of the group; infinite if there is none.

    Args:
        table: the tuples.
        j: number of the axis.
        group: (len(tuples),) int64, group of each, numbered from 0.
        tuples: indices of the tuples.
        k: persons.
    """
    axis = table.layout.axes[j]
    cells, cell = distinct_rows(np.stack((group, table.ranks[j][tuples]), axis=1))
    persons = np.bincount(cell, weights=table.sizes.persons[tuples]).astype(np.int64)
    of_cell = {Form.SET: _sets, Form.RANGE: _ranges, Form.NODE: _nodes}[axis.form]
    least = of_cell(axis, cells, persons, k)
    least[np.isfinite(least)] *= axis.weight
    return least[cell]


def _sets(axis: Axis, cells: IntArray, persons: IntArray, k: int) -> FloatArray:
    """Sets: a value needs the largest others beside it."""
    order = np.lexsort((-persons, cells[:, 0]))
    starts, lengths = segment_starts(cells[order, 0])
    up_to = running_sum(persons[order], starts, lengths)
    place = np.arange(len(order)) - np.repeat(starts, lengths)
    short = np.add.reduceat((up_to < k).astype(np.int64), starts)
    enough = np.repeat((short < lengths) & (lengths > 1), lengths)
    last = np.minimum(starts + short, starts + lengths - 1)
    before = np.repeat(up_to[last] - persons[order][last], lengths)
    n_values = np.repeat(short + 1, lengths)
    n_values += (place >= n_values) & (before + persons[order] < k)
    out = np.empty(len(order))
    most = np.minimum(np.maximum(n_values, 2), max(axis.bits, 1))
    out[order] = np.where(enough, axis.set_loss(most), np.inf)
    return out


def _ranges(axis: Axis, cells: IntArray, persons: IntArray, k: int) -> FloatArray:
    """Ranges: the narrowest from each value upward that hold k persons, and those drawn out to the value."""
    group, rank = cells.T
    n, at = len(rank), np.arange(len(rank))
    starts, lengths = segment_starts(group)
    start, end = np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)
    total = np.concatenate((np.zeros(1, np.int64), np.cumsum(persons)))
    far = np.maximum(np.searchsorted(total, total[:-1] + k) - 1, at + 1)
    width = np.full(n, np.inf)
    good = far < end
    width[good] = axis.range_loss(rank[good], rank[far[good]])
    first = np.maximum(np.searchsorted(far, at), start)
    out = _least_between(width, first, at)
    short = np.flatnonzero(first > start)
    out[short] = np.minimum(out[short], axis.range_loss(rank[first[short] - 1], rank[short]))
    return out


def _least_between(values: FloatArray, first: IntArray, last: IntArray) -> FloatArray:
    """(n,) float64: the least of values[first … last], from the least of runs of 1, 2, 4 … values."""
    out = np.empty(len(first))
    reach = np.frexp(last - first + 1)[1] - 1
    for power in range(int(reach.max(initial=0)) + 1):
        mine = np.flatnonzero(reach == power)
        out[mine] = np.minimum(values[first[mine]], values[last[mine] - 2**power + 1])
        values = np.minimum(values, np.append(values[2**power :], np.full(min(2**power, len(values)), np.inf)))
    return out


def _nodes(axis: Axis, cells: IntArray, persons: IntArray, k: int) -> FloatArray:
    """Nodes: the lowest that holds k persons and a second value."""
    out = np.full(len(persons), np.inf)
    for level in range(len(axis.paths) - 1, 0, -1):
        node = axis.paths[level][cells[:, 1]]
        _, member = distinct_rows(np.stack((cells[:, 0], node), axis=1))
        enough = (np.bincount(member, weights=persons) >= k) & (np.bincount(member) > 1)
        out = np.where(enough[member], axis.shares[level, node], out)
    return out
