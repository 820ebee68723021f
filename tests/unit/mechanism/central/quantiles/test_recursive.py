"""Approximate quantiles: the law of all answers together, enumerated on tiny grids, and values that many rows share."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.central.quantiles.method_laws import replayed_law
from tests.unit.mechanism.central.quantiles.tiny_tables import largest_loss, tables

from sfumato.mechanism.central.quantiles import recursive
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.recursive import Recursive, depth
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
THREE = (Fraction(1, 5), Fraction(1, 2), Fraction(3, 4))


def loss(monkeypatch, neighbors, size=3, most=2, dithers=1):
    method = Recursive(THREE, Fraction(1), size, neighbors, rows=1)
    laws = {table: replayed_law(monkeypatch, method, table, dithers) for table in tables(size, most)}
    assert all(math.isclose(sum(law.values()), 1) for law in laws.values())
    return largest_loss(laws, size, most, neighbors)


def test_epsilon_spent_again_on_each_level_is_caught(monkeypatch):
    halves = recursive._halves
    monkeypatch.setattr(recursive, "depth", lambda m: 1)
    monkeypatch.setattr(
        recursive,
        "_halves",
        lambda part, *rest: tuple(replace(half, epsilon=part.epsilon) for half in halves(part, *rest)),
    )
    assert loss(monkeypatch, Neighbors.ADD_REMOVE, 4, 3) > 1


def test_an_exchange_that_is_counted_once_is_caught(monkeypatch):
    monkeypatch.setattr(recursive, "adding_epsilon", lambda method: method.epsilon)
    assert loss(monkeypatch, Neighbors.REPLACE, 4, 3) > 1


def test_every_branch_spends_all_and_no_more(monkeypatch):
    spent, halves = [], recursive._halves

    def watched(part, *rest):
        out = halves(part, *rest)
        spent.extend(half.epsilon for half in out if half.wanted[0] >= half.wanted[1])
        return out

    monkeypatch.setattr(recursive, "_halves", watched)
    for m in range(1, 20):
        qs = tuple(Fraction(i, m + 1) for i in range(1, m + 1))
        Recursive(qs, Fraction(1), 100, Neighbors.ADD_REMOVE, rows=1).decide(np.arange(50), bits=SeededBits(m))
    assert min(spent) == 0
    assert max(spent) < 1
    assert [depth(m) for m in (1, 3, 4, 7, 8)] == [1, 2, 3, 3, 4]


def test_answers_follow_the_law(monkeypatch):
    """False alarm: 1e-6. Dithered by one bit."""
    method = Recursive((Fraction(1, 3), Fraction(1, 2)), Fraction(3), 2, Neighbors.ADD_REMOVE, rows=1)
    with monkeypatch.context() as patch:
        law = replayed_law(patch, method, (0, 1), 2)
    monkeypatch.setattr(recursive, "dither_bits", lambda size: 1)
    bits = SeededBits(1)
    found = [2 * a + b for a, b in (method.decide(np.array([1, 0]), bits=bits).tolist() for _ in range(1500))]
    assert follows(found, {2 * a + b: p for (a, b), p in law.items()})


def test_values_that_many_rows_share_are_found_exactly_by_the_dither(monkeypatch):
    places = np.repeat([0, 20_000, 70_000], [4000, 4000, 2000])
    method = Recursive(DECILES[1:], Fraction(1), 100_001, Neighbors.ADD_REMOVE, rows=1)
    wanted = true_quantiles(places, DECILES[1:])

    def misses(seed):
        return np.abs(method.decide(places, bits=SeededBits(seed)) - wanted)[[0, 1, 3, 4, 5, 7]].max()

    assert max(misses(seed) for seed in range(20)) == 0
    monkeypatch.setattr(recursive, "dither_bits", lambda size: 0)
    assert max(misses(seed) for seed in range(20)) > 1000


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("table", [[], [0], [4, 4, 4], [0, 1, 2, 3, 4]])
@pytest.mark.parametrize("size", [5, 2**52])
def test_any_table_gives_rising_places_of_the_grid(neighbors, table, size):
    method = Recursive(DECILES, Fraction(1, 10), size, neighbors, rows=2)
    for seed in range(10):
        found = method.decide(np.array(table, np.int64), bits=SeededBits(seed))
        assert 0 <= found[0] <= found[-1] < size
        assert np.all(np.diff(found) >= 0)
