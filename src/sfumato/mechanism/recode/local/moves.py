"""Tuples that stand in the wrong class: they move one by one to where they cost less.

A tuple that alone widens the cover of its class is taken out if what remains satisfies the criteria,
and joins the class whose rows × loss grows least, if that is less than what was saved. In each round
a class takes part in one move only, so that gains add up and verdicts stay true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.covers import Covers
from sfumato.mechanism.recode.partition.criteria import Sizes
from sfumato.mechanism.recode.partition.publish import runs_of
from sfumato.mechanism.recode.partition.scan import first_per_segment, running, segment_starts

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import FloatArray, IntArray

MOST_ROUNDS = 20
MOST_PAIRS = 3_000_000
"""Pairs of a tuple and a class compared in one round."""

AT_A_TIME = 100_000
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
        return Moves(self.tuple_[index], self.source[index], self.target[index], self.saved[index], self.added[index])


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
    s = table.sizes.take(runs.order)
    sizes = Sizes(
        np.add.reduceat(s.rows, runs.starts),
        np.add.reduceat(s.persons, runs.starts),
        None if s.population is None else np.add.reduceat(s.population, runs.starts),
        None if s.personal_k is None else np.maximum.reduceat(s.personal_k, runs.starts),
    )
    return State(member, runs.order, runs.starts, covers, sizes, sizes.rows * table.layout.losses(covers))


def _leavers(table: Table, state: State, most: int) -> Moves:
    """The tuples whose leaving saves most, without targets."""
    lengths = np.diff(np.append(state.starts, len(state.order)))
    source = state.member[state.order]
    place = np.arange(len(source)) - state.starts[source]
    others = lengths[source] > 1
    rest = _minus(state.sizes.take(source), table.sizes.take(state.order))
    may = np.flatnonzero(others & table.judge.may_hold(rest))
    without = _without(table.covers.take(state.order), place, lengths[source] - 1 - place).take(may)
    saved = state.loss[source[may]] - rest.rows[may] * table.layout.losses(without)
    best = np.argsort(-np.round(saved, 9), kind="stable")[:most]
    best = best[saved[best] > LEAST_GAIN]
    nowhere = np.full(len(best), -1)
    return Moves(state.order[may[best]], source[may[best]], nowhere, saved[best], np.zeros(len(best)))


def _minus(whole: Sizes, part: Sizes) -> Sizes:
    """Sizes of what remains of classes; the k asked stays that of the whole, which is on the safe side."""
    population = None
    if whole.population is not None and part.population is not None:
        population = whole.population - part.population
    return Sizes(whole.rows - part.rows, whole.persons - part.persons, population, whole.personal_k)


def _without(covers: Covers, place: IntArray, left: IntArray) -> Covers:
    """For each tuple the cover of the other tuples of its class; of no meaning for a tuple alone."""
    back = left[::-1]
    words, ends = covers.words, covers.ends
    before_words, before_ends = running(np.bitwise_or, words, place), running(np.maximum, ends, place)
    after_words = running(np.bitwise_or, words[:, ::-1], back)[:, ::-1]
    after_ends = running(np.maximum, ends[:, ::-1], back)[:, ::-1]
    index = np.arange(len(place))
    has_before, has_after = place > 0, left > 0
    previous, following = np.maximum(index - 1, 0), np.minimum(index + 1, len(index) - 1)
    none = np.uint64(0)
    union = np.bitwise_or(
        np.where(has_before, before_words[:, previous], none), np.where(has_after, after_words[:, following], none)
    )
    low = np.iinfo(np.int64).min
    far = np.maximum(
        np.where(has_before, before_ends[:, previous], low), np.where(has_after, after_ends[:, following], low)
    )
    return Covers(union, np.where(has_before | has_after, far, ends))


def _best_targets(table: Table, state: State, moves: Moves) -> Moves:
    """For each leaving tuple the class that grows least by it; moves that save nothing are left out."""
    n_classes = len(state.starts)
    target, added = np.full(len(moves.tuple_), -1), np.full(len(moves.tuple_), np.inf)
    step = max(AT_A_TIME // n_classes, 1)
    for begin in range(0, len(target), step):
        tuples = moves.tuple_[begin : begin + step]
        single = table.covers.take(tuples)
        near = _outside(single, state.covers) <= MOST_OUTSIDE
        near[np.arange(len(tuples)), moves.source[begin : begin + step]] = False
        who, where = np.divmod(np.flatnonzero(near), n_classes)
        union = state.covers.take(where).join(single.take(who))
        rows = state.sizes.rows[where] + table.sizes.rows[tuples[who]]
        more = rows * table.layout.losses(union) - state.loss[where]
        first = _least_of_each(who, np.round(more, 9))
        target[begin + who[first]], added[begin + who[first]] = where[first], more[first]
    good = np.flatnonzero(moves.saved - added > LEAST_GAIN)
    return Moves(moves.tuple_[good], moves.source[good], target[good], moves.saved[good], added[good])


def _least_of_each(who: IntArray, values: FloatArray) -> IntArray:
    """Place of the first least value of each run of equal numbers."""
    starts, lengths = segment_starts(who)
    if not len(starts):
        return starts
    least = values == np.repeat(np.minimum.reduceat(values, starts), lengths)
    return first_per_segment(who, least)


def _outside(single: Covers, covers: Covers) -> npt.NDArray[np.uint8]:
    """(n_tuples, n_classes): in how many attributes each tuple lies outside the cover of each class."""
    n, m = single.ends.shape[1] or single.words.shape[1], covers.ends.shape[1] or covers.words.shape[1]
    out = np.zeros((n, m), np.uint8)
    for mine, theirs in zip(single.words, ~covers.words, strict=True):
        kind = np.min_scalar_type(mine.max(initial=0))
        out += np.bitwise_count(mine.astype(kind)[:, None] & theirs.astype(kind))
    for mine, theirs in zip(single.ends, covers.ends, strict=True):
        most = max(int(np.abs(mine).max(initial=0)), int(np.abs(theirs).max(initial=0)))
        kind = np.dtype(np.int16 if most < 2**15 else np.int64)
        out += (mine.astype(kind)[:, None] > theirs.astype(kind)).view(np.uint8)
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
