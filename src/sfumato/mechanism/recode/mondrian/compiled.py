"""The strict halving as machine code: the cells of a level one after the other, in two threads where they are long.

The same classes as `strict.halve`, number for number, with as many cuts tried and limits heard at the same places,
so that nothing published depends on whether Numba (the extra `fast`) is there. It serves criteria that are a least
number of persons, and covers (not hierarchy nodes).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, is_loaded, pays
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Move
from sfumato.mechanism.recode.mondrian.strict import FINENESS
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.mechanism.recode.partition.publish import AT_ONCE as PUT_AT_ONCE
from sfumato.mechanism.recode.partition.publish import Runs, runs_at
from sfumato.numbers.threads import in_threads, pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.summary.classes import Classes
    from sfumato.types import FloatArray, IntArray

PAYS_FROM = 1_000_000
"""Tuples from which loading Numba, and compiling where nothing is kept from last time, is worth its time."""

LOADED_PAYS_FROM = 64
"""Tuples from which the loop pays in a process that has it already."""

AT_ONCE = 1 << 15
"""Tuples whose ranks are packed at once: what is computed on the way stays in the processor's cache."""

SHARED_FROM = 1 << 16
"""Tuples of a level from which two threads share its cells."""

WORD_BITS = 62
"""Bits of ranks that lie in one number."""

SHORT = 62
"""Sets of so many values are added up as bits of one number."""


def is_able(table: Table) -> bool:
    """Whether the compiled form answers for this table, and is worth its time."""
    judge, n = table.judge, table.ranks.shape[1]
    if not (pays(n, PAYS_FROM) or (n >= LOADED_PAYS_FROM and is_loaded(_cut_cells, _counting(table)))):
        return False
    counts_persons = judge.is_exact_on_sizes and np.array_equal(judge.finest.rows, judge.finest.alone)
    by_size = all(not c.needs and c.monotone_in & Move.ABSORB for c in judge.criteria)
    return counts_persons and by_size and all(axis.form is not Form.NODE for axis in table.layout.axes)


def halve_compiled(table: Table, watch: Watch) -> tuple[IntArray, Runs]:
    """Part the tuples like `strict.halve`; see `is_able`.

    Returns:
        (n,) int64, class of each tuple, 0 … n_classes-1, in the order in which cells were finished; and the tuples class
        by class.
    """
    n = table.ranks.shape[1]
    order = np.arange(n, dtype=_counting(table))
    cut, cells, finished, placed = _cutter(table, order), np.array([[0, n]]), [], 0
    least, everybody = table.judge.least_persons(), int(table.sizes.persons.sum())
    with ThreadPoolExecutor(2) as pool:
        while len(cells):
            watch.progress(placed, n, "halving the cells")
            asked = everybody + 1 if watch.is_over() else least
            parts = _parts(cells)
            share = map if len(parts) == 1 else pool.map
            made = list(share(cut, parts, (asked, asked)))
            cells = np.concatenate([level.halves for level in made])
            done = [*(level.small for level in made), *(level.uncut for level in made)]
            placed += sum(int((part[:, 1] - part[:, 0]).sum()) for part in done)
            finished += done
            watch.checked += sum(level.tried for level in made)
    return _numbered(order, np.concatenate(finished))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """What became of some cells of a level; a cell is (from, to), places in the order of the tuples.

    Args:
        halves: (n, 2) int64, cells of the next level.
        small: (n, 2) int64, cells that are too small to be cut.
        uncut: (n, 2) int64, cells that no cut parts.
        tried: cuts tried.
    """

    halves: IntArray
    small: IntArray
    uncut: IntArray
    tried: int


def load(finest: Classes) -> None:
    """Load the compiled form for these tuples, which takes seconds of one core; it cuts nothing."""
    kind = _kind(finest.n_classes, int(finest.persons.sum()))
    none, cells, floats = np.empty(0, kind), np.empty((0, 2), np.int64), np.empty((1, 2))
    fields, packed = np.zeros((1, 3), np.int64), np.empty((1, 0), np.int64)
    counts = np.zeros(4, np.int64)
    compiled(_cut_cells)(none, none, packed, fields, floats, fields, floats, 1, cells, cells, cells, counts)


def _cutter(table: Table, order: IntArray) -> Callable[[IntArray, int], _Level]:
    """What cuts some cells of a level into halves with so many persons, and sorts `order`; cells share nothing."""
    kernel, (loss, kinds, weights), (fields, packed) = compiled(_cut_cells), _losses(table), _packed(table)
    persons = table.sizes.persons.astype(order.dtype)

    def cut(cells: IntArray, least: int) -> _Level:
        halves, done, counts = np.empty((2 * len(cells), 2), np.int64), np.empty_like(cells), np.zeros(4, np.int64)
        kernel(order, persons, packed, fields, loss, kinds, weights, least, cells, halves, done, counts)
        n_halves, n_done, n_small, tried = counts.tolist()
        return _Level(halves[:n_halves], done[:n_small], done[n_small:n_done], tried)

    return cut


def _parts(cells: IntArray) -> list[IntArray]:
    """The cells in two parts of about as many tuples, or in one where they are few."""
    up_to = np.cumsum(cells[:, 1] - cells[:, 0])
    middle = int(np.searchsorted(up_to, up_to[-1] // 2, side="right"))
    return [cells] if up_to[-1] < SHARED_FROM or not 0 < middle < len(cells) else [cells[:middle], cells[middle:]]


def _numbered(order: IntArray, finished: IntArray) -> tuple[IntArray, Runs]:
    """The class of each tuple, and the tuples class by class, of cells that are places (from, to) in `order`."""
    lengths = finished[:, 1] - finished[:, 0]
    runs, member = runs_at(order, finished[:, 0], lengths), np.empty(len(order), np.int64)

    def number(piece: slice) -> None:
        classes = np.repeat(np.arange(piece.start, piece.stop), lengths[piece])
        first = runs.starts[piece.start]
        member[runs.order[first : first + len(classes)]] = classes

    in_threads(number, pieces(len(lengths), PUT_AT_ONCE), len(order))
    return member, runs


def _counting(table: Table) -> type[np.integer[Any]]:
    """The kind of numbers that holds every tuple and every person: the narrower, the less is moved."""
    return _kind(table.ranks.shape[1], int(table.sizes.persons.sum()))


def _kind(n_tuples: int, n_persons: int) -> type[np.integer[Any]]:
    """The same, of so many."""
    return np.int32 if max(n_tuples, n_persons) < 1 << 31 else np.int64


def _packed(table: Table) -> tuple[IntArray, IntArray]:
    """For each axis its word, its lowest bit there and a mask of its width; and (n_words, n) the ranks of each tuple."""
    fields: list[tuple[int, int, int]] = []
    room = WORD_BITS
    for axis in table.layout.axes:
        bits = max(axis.n_ranks - 1, 1).bit_length()
        word = fields[-1][0] if fields else 0
        word, room = (word, room) if bits <= room else (word + 1, WORD_BITS)
        room -= bits
        fields.append((word, room, (1 << bits) - 1))
    packed = np.zeros((fields[-1][0] + 1, table.ranks.shape[1]), np.int64)

    def fill(piece: slice) -> None:
        for (word, shift, _), ranks in zip(fields, table.ranks, strict=True):
            packed[word, piece] |= ranks[piece] << shift

    in_threads(fill, pieces(packed.shape[1], AT_ONCE), table.ranks.size)
    return np.array(fields), packed


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
    order: Any,
    persons: Any,
    packed: Any,
    fields: Any,
    loss: Any,
    kinds: Any,
    weights: Any,
    least: Any,
    cells: Any,
    halves: Any,
    finished: Any,
    counts: Any,
) -> None:
    """Cut each cell of a level, or finish it as a class.

    `cells` are places (from, to) in `order`, and with it in `packed` and `persons`, which are sorted half by half; `halves`
    is filled with the cells of the next level, `finished` with classes. `counts` holds how many there are of both, how many
    of the classes were too small to be cut, and the cuts that were tried.
    """
    here: Any
    low: Any
    high: Any
    up_to: Any
    best: Any
    m, most, n_words = len(fields), loss.shape[1], len(packed)
    one, count = np.int64(1), np.zeros(most, np.int64)
    width = np.empty(m, np.int64)
    total = np.zeros(len(cells), np.int64)
    longest = 0
    for cell in range(len(cells)):
        begin, end = cells[cell, 0], cells[cell, 1]
        for i in range(begin, end):
            total[cell] += persons[i]
        if end - begin == 1 or total[cell] < 2 * least:
            finished[counts[1], 0], finished[counts[1], 1] = begin, end
            counts[1] += 1
            total[cell] = -1
        else:
            longest = max(longest, end - begin)
    counts[2] = counts[1]
    right, right_persons = np.empty(longest, order.dtype), np.empty(longest, persons.dtype)
    right_packed = np.empty((n_words, longest), packed.dtype)
    for cell in range(len(cells)):
        if total[cell] < 0:
            continue
        begin, end = cells[cell, 0], cells[cell, 1]
        n = end - begin
        for j in range(m):
            own, shift, mask = packed[fields[j, 0], begin:end], fields[j, 1], fields[j, 2]
            if kinds[j, 0] == 1:
                distinct, word = 0, one - one
                if kinds[j, 2] == 1:
                    for i in range(n):
                        word |= one << (own[i] >> shift & mask)
                    while word:
                        word &= word - one
                        distinct += 1
                else:
                    for i in range(n):
                        here = own[i] >> shift & mask
                        distinct += 1 - count[here]
                        count[here] = 1
                    for i in range(n):
                        count[own[i] >> shift & mask] = 0
                w = loss[j, distinct] if distinct < most else 1.0
            else:
                low, high = most, -1
                for i in range(n):
                    here = own[i] >> shift & mask
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
            counts[3] += 1
            own, shift, mask = packed[fields[j, 0], begin:end], fields[j, 1], fields[j, 2]
            those, tuples = persons[begin:end], order[begin:end]
            low, high = most, -1
            for i in range(n):
                here = own[i] >> shift & mask
                count[here] += those[i]
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
                n_left, n_right = 0, 0
                for i in range(n):
                    if own[i] >> shift & mask <= at:
                        tuples[n_left], those[n_left] = tuples[i], those[i]
                        for k in range(n_words):
                            packed[k, begin + n_left] = packed[k, begin + i]
                        n_left += 1
                    else:
                        right[n_right], right_persons[n_right] = tuples[i], those[i]
                        for k in range(n_words):
                            right_packed[k, n_right] = packed[k, begin + i]
                        n_right += 1
                for i in range(n_right):
                    tuples[n_left + i], those[n_left + i] = right[i], right_persons[i]
                    for k in range(n_words):
                        packed[k, begin + n_left + i] = right_packed[k, i]
                cut_at = begin + n_left
                break
        if cut_at < 0:
            finished[counts[1], 0], finished[counts[1], 1] = begin, end
            counts[1] += 1
        else:
            halves[counts[0], 0], halves[counts[0], 1] = begin, cut_at
            halves[counts[0] + 1, 0], halves[counts[0] + 1, 1] = cut_at, end
            counts[0] += 2
