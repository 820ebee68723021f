"""Tuples that stand in the wrong class: they move one by one to where they cost less.

A tuple that alone widens the cover of its class is taken out if what remains satisfies the criteria,
and joins the class whose rows × loss grows least, if that is less than what was saved. In each round
a class takes part in one move only, so that gains add up and verdicts stay true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.mechanism.recode.partition.covers import WORD, Covers
from sfumato.mechanism.recode.partition.publish import runs_of
from sfumato.mechanism.recode.partition.scan import first_per_segment, segment_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from sfumato.mechanism.recode.partition.criteria import Sizes
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import FloatArray, IntArray

    Marks = npt.NDArray[np.uint8]

MOST_ROUNDS = 20
MOST_PAIRS = 3_000_000
"""Pairs of a tuple and a class compared in one round."""

AT_A_TIME = 100_000
TRIED_AT_A_TIME = 10_000
"""Pairs of a tuple and a near class whose losses are computed at a time, from so many on: they stay in the cache."""
FEWEST_TUPLES = 100
"""With so many classes that fewer tuples could be compared in a round, nothing is moved."""

MOST_OUTSIDE = 1
"""A class is tried for a tuple if the tuple lies outside its cover in at most so many attributes."""

LEAST_GAIN = 1e-9
ENOUGH = 4e-4
"""Rounds end when one saves less than this share of the loss."""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A partition with what its classes lose.

    Args:
        member: (n,) int64, class of each tuple.
        order: (n,) int64, tuples, class by class.
        starts: (n_classes,) int64.
        covers: cover of each class.
        sizes: sizes of each class.
        loss: (n_classes,) float64, rows × loss.
    """

    member: IntArray
    order: IntArray
    starts: IntArray
    covers: Covers
    sizes: Sizes
    loss: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Moves under consideration: `saved` in the class that is left, `added` in the class that is joined."""

    tuple_: IntArray
    source: IntArray
    target: IntArray
    saved: FloatArray
    added: FloatArray

    def take(self, index: IntArray) -> Moves:
        """The listed moves."""
        who = (self.tuple_.take(index), self.source.take(index), self.target.take(index))
        return Moves(*who, self.saved.take(index), self.added.take(index))


def move(table: Table, member: IntArray, watch: Watch) -> IntArray:
    """Move tuples until little is saved.

    Args:
        table: the tuples.
        member: (n,) int64, class of each; every class satisfies the criteria.
        watch: limits and listener.

    Returns:
        (n,) int64, the same classes with other tuples; every class satisfies the criteria.
    """
    for turn in range(MOST_ROUNDS):
        watch.progress(turn, MOST_ROUNDS, "moving tuples between classes")
        if watch.is_over():
            break
        state = state_of(table, member)
        n_tuples = MOST_PAIRS // len(state.starts)
        if len(state.starts) < 2 or n_tuples < FEWEST_TUPLES:
            break
        moves = _best_targets(table, state, _leavers(table, state, n_tuples))
        moves = _allowed(table, state, _apart(moves, len(state.starts)))
        watch.checked += len(moves.tuple_)
        member = member.copy()
        member[moves.tuple_] = moves.target
        if float((moves.saved - moves.added).sum()) < ENOUGH * state.loss.sum():
            break
    return member


def state_of(table: Table, member: IntArray) -> State:
    """Covers, sizes and losses of the classes."""
    runs = runs_of(member)
    covers = table.covers.take(runs.order).reduce(runs.starts)
    sizes = table.sizes.take(runs.order).reduce(runs.starts)
    return State(member, runs.order, runs.starts, covers, sizes, sizes.rows * table.layout.losses(covers))


def _leavers(table: Table, state: State, most: int) -> Moves:
    """The tuples whose leaving saves most, without targets."""
    lengths = np.diff(np.append(state.starts, len(state.order)))
    source = state.member[state.order]
    others = lengths[source] > 1
    whole = state.sizes.take(source)
    rest = whole.without(table.sizes.take(state.order), whole.personal_k)  # the k of the whole: on the safe side
    may = np.flatnonzero(others & table.judge.may_hold(rest))
    without = _without(table, state).take(may)
    saved = state.loss[source[may]] - rest.rows[may] * table.layout.losses(without)
    some = np.flatnonzero(saved > LEAST_GAIN)
    best = some[np.argsort(-np.round(saved[some], 9), kind="stable")[:most]]
    nowhere = np.full(len(best), -1)
    return Moves(state.order[may[best]], source[may[best]], nowhere, saved[best], np.zeros(len(best)))


def _without(table: Table, state: State) -> Covers:
    """For each tuple, class by class, the cover of the others of its class; of no meaning for a tuple alone."""
    layout, class_ = table.layout, state.member.take(state.order)
    words, ends = state.covers.words.take(class_, axis=1), state.covers.ends.take(class_, axis=1)
    for j, axis in enumerate(layout.axes):
        if axis.form is Form.SET:
            rank = table.ranks[j].take(state.order)
            value = class_ * axis.bits + rank
            alone = np.flatnonzero(np.bincount(value)[value] == 1)
            word, bit = np.divmod(layout.shift[j] + rank[alone], WORD)
            words[layout.word[j] + word, alone] ^= np.uint64(1) << bit.astype(np.uint64)
        else:
            for row in (layout.end[j], layout.end[j] + 1):
                _without_ends(table.covers.ends[row].take(state.order), ends[row], class_, state.starts)
    return Covers(words, ends)


def _without_ends(own: IntArray, ends: IntArray, class_: IntArray, starts: IntArray) -> None:
    """Put the largest number of the others of its class where a tuple alone has the largest.

    Args:
        own: (n,) int64, number of each tuple, class by class; changed in place.
        ends: (n,) int64, the largest of its class; changed in place.
        class_: (n,) int64, class of each tuple.
        starts: (n_classes,) int64, where each class begins.
    """
    at_end = np.flatnonzero(own == ends)
    of = class_.take(at_end)
    is_one = np.bincount(of, minlength=len(starts)).take(of) == 1
    alone, of = at_end[is_one], of[is_one]
    own[alone] = np.iinfo(np.int64).min
    ends[alone] = np.maximum.reduceat(own, starts).take(of)


def _best_targets(table: Table, state: State, moves: Moves) -> Moves:
    """For each leaving tuple the class that grows least by it; moves that save nothing are left out."""
    target, added = np.full(len(moves.tuple_), -1), np.full(len(moves.tuple_), np.inf)
    for who, where in _near(table, state, moves):
        tuples = moves.tuple_[who]
        union = state.covers.take(where).join(table.covers.take(tuples))
        rows = state.sizes.rows[where] + table.sizes.rows[tuples]
        more = rows * table.layout.losses(union) - state.loss[where]
        first = _least_of_each(who, np.round(more, 9))
        target[who[first]], added[who[first]] = where[first], more[first]
    good = np.flatnonzero(moves.saved - added > LEAST_GAIN)
    return Moves(moves.tuple_[good], moves.source[good], target[good], moves.saved[good], added[good])


def _near(table: Table, state: State, moves: Moves) -> Iterator[tuple[IntArray, IntArray]]:
    """The pairs of a leaving tuple, by its place among the moves, and another class that is tried for it, in order."""
    n_classes = len(state.starts)
    known = _values_outside(table, state.covers, len(moves.tuple_))
    step = max(AT_A_TIME // n_classes, 1)
    found: list[IntArray] = []
    n_found = 0
    for begin in range(0, len(moves.tuple_), step):
        tuples = moves.tuple_[begin : begin + step]
        near = _outside(table, state.covers, known, tuples) <= MOST_OUTSIDE
        near[np.arange(len(tuples)), moves.source[begin : begin + step]] = False
        found.append(np.flatnonzero(near) + begin * n_classes)
        n_found += len(found[-1])
        if n_found >= TRIED_AT_A_TIME or begin + step >= len(moves.tuple_):
            who, where = np.divmod(np.concatenate(found), n_classes)
            yield who, where
            found, n_found = [], 0


def _least_of_each(who: IntArray, values: FloatArray) -> IntArray:
    """Place of the first least value of each run of equal numbers."""
    starts, lengths = segment_starts(who)
    if not len(starts):
        return starts
    least = values == np.repeat(np.minimum.reduceat(values, starts), lengths)
    return first_per_segment(who, least)


def _values_outside(table: Table, covers: Covers, n_tuples: int) -> list[Marks | None]:
    """For each axis (n_ranks, n_classes): 1 where the value of a rank lies outside the cover of a class.

    None where there are more values than tuples that ask.
    """
    layout = table.layout
    found: list[Marks | None] = []
    for j, axis in enumerate(layout.axes):
        if axis.form is Form.SET:
            word, bit = np.divmod(layout.shift[j] + np.arange(axis.bits), WORD)
            has = covers.words[layout.word[j] + word] >> bit.astype(np.uint64)[:, None] & np.uint64(1)
            found.append((has == 0).view(np.uint8))
        elif axis.n_ranks <= n_tuples:
            found.append(_beyond(np.arange(axis.n_ranks), covers, layout.end[j]))
        else:
            found.append(None)
    return found


def _beyond(rank: IntArray, covers: Covers, end: int) -> Marks:
    """(len(rank), n_classes): 1 where a rank lies below or above a cover whose extremes begin at row `end`."""
    low, high = -covers.ends[end], covers.ends[end + 1]
    kind = np.dtype(np.int16 if max(int(rank.max(initial=0)), int(high.max(initial=0))) < 2**15 else np.int64)
    mine, low, high = rank.astype(kind)[:, None], low.astype(kind), high.astype(kind)
    outside: Marks = ((mine < low) | (mine > high)).view(np.uint8)
    return outside


def _outside(table: Table, covers: Covers, known: list[Marks | None], tuples: IntArray) -> Marks:
    """(n_tuples, n_classes): in how many attributes each tuple lies outside the cover of each class."""
    out = np.zeros((len(tuples), covers.ends.shape[1] or covers.words.shape[1]), np.uint8)
    for j, of_value in enumerate(known):
        rank = table.ranks[j][tuples]
        out += _beyond(rank, covers, table.layout.end[j]) if of_value is None else of_value[rank]
    return out


def _apart(moves: Moves, n_classes: int) -> Moves:
    """The best moves, so that each class takes part in one at most."""
    order = np.argsort(-np.round(moves.saved - moves.added, 9), kind="stable")
    used = np.zeros(n_classes, bool)
    chosen = []
    pairs = zip(order.tolist(), moves.source[order].tolist(), moves.target[order].tolist(), strict=True)
    for i, source, target in pairs:
        if not (used[source] or used[target]):
            used[source] = used[target] = True
            chosen.append(i)
    return moves.take(np.array(chosen, np.int64))


def _allowed(table: Table, state: State, moves: Moves) -> Moves:
    """The moves after which both classes satisfy every criterion; classes are in one move at most."""
    if not len(moves.tuple_):
        return moves
    n = len(moves.tuple_)
    after = state.member.copy()
    after[moves.tuple_] = moves.target
    number = np.full(len(state.starts), -1)
    number[moves.source], number[moves.target] = np.arange(n), n + np.arange(n)
    tuples = np.flatnonzero(number[after] >= 0)
    ok = table.judge.holds_for(tuples, number[after[tuples]], 2 * n)
    return moves.take(np.flatnonzero(ok[:n] & ok[n:]))
