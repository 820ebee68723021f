"""Inverse sensitivity: lengths by search, the promise on every tiny table, and the smooth form."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.central.quantiles.method_laws import law_of, lengths_and_rate
from tests.unit.mechanism.central.quantiles.tiny_tables import largest_loss, tables

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

QS = [Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)]
DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
SIZE = 4


def one(q, neighbors, smoothing=0, epsilon=Fraction(1), flip=False):
    return InverseSensitivity((q,), epsilon, SIZE, neighbors, rows=1, smoothing=smoothing, flip=flip)


@pytest.mark.parametrize("q", QS)
def test_lengths_are_the_fewest_exchanged_rows(monkeypatch, q):
    """The twin tries every table with as many rows."""
    for table in tables(SIZE, 3)[1:]:
        found, _ = lengths_and_rate(monkeypatch, one(q, Neighbors.REPLACE), table)
        best = [math.inf] * SIZE
        for other in tables(SIZE, 3):
            if len(other) == len(table):
                t = int(true_quantiles(np.array(other), (q,))[0])
                best[t] = min(best[t], (Counter(other) - Counter(table)).total())
        assert found.tolist() == best


@pytest.mark.parametrize("q", QS)
def test_lengths_are_the_fewest_added_or_removed_rows_or_one_less(monkeypatch, q):
    """The twin tries every table of up to 12 rows."""
    others = [(other, Counter(other)) for other in tables(3, 12)]
    for table in tables(3, 2):
        method = InverseSensitivity((q,), Fraction(1), 3, Neighbors.ADD_REMOVE, rows=1)
        found, _ = lengths_and_rate(monkeypatch, method, table)
        for t in range(3):
            best = min(
                (c - Counter(table)).total() + (Counter(table) - c).total()
                for other, c in others
                if sum(x < t for x in other) <= q * len(other) <= sum(x <= t for x in other)
            )
            assert best - 1 <= found[t] <= best


@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_the_smooth_length_is_the_least_in_reach(monkeypatch, q, neighbors):
    for table in tables(SIZE, 3):
        plain, _ = lengths_and_rate(monkeypatch, one(q, neighbors), table)
        for reach in (1, 2, 4):
            found, _ = lengths_and_rate(monkeypatch, one(q, neighbors, reach), table)
            assert found.tolist() == [min(plain[max(0, t - reach) : t + reach + 1]) for t in range(SIZE)]


def losses(monkeypatch, neighbors, smoothing, *, reach=None, factor=1.0, flip=False):
    """The largest log ratio for each quantile, with some reach of each table in place of the smoothing."""
    out = []
    for q in QS:
        laws = {}
        for table in tables(SIZE, 3):
            used = smoothing if reach is None else reach(table)
            lengths, rate = lengths_and_rate(monkeypatch, one(q, neighbors, used), table)
            laws[table] = dict(enumerate(law_of(lengths, factor * float(rate), flip)))
        out.append(largest_loss(laws, SIZE, 3, neighbors))
    return out


def test_a_smoothing_that_reads_the_data_is_caught(monkeypatch):
    assert max(losses(monkeypatch, Neighbors.REPLACE, 0, reach=lambda table: 4 * (0 in table))) > 1


def test_the_rate_counts_quantiles_rows_and_exchanges():
    def rate(neighbors, rows):
        return InverseSensitivity(DECILES, Fraction(1), 9, neighbors, rows=rows).rate

    assert rate(Neighbors.REPLACE, 1) == rate(Neighbors.ADD_REMOVE, 1) == Fraction(1, 18)
    assert rate(Neighbors.ADD_REMOVE, 3) == rate(Neighbors.REPLACE, 3) == Fraction(1, 54)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("smoothing", [0, 1])
def test_places_follow_the_law(monkeypatch, flip, smoothing):
    """False alarm: 1e-6."""
    table = np.array([0, 0, 2])
    method = one(Fraction(1, 2), Neighbors.REPLACE, smoothing, epsilon=Fraction(2), flip=flip)
    with monkeypatch.context() as patch:
        lengths, rate = lengths_and_rate(patch, replace(method, flip=False), table)
    bits = SeededBits(1)
    found = [int(method.decide(table, bits=bits)[0]) for _ in range(2000)]
    assert follows(found, dict(enumerate(law_of(lengths, float(rate), flip))))


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("q", QS)
def test_permute_and_flip_never_needs_more_rows_to_change(monkeypatch, neighbors, q):
    """For every tiny table and every r: the chance that more than r rows must change is at most the other law's."""
    for table in tables(SIZE, 3):
        lengths, rate = lengths_and_rate(monkeypatch, one(q, neighbors), table)
        plain, other = (law_of(lengths, 3 * float(rate), flip) for flip in (False, True))
        for r in range(3):
            assert other[lengths > r].sum() <= plain[lengths > r].sum() + 1e-12


def test_a_grid_too_large_for_coins_is_drawn_without_them():
    """The name says which it was."""
    small, large = (
        InverseSensitivity((Fraction(1, 2),), Fraction(1), size, Neighbors.REPLACE, rows=1, flip=True)
        for size in (2**20, 2**20 + 1)
    )
    assert (small.name, large.name) == (
        "inverse sensitivity mechanism (permute-and-flip)",
        "inverse sensitivity mechanism",
    )
    assert large.decide(np.full(1000, 2**20), bits=SeededBits(1)).tolist() == [2**20]


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("table", [[], [0], [4, 4, 4], [0, 1, 2, 3, 4]])
@pytest.mark.parametrize("flip", [False, True])
def test_any_table_gives_rising_places_of_the_grid(neighbors, table, flip):
    method = InverseSensitivity(DECILES, Fraction(1), 5, neighbors, rows=2, smoothing=5, flip=flip)
    for seed in range(5):
        found = method.decide(np.array(table, np.int64), bits=SeededBits(seed))
        assert 0 <= found[0] <= found[-1] < 5
        assert np.all(np.diff(found) >= 0)


@pytest.mark.parametrize("smoothing", [-1, 1.5, 100])
def test_a_smoothing_that_cannot_be_is_refused(smoothing):
    with pytest.raises(ParameterError, match="smoothing"):
        one(Fraction(1, 2), Neighbors.REPLACE, smoothing)
