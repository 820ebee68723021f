"""The deFinetti attack: the pairing inside buckets, learned from the two tables themselves.

Buckets that hold a value hold quasi-identifiers that go with it a little more often than others do. A classifier is
learned from all buckets at once, with every pairing weighted by what is believed of it, and then says which pairing of
each bucket it finds likely; and so on. No random choice of the mechanism helps against it, since what is learned is a fact
about the world. It needs a dependence between the columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.summary.pair import Pair
    from sfumato.types import BoolArray, FloatArray, IntArray

_BALANCE = 8
"""Rounds in which beliefs are scaled to the known counts of a bucket."""


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """How likely each value of a bucket is for each of its rows.

    Args:
        entry: (n,) int64, entry of the first table.
        value: (n,) int64, leaf of the sensitive column; every value of the entry's bucket is listed once.
        chance: (n,) float64; chances of an entry sum to 1.
    """

    entry: IntArray
    value: IntArray
    chance: FloatArray

    def guesses(self) -> IntArray:
        """(n_entries,) int64: the likeliest value of each entry, the first of equals."""
        order = np.lexsort((self.value, -self.chance, self.entry))
        first = np.flatnonzero(np.diff(self.entry[order], prepend=-1))
        return self.value[order][first]


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Which rows have which value: what a judge knows and the intruder wants.

    Args:
        entry: (n,) int64, entry of the first table.
        value: (n,) int64, leaf of the sensitive column.
        rows: (n,) int64, rows of the entry with this value.
    """

    entry: IntArray
    value: IntArray
    rows: IntArray

    def select(self, inside: BoolArray) -> Truth:
        """Only some entries, renumbered.

        Args:
            inside: (n_entries,) bool.
        """
        some, number = inside[self.entry], np.cumsum(inside) - 1
        return Truth(number[self.entry[some]], self.value[some], self.rows[some])


@dataclass(frozen=True, slots=True)
class DeFinetti:
    """The value of each row of two tables that share a bucket number, learned from the tables alone.

    Args:
        rounds: turns of the learner, >= 0; with 0 nothing is learned, which is the control.
        smoothing: what is added to each count, > 0.
    """

    attack: ClassVar[str] = "deFinetti"
    rounds: int
    smoothing: float = 1.0

    def guess(self, view: Pair, _knowledge: None, _rng: np.random.Generator, /) -> IntArray:
        """(n_entries,) int64: the value of the rows of each entry of the first table."""
        return learn(view, rounds=self.rounds, smoothing=self.smoothing).guesses()


def learn(pair: Pair, *, rounds: int, smoothing: float) -> Beliefs:
    """Learn a naive Bayes classifier from the buckets and the pairing from the classifier, in turns.

    Round: with beliefs r, the share of quasi-identifier x among rows of value v is
    (sum of r over pairs with x and v + smoothing) / (sum over pairs with v + smoothing * leaves). The new belief of a pair is in
    proportion to the count of v in the bucket times the product of these shares over the columns, scaled until rows sum to
    1 and values to their counts. It starts from every pairing being equally likely.

    Args:
        pair: the two tables.
        rounds: turns, >= 0; with 0 all pairings stay equally likely.
        smoothing: what is added to each count, > 0.

    Returns:
        Beliefs.

    Raises:
        ParameterError: `rounds` below 0, or `smoothing` not above 0. Remedy: such as 20 and 1.

    Source:
        D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009, sections 3 and 4. Scaling to the counts
        instead of sampling pairings is ours (R. Sinkhorn, 1964).

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> learn(six_persons(), rounds=0, smoothing=1.0).guesses().tolist()
        [0, 0, 0, 2, 2, 2]
    """
    if rounds < 0 or not smoothing > 0:
        raise ParameterError(
            "`rounds` must be >= 0 and `smoothing` > 0; got {rounds} and {smoothing}.",
            "give such as 20 and 1.",
            rounds=rounds,
            smoothing=smoothing,
        )
    pairs = _pairs(pair)
    chance = _balanced(pair, pairs, pairs.count.astype(np.float64))
    for _ in range(rounds):
        chance = _balanced(pair, pairs, pairs.count * _likelihood(pair, pairs, chance, smoothing))
    return Beliefs(pairs.entry, pair.values.value[pairs.cell], chance)


def hit_share(pair: Pair, guesses: IntArray, truth: Truth) -> float:
    """Share of rows whose value was guessed.

    Args:
        pair: the two tables.
        guesses: (n_entries,) int64, what the intruder says.
        truth: what is so.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> real = Truth(np.arange(6), np.array([0, 1, 4, 2, 2, 3]), np.ones(6, int))
        >>> hit_share(six_persons(), learn(six_persons(), rounds=0, smoothing=1.0).guesses(), real)
        0.5
    """
    right = guesses[truth.entry] == truth.value
    return float(truth.rows[right].sum() / max(pair.n_rows, 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Every entry of the first table beside every value of its bucket; `cell` is the entry of the second table."""

    entry: IntArray
    cell: IntArray
    rows: IntArray
    count: IntArray


def _pairs(pair: Pair) -> _Pairs:
    """All (entry, value) pairs inside buckets."""
    values = pair.values
    n_values = np.bincount(values.owner, minlength=pair.n_buckets)
    starts = np.cumsum(n_values) - n_values
    each = n_values[pair.bucket]
    entry = np.repeat(np.arange(len(pair.bucket)), each)
    place = np.arange(len(entry)) - np.repeat(np.cumsum(each) - each, each)
    cell = starts[pair.bucket[entry]] + place
    return _Pairs(entry, cell, pair.rows[entry], values.count[cell])


def _balanced(pair: Pair, pairs: _Pairs, weight: FloatArray) -> FloatArray:
    """Weights scaled until the chances of each entry sum to 1 and its bucket's values to their counts."""
    chance, counts = weight, pair.values.count.astype(np.float64)
    for _ in range(_BALANCE):
        held = np.bincount(pairs.cell, weights=chance * pairs.rows, minlength=len(counts))
        chance = chance * (counts / np.maximum(held, np.finfo(np.float64).tiny))[pairs.cell]
        whole = np.bincount(pairs.entry, weights=chance, minlength=len(pair.bucket))
        chance = chance / np.maximum(whole, np.finfo(np.float64).tiny)[pairs.entry]
    return np.asarray(chance, np.float64)


def _likelihood(pair: Pair, pairs: _Pairs, chance: FloatArray, smoothing: float) -> FloatArray:
    """Chance of the quasi-identifiers of each pair's entry under its value, each entry's greatest scaled to 1."""
    n_values = len(pair.values.total)
    value, weight = pair.values.value[pairs.cell], chance * pairs.rows
    by_value = np.bincount(value, weights=weight, minlength=n_values)
    logs = np.zeros(len(value))
    for j, attribute in enumerate(pair.attributes):
        n_leaves = attribute.hierarchy.n_leaves
        key = pair.codes[pairs.entry, j] * n_values + value
        together = np.bincount(key, weights=weight, minlength=n_leaves * n_values)
        logs += np.log((together[key] + smoothing) / (by_value[value] + smoothing * n_leaves))
    starts = np.flatnonzero(np.diff(pairs.entry, prepend=-1))
    greatest = np.maximum.reduceat(logs, starts) if len(logs) else logs
    return np.asarray(np.exp(logs - greatest[pairs.entry]), np.float64)
