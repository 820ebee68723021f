"""The strict halving as machine code: the cells of a level one after the other.

The same classes as `strict.halve`, number for number, with as many cuts tried and limits heard at the same places,
so that nothing published depends on whether Numba (the extra `fast`) is there. It serves criteria that are a least
number of persons, and covers (not hierarchy nodes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, is_loaded, pays
from sfumato.guarantee.base import Move
from sfumato.mechanism.recode.mondrian.strict import FINENESS
from sfumato.mechanism.recode.partition.axes import Form

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import FloatArray, IntArray

PAYS_FROM = 1_000_000
"""Tuples from which loading Numba, and compiling where nothing is kept from last time, is worth its time."""

LOADED_PAYS_FROM = 64
"""Tuples from which the loop pays in a process that has it already."""

SHORT = 62
"""Sets of so many values are added up as bits of one number."""


def is_able(table: Table) -> bool:
    """Whether the compiled form answers for this table, and is worth its time."""
    judge, n = table.judge, table.ranks.shape[1]
    if not (pays(n, PAYS_FROM) or (n >= LOADED_PAYS_FROM and is_loaded(_cut_cells, _small(table)))):
        return False
    counts_persons = judge.is_exact_on_sizes and np.array_equal(judge.finest.rows, judge.finest.alone)
    by_size = all(not c.needs and c.monotone_in & Move.ABSORB for c in judge.criteria)
    return counts_persons and by_size and all(axis.form is not Form.NODE for axis in table.layout.axes)


def halve_compiled(table: Table, watch: Watch) -> IntArray:
    """Part the tuples like `strict.halve`; see `is_able`.

    Returns:
        (n,) int64, class of each tuple, 0 … n_classes-1, in the order in which cells were finished.
    """
    n = table.ranks.shape[1]
    kernel = compiled(_cut_cells)
    loss, kinds, weights = _losses(table)
    ranks, persons = np.ascontiguousarray(table.ranks.T.astype(_small(table))), table.sizes.persons.copy()
    order, member = np.arange(n), np.empty(n, np.int64)
    cells = np.array([[0, n]])
    least, everybody = table.judge.least_persons(), int(persons.sum())
    done = np.zeros(3, np.int64)
    while len(cells):
        watch.progress(int(done[1]), n, "halving the cells")
        asked = everybody + 1 if watch.is_over() else least
        halves, n_halves, tried = np.empty((2 * len(cells), 2), np.int64), np.zeros(1, np.int64), int(done[2])
        kernel(ranks, persons, loss, kinds, weights, asked, order, member, cells, halves, n_halves, done)
        watch.checked += int(done[2]) - tried
        cells = halves[: n_halves[0]]
    return member


def _small(table: Table) -> type[np.integer[Any]]:
    """The kind of numbers that holds every rank."""
    return np.uint8 if max(axis.n_ranks for axis in table.layout.axes) <= 1 << 8 else np.int32


def _losses(table: Table) -> tuple[FloatArray, IntArray, FloatArray]:
    """What covers lose, by axis and rank or number of values; is it a set, missing value, is it short; step, weight."""
    axes = table.layout.axes
    most = max(axis.n_ranks for axis in axes)
    loss = np.zeros((len(axes), most))
    for j, axis in enumerate(axes):
        loss[j, : len(axis.place)] = axis.place
        if axis.form is Form.SET:
            loss[j, : axis.bits + 1] = axis.set_loss(np.arange(axis.bits + 1))[:most]
    kinds = np.array([(a.form is Form.SET, a.missing, a.n_ranks <= SHORT) for a in axes], np.int64)
    return loss, kinds, np.array([(axis.step, axis.weight) for axis in axes])


def _cut_cells(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop, as compilers like it
    ranks: Any,
    persons: Any,
    loss: Any,
    kinds: Any,
    weights: Any,
    least: Any,
    order: Any,
    member: Any,
    cells: Any,
    halves: Any,
    n_halves: Any,
    done: Any,
) -> None:
    """Cut each cell of a level, or number it as a class.

    `cells` are places (from, to) in `order`, and with it in `ranks` and `persons`, which are sorted half by half; `halves`
    is filled with the cells of the next level, `member` with classes. `done` holds classes made, tuples placed, cuts tried.
    """
    here: Any
    low: Any
    high: Any
    up_to: Any
    best: Any
    m, most = ranks.shape[1], loss.shape[1]
    one, count = np.int64(1), np.zeros(most, np.int64)
    width = np.empty(m, np.int64)
    total = np.zeros(len(cells), np.int64)
    longest = 0
    for cell in range(len(cells)):
        begin, end = cells[cell, 0], cells[cell, 1]
        for i in range(begin, end):
            total[cell] += persons[i]
        if end - begin == 1 or total[cell] < 2 * least:
            for i in range(begin, end):
                member[order[i]] = done[0]
            done[0] += 1
            done[1] += end - begin
            total[cell] = -1
        else:
            longest = max(longest, end - begin)
    right, right_persons = np.empty(longest, order.dtype), np.empty(longest, persons.dtype)
    right_ranks = np.empty((longest, m), ranks.dtype)
    for cell in range(len(cells)):
        if total[cell] < 0:
            continue
        begin, end = cells[cell, 0], cells[cell, 1]
        for j in range(m):
            if kinds[j, 0] == 1:
                distinct, word = 0, one - one
                if kinds[j, 2] == 1:
                    for i in range(begin, end):
                        word |= one << np.int64(ranks[i, j])
                    while word:
                        word &= word - one
                        distinct += 1
                else:
                    for i in range(begin, end):
                        here = np.int64(ranks[i, j])
                        distinct += 1 - count[here]
                        count[here] = 1
                    for i in range(begin, end):
                        count[np.int64(ranks[i, j])] = 0
                w = loss[j, distinct] if distinct < most else 1.0
            else:
                low, high = most, -1
                for i in range(begin, end):
                    here = np.int64(ranks[i, j])
                    low, high = min(low, here), max(high, here)
                w = loss[j, high] - loss[j, low]
                if low < high:
                    w += weights[j, 0]
                    if high == kinds[j, 1]:
                        w = 1.0
            width[j] = np.int64(np.rint(w * weights[j, 1] * FINENESS))
        cut_at = -1
        for _ in range(m):
            j = 0
            for other in range(1, m):
                if width[other] > width[j]:
                    j = other
            if width[j] <= 0:
                break
            width[j] = -1
            done[2] += 1
            low, high = most, -1
            for i in range(begin, end):
                here = np.int64(ranks[i, j])
                count[here] += persons[i]
                low, high = min(low, here), max(high, here)
            up_to, best, at = 0, -1, -1
            for r in range(low, high):
                if count[r] > 0:
                    up_to += count[r]
                    off = abs(2 * up_to - total[cell])
                    if up_to >= least and total[cell] - up_to >= least and (best < 0 or off < best):
                        best, at = off, r
            for r in range(low, high + 1):
                count[r] = 0
            if at >= 0:
                n_left, n_right = begin, 0
                for i in range(begin, end):
                    if ranks[i, j] <= at:
                        order[n_left], persons[n_left] = order[i], persons[i]
                        for c in range(m):
                            ranks[n_left, c] = ranks[i, c]
                        n_left += 1
                    else:
                        right[n_right], right_persons[n_right] = order[i], persons[i]
                        for c in range(m):
                            right_ranks[n_right, c] = ranks[i, c]
                        n_right += 1
                for i in range(n_right):
                    order[n_left + i], persons[n_left + i] = right[i], right_persons[i]
                    for c in range(m):
                        ranks[n_left + i, c] = right_ranks[i, c]
                cut_at = n_left
                break
        if cut_at < 0:
            for i in range(begin, end):
                member[order[i]] = done[0]
            done[0] += 1
            done[1] += end - begin
        else:
            halves[n_halves[0], 0], halves[n_halves[0], 1] = begin, cut_at
            halves[n_halves[0] + 1, 0], halves[n_halves[0] + 1, 1] = cut_at, end
            n_halves[0] += 2
