"""The joint exponential mechanism: its exact law on tiny tables is private, and is what the code draws."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, log

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.central.quantiles.exact_joint import (
    added,
    coded_law,
    farthest,
    ideal_law,
    joint_law,
    replaced,
    tables,
)

import sfumato.mechanism.central.quantiles.joint_exponential as module
from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential, draw_fine, weigh
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

ONE, HALF = Fraction(1), (Fraction(1, 2),)
PAIR = (Fraction(1, 4), Fraction(2, 3))
DECILES = tuple(Fraction(i, 10) for i in range(1, 10))


def asked(quantiles, epsilon=ONE, neighbors=Neighbors.ADD_REMOVE, share=Fraction(0), size=4):
    """A method for tiny tables."""
    return JointExponential(quantiles, epsilon, size, neighbors, 1, share)


LAWS = tuple(enumerate((HALF, PAIR, (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)))))
PRICES = tuple(enumerate((Fraction(1, 100), Fraction(5), Fraction(2**20), Fraction(2**40))))
TOTALS = (0, 1, 3, 7)


@pytest.mark.parametrize(
    ("quantiles", "epsilon", "total"),
    [(q, epsilon, TOTALS[(i + j + step) % 4]) for (i, q), (j, epsilon) in product(LAWS, PRICES) for step in (0, 2)],
)
def test_the_code_draws_the_defined_law(quantiles, epsilon, total):
    """Every answer of every table of at most 3 rows on 4 places, with ties, to 10 digits: even the rarest.

    Two of four totals for each list of quantiles at each ε, so that every total meets every list and every ε.
    At a huge ε logarithms are as large, and a float's last place of one is more; the slack pays for it.
    """
    for neighbors in OF_TABLES:
        method = asked(quantiles, epsilon, neighbors)
        for table in tables(4, 3 if epsilon == 5 else 2):
            coded, ideal = coded_law(method, table, 4, total), ideal_law(method, table, 4, total)
            assert farthest([(coded, ideal)]) < 1e-10 + float(min(epsilon * 2.0**-48, method.slack))


@pytest.mark.parametrize("quantiles", [HALF, PAIR])
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 4)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(2), Fraction(30)])
def test_adding_a_row_changes_no_chance_by_more(quantiles, share, epsilon):
    """Largest log-ratio over all tables of at most 3 rows on 3 places, and all noisy totals, is at most ε."""
    method = asked(quantiles, epsilon, share=share)
    laws = {table: joint_law(method, table, 3, range(7)) for table in tables(3, 3)}
    if not share:
        laws = {table: {answer: p for (_, answer), p in law.items()} for table, law in laws.items()}
    assert farthest((laws[a], laws[b]) for a, b in added(3, 3)) <= float(epsilon)


@pytest.mark.parametrize("epsilon", [1, 4])
def test_a_floor_above_all_weights_is_private_too(epsilon, monkeypatch):
    """Where equal fine places leave only answers of a large loss, the floor is compared with a least weight instead."""
    monkeypatch.setattr(module, "_LOSS", 0)
    monkeypatch.setattr(module, "_FLOOR_BITS", 2)
    method, high = asked(HALF, Fraction(epsilon)), 0
    laws = {table: coded_law(method, table, 2, len(table)) for table in tables(2, 8)}
    for table, law in laws.items():
        high += weigh(method, np.array(table, np.int64), 2, len(table))[1] > -2 * log(2) + 1e-9
        assert farthest([(law, ideal_law(method, table, 2, len(table)))]) <= float(module._THETA * epsilon)
    assert high
    assert farthest((laws[a], laws[b]) for a, b in added(2, 8)) <= epsilon


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(30)])
def test_replacing_a_row_changes_no_chance_by_more(epsilon):
    """The same for an exchange; and for a row that drops out, because the new one's value is missing."""
    method = asked(PAIR, epsilon, Neighbors.REPLACE)
    laws = {table: coded_law(method, table, 4, len(table)) for table in tables(4, 3)}
    found = farthest((laws[a], laws[b]) for a, b in replaced(4, 3))
    assert epsilon / 2 < found <= epsilon
    assert farthest((laws[a], laws[b]) for a, b in added(4, 3)) <= epsilon


@pytest.mark.parametrize("quantiles", [HALF, PAIR])
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 4)])
def test_windows_cost_nothing_with_the_floor_and_everything_without(quantiles, share, monkeypatch):
    """With a high floor, windows end inside tables of 14 rows: the promise holds; without the floor it is void."""
    monkeypatch.setattr(module, "_FLOOR_BITS", 0)
    monkeypatch.setattr(module, "_THETA", Fraction(1, 32))
    method = asked(quantiles, Fraction(8), share=share, size=2)
    rng = np.random.default_rng(9)
    some = [tuple(np.sort(rng.integers(0, 12, 13)).tolist()) for _ in range(6)]
    pairs = [(t, tuple(sorted((*t, y)))) for t in some for y in range(12)]
    for total in (13, 20) if share else (None,):
        found = {}
        for floor in (True, False):
            laws = {
                t: coded_law(method, t, 12, len(t) if total is None else total, floor)
                for t in {t for p in pairs for t in p}
            }
            found[floor] = farthest((laws[a], laws[b]) for a, b in pairs)
        assert found[True] <= 8 * (1 - share)
        assert found[False] == inf


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 4)])
def test_draws_follow_the_law(share):
    """1,500 draws of two quantiles of 3 rows, two of them equal. False alarm: 1e-6."""
    method, bits, table = asked(PAIR, Fraction(3), share=share), SeededBits(11), (0, 2, 2)
    ordered = np.array(table)
    draws = [draw_fine(method, ordered, 4, bits=bits) for _ in range(1500)]
    law = {}
    for (_, (a, b)), p in joint_law(method, table, 4, range(25)).items():
        law[4 * a + b] = law.get(4 * a + b, 0) + p
    assert sum(law.values()) > 1 - 1e-6
    assert follows([4 * a + b for a, b in draws], law)


def test_narrow_windows_draw_what_wide_ones_do(monkeypatch):
    """A median of 400 rows from its window beside one from all ranks. False alarm: 1e-6."""
    method, ordered = asked(HALF, Fraction(8), size=400), np.arange(400)
    bits, seen = SeededBits(12), []
    near = [int(draw_fine(method, ordered, 400, bits=bits)[0]) for _ in range(800)]
    monkeypatch.setattr(module, "windows", lambda _q, n, *_: (seen.append(n) or (0,), (n,)))
    law = {o[0]: p for o, p in coded_law(method, tuple(range(400)), 400, 400).items()}
    assert seen == [400]
    assert follows(near, law)


@dataclass(frozen=True)
class Undithered:
    """The broken twin: places go to the mechanism as they are."""

    method: JointExponential

    def decide(self, places, *, bits):
        """No fine places."""
        return draw_fine(self.method, np.sort(places), self.method.size, bits=bits)


def test_atoms_are_answered_exactly_only_with_dither():
    """80 % equal values among a million: all middle quantiles are that value; without dither they are not."""
    places = np.random.default_rng(3).integers(0, 1001, 1_000_000)
    places[:800_000] = 400
    method = JointExponential(DECILES, ONE, 1001, Neighbors.ADD_REMOVE, 1)
    truth, bits = true_quantiles(places, DECILES), SeededBits(4)
    assert truth[1:8].tolist() == [400] * 7
    for _ in range(3):
        assert method.decide(places, bits=bits)[1:8].tolist() == [400] * 7
    assert Undithered(method).decide(places, bits=bits)[1:8].tolist() != [400] * 7


def test_two_thirds_at_one_hour_count():
    """Quantiles 0.3 and 0.7 of a column with an atom are the atom, both (others answer 39 and 41)."""
    places = np.concatenate([np.full(30_000, 40), np.arange(15_000) % 100])
    method = JointExponential((Fraction(3, 10), Fraction(7, 10)), ONE, 101, Neighbors.ADD_REMOVE, 1)
    for seed in range(20):
        assert method.decide(places, bits=SeededBits(seed)).tolist() == [40, 40]


@pytest.mark.parametrize("epsilon", [Fraction(1, 1000), Fraction(3), Fraction(1000)])
@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("size", [2, 101, 2**52 + 1])
def test_every_table_has_an_answer(epsilon, neighbors, size):
    """Empty, constant, at the ends, outside: nondecreasing places of the grid, and no error or warning."""
    method, bits = JointExponential(DECILES, epsilon, size, neighbors, 1), SeededBits(6)
    low, high = np.zeros(50, np.int64), np.full(50, size - 1)
    for places in (low[:0], low[:1], low, high, np.concatenate([low, high]), high + 5, low - 5):
        found = method.decide(places, bits=bits)
        assert found.shape == (9,)
        assert found[0] >= 0
        assert found[-1] < size
        assert np.all(np.diff(found) >= 0)


def test_answers_lie_on_the_public_grid_whatever_the_data():
    """All places of a small grid come for every table, so that no answer rules a table out."""
    method = JointExponential(HALF, Fraction(1, 10), 5, Neighbors.ADD_REMOVE, 1)
    bits = SeededBits(8)
    for table in ([], [0], [4, 4, 4], [1, 1, 3]):
        found = {int(method.decide(np.array(table, np.int64), bits=bits)[0]) for _ in range(200)}
        assert found == {0, 1, 2, 3, 4}


def test_the_price_and_the_words():
    """ε is the stated one; rounding and windows take less than a thousandth of it."""
    method = JointExponential(DECILES, ONE, 10**6, Neighbors.ADD_REMOVE, 1)
    assert method.event == PureDP(ONE)
    assert 0 < method.slack < Fraction(1, 1000)
    assert method.share == Fraction(2, 15)
    assert 2 * method.change * method.rate + method.share + method.slack == 1
    assert "at most 1." in method.argument
    assert "= 9/5" in asked(DECILES).argument
    assert "by at most 2" in asked(HALF, neighbors=Neighbors.REPLACE, share=None).argument


@pytest.mark.parametrize(
    ("neighbors", "share"),
    [(Neighbors.REPLACE, Fraction(1, 4)), (Neighbors.ADD_REMOVE, Fraction(2, 3)), (Neighbors.ADD_REMOVE, 0.1)],
)
def test_bad_shares_are_refused(neighbors, share):
    """A public count needs none; more than half is a mistake."""
    with pytest.raises(ParameterError):
        asked(PAIR, neighbors=neighbors, share=share)


def test_an_epsilon_below_rounding_is_refused():
    """A promise that rounding would break is not made."""
    with pytest.raises(ParameterError):
        asked(DECILES, Fraction(1, 2**28), share=None)


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), ONE, Fraction(2**20), Fraction(2**40)])
@pytest.mark.parametrize("n", [0, 1, 2, 101, 1000])
def test_the_floor_is_never_seen(epsilon, n):
    """All rows equal or none, on a grid of a million points: the floor has 2^-44 of all weights."""
    for neighbors in OF_TABLES:
        method = JointExponential(DECILES, epsilon, 10**6, neighbors, 1)
        ordered = np.sort(np.random.default_rng(1).integers(0, 2**32, n))
        _, log_odds = weigh(method, ordered, 10**6 << 32, n)
        assert log_odds == pytest.approx(-44 * log(2))


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("epsilon", [Fraction(40), Fraction(100), Fraction(2**20), Fraction(2**40), Fraction(2**64)])
def test_equal_rows_are_answered_at_every_large_epsilon(neighbors, epsilon):
    """Whether q·n is whole or not: every rank near it lies within the one value.

    An answer may differ where a weight e^(-ε/4) times a grid's places, or the floor, is drawn: below 1e-9 in all.
    """
    bits = SeededBits(5)
    for n in (11, 100, 101, 1003):
        for quantiles in (HALF, (Fraction(1, 3),), PAIR, (Fraction(1, 5), Fraction(1, 2), Fraction(5, 7))):
            method = JointExponential(quantiles, min(epsilon * len(quantiles), 2**64 * ONE), 121, neighbors, 1)
            assert set(method.decide(np.full(n, 30), bits=bits).tolist()) == {30}


def test_many_equal_rows_on_a_fine_grid_are_answered():
    """100,000 equal rows on 2^52 places share 1,024 fine ones: no rank near the half has a place of its own.

    A chain that looks only at near ranks finds none, and the answer was drawn without the data.
    """
    method = JointExponential(HALF, Fraction(2), 2**52, Neighbors.ADD_REMOVE, 1)
    assert method.decide(np.full(100_000, 30), bits=SeededBits(3)).tolist() == [30]
    tight = JointExponential(HALF, Fraction(2**20), 2**52, Neighbors.ADD_REMOVE, 1)
    assert tight.decide(np.full(100_000, 30), bits=SeededBits(3)).tolist() == [30]
