"""The strict halving of very many tuples, compiled: cell by cell instead of level by level.

The same partition as `strict.halve`, tuple for tuple, for criteria that are a least number of persons
and for covers (not hierarchy nodes). Needs numba (the extra `fast`); compiling takes some
seconds the first time, so that it pays from about a million tuples on.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled
from sfumato.guarantee.base import Move
from sfumato.mechanism.recode.mondrian.strict import FINENESS
from sfumato.mechanism.recode.partition.axes import Form

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import IntArray

PAYS_FROM = 1_000_000
"""Tuples from which compiling is worth its time."""

VISITS_AT_A_TIME = 50_000_000
"""Tuples looked at between two reports to the listener."""


def is_able(table: Table) -> bool:
    """Whether the compiled form answers for this table, and numba is there."""
    judge = table.judge
    counts_persons = judge.is_exact_on_sizes and np.array_equal(judge.finest.rows, judge.finest.alone)
    by_size = all(not c.needs and c.monotone_in & Move.ABSORB for c in judge.criteria)
    no_nodes = all(axis.form is not Form.NODE for axis in table.layout.axes)
    return bool(counts_persons and by_size and no_nodes and find_spec("numba") is not None)


def halve_compiled(table: Table, watch: Watch) -> IntArray:
    """Part the tuples like `strict.halve`; see `is_able`.

    Returns:
        (n,) int64, class of each tuple, 0 … n_classes-1.
    """
    m, n = table.ranks.shape
    kernel = compiled(_halve_stack)
    axes = table.layout.axes
    most = max(axis.n_ranks for axis in axes)
    loss = np.zeros((m, most))
    for j, axis in enumerate(axes):
        loss[j, : len(axis.place)] = axis.place
        if axis.form is Form.SET:
            loss[j, : axis.bits + 1] = axis.set_loss(np.arange(axis.bits + 1))[:most]
    facts = np.array([(axis.form is Form.SET, axis.missing) for axis in axes], np.int64)
    numbers = np.array([(axis.step, axis.weight) for axis in axes])
    order, member = np.arange(n), np.full(n, -1, np.int64)
    stack = np.zeros((n + 2, 2), np.int64)
    stack[0] = 0, n
    state = np.array([1, 0, 0], np.int64)
    small = np.uint8 if most <= np.iinfo(np.uint8).max else np.int32
    ranks, persons = np.ascontiguousarray(table.ranks.T.astype(small)), table.sizes.persons.copy()
    least = table.judge.least_persons()
    while state[0]:
        watch.progress(int(state[2]), n, "halving the cells")
        budget = 0 if watch.is_over() else VISITS_AT_A_TIME
        before = int(state[2])
        kernel(ranks, persons, loss, facts, numbers, least, order, member, stack, state, budget)
        watch.checked += int(state[2]) - before if budget else 0
    return member


def _halve_stack(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop, as compilers like it
    ranks: Any,
    persons: Any,
    loss: Any,
    facts: Any,
    numbers: Any,
    least: Any,
    order: Any,
    member: Any,
    stack: Any,
    state: Any,
    budget: Any,
) -> None:
    """Halve cells from the stack until it is empty or the budget of visits is spent; 0: finish all cells.

    `state` holds cells on the stack, classes made, and tuples placed. `order`, and with it `ranks` and
    `persons`, are sorted cell by cell; `member` is filled.
    """
    here: Any
    low: Any
    high: Any
    up_to: Any
    best: Any
    m, most = ranks.shape[1], loss.shape[1]
    count = np.zeros(most, np.int64)
    width = np.empty(m, np.int64)
    right, right_persons, right_ranks = np.empty_like(order), np.empty_like(persons), np.empty_like(ranks)
    visits = 0
    while state[0] > 0 and (budget == 0 or visits < budget):
        state[0] -= 1
        begin, end = stack[state[0], 0], stack[state[0], 1]
        total = 0
        for i in range(begin, end):
            total += persons[i]
        cut_at = -1
        if budget > 0 and end - begin > 1 and total >= 2 * least:
            visits += (end - begin) * m
            for j in range(m):
                low, high = most, -1
                for i in range(begin, end):
                    here = np.int64(ranks[i, j])
                    count[here] = 1
                    low, high = min(low, here), max(high, here)
                distinct = 0
                for r in range(low, high + 1):
                    distinct += count[r]
                    count[r] = 0
                if facts[j, 0] == 1:
                    w = loss[j, distinct] if distinct < most else 1.0
                else:
                    w = loss[j, high] - loss[j, low]
                    if low < high:
                        w += numbers[j, 0]
                        if high == facts[j, 1]:
                            w = 1.0
                width[j] = np.int64(np.rint(w * numbers[j, 1] * FINENESS))
            for _ in range(m):
                j = 0
                for other in range(1, m):
                    if width[other] > width[j]:
                        j = other
                if width[j] <= 0:
                    break
                width[j] = -1
                low, high = most, -1
                for i in range(begin, end):
                    here = np.int64(ranks[i, j])
                    count[here] += persons[i]
                    low, high = min(low, here), max(high, here)
                up_to, best, at = 0, -1, -1
                for r in range(low, high):
                    if count[r] > 0:
                        up_to += count[r]
                        off = abs(2 * up_to - total)
                        if up_to >= least and total - up_to >= least and (best < 0 or off < best):
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
                member[order[i]] = state[1]
            state[1] += 1
            state[2] += end - begin
        else:
            stack[state[0], 0], stack[state[0], 1] = cut_at, end
            stack[state[0] + 1, 0], stack[state[0] + 1, 1] = begin, cut_at
            state[0] += 2
