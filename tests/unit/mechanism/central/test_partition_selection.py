"""Keys of the table: the exact δ, by enumeration of all outputs of tiny tables."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from tests.unit.mechanism.central.partition_laws import chance_law, group_law, worst

from sfumato.account.event import ApproxDP, PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.optimal_selection import OptimalSelection, optimal_chances
from sfumato.mechanism.central.partition_selection import (
    ThresholdSelection,
    any_of,
    delta_at_threshold,
    least_threshold,
)
from sfumato.mechanism.central.tail import laplace_tail
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ROW, EXCHANGED = Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE)
TWO_KEYS = Unit(Neighbors.ADD_REMOVE, "who", rows=1, keys=2)


@pytest.mark.parametrize("unit", [ROW, TWO_KEYS, EXCHANGED], ids=["row", "two keys", "exchanged"])
def test_the_stated_delta_is_the_largest_of_all_neighbors(unit):
    """Reached by persons who add groups of their own; for exchanged rows the statement is an upper bound."""
    selection = ThresholdSelection(unit, ApproxDP(Fraction(1), Fraction(1, 50)))
    stated = float(selection.event.delta)
    found = worst(unit, 2, lambda n: group_law(n, selection.scale, selection.threshold, selection.threshold + 6))
    assert found <= stated + 1e-12
    if unit.neighbors is Neighbors.ADD_REMOVE:
        assert found == pytest.approx(stated)


def test_a_delta_without_the_mass_at_the_threshold_is_caught():
    """P(1 + noise > 5) would be .00493; the truth is .01339."""
    claimed = float(laplace_tail(Fraction(1), 5))
    assert claimed == pytest.approx(0.004926, abs=1e-6)
    found = worst(ROW, 1, lambda n: group_law(n, 1.0, 5, 12))
    assert found == pytest.approx(0.013390, abs=1e-6)
    assert found > claimed


def test_delta_of_scale_1_and_threshold_5():
    assert float(delta_at_threshold(Fraction(1), 5, 1)) == pytest.approx(math.exp(-4) / (1 + math.exp(-1)), rel=1e-12)


@pytest.mark.parametrize("groups", [1, 2, 5])
@pytest.mark.parametrize("delta", ["1/10", "1/1000000", "1e-12"])
def test_the_threshold_is_the_least(groups, delta):
    for scale in (Fraction(1, 700), Fraction(3), Fraction(10**6)):
        threshold = least_threshold(scale, groups, Fraction(delta))
        assert delta_at_threshold(scale, threshold, groups) <= Fraction(delta)
        assert threshold == 2 or delta_at_threshold(scale, threshold - 1, groups) > Fraction(delta)


def test_the_chance_of_any_is_bounded_from_above():
    for groups in range(1, 9):
        for p in (Fraction(1, 1000), Fraction(1, 3), Fraction(1)):
            assert 1 - (1 - p) ** groups <= any_of(p, groups) <= groups * p


def test_f22_a_rare_category_is_named_with_probability_delta():
    """200 000 draws of a group with one person; expected 0.0134 each; false alarm below 1e-6."""
    selection = ThresholdSelection(ROW, ApproxDP(Fraction(1), Fraction(2, 100)))
    p, n = float(selection.event.delta), 200_000
    named = len(selection.decide(np.ones(n, np.int64), confidence=0.9, bits=SeededBits(1)).places)
    assert abs(named - n * p) < 5 * math.sqrt(n * p)
    assert len(selection.decide(np.zeros(n, np.int64), confidence=0.9, bits=SeededBits(2)).places) == 0


def test_kept_numbers_reach_the_threshold_and_stay_in_order():
    selection = ThresholdSelection(TWO_KEYS, ApproxDP(Fraction(1), Fraction(1, 10**6)))
    out = selection.decide(np.array([10**6, 1, 500]), confidence=0.95, bits=SeededBits(3))
    assert out.places.tolist() == [0, 2]
    assert out.persons.values.min() >= selection.threshold


def test_f7_no_keys_give_no_groups():
    for selection in (
        ThresholdSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 100))),
        OptimalSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 100))),
    ):
        extra = {"confidence": 0.9} if isinstance(selection, ThresholdSelection) else {}
        assert selection.decide(np.zeros(0, np.int64), bits=SeededBits(1), **extra).places.tolist() == []


def test_optimal_selection_is_the_best_for_one_group():
    """No chance could be larger without breaking one of the two inequalities with the one before."""
    chances = [c / 2**64 for c in optimal_chances(Fraction(1), Fraction(1, 10**4))]
    for before, now in pairwise(chances):
        best = min(math.e * before + 1e-4, 1 - (1 - before - 1e-4) / math.e, 1)
        assert now <= best + 1e-15
        assert now == pytest.approx(best, rel=1e-12)


def test_chances_larger_by_a_part_in_ten_are_caught():
    selection = OptimalSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 50)))
    more = [min(1.0, 1.1 * selection.chance(i)) for i in range(9)]
    assert worst(ROW, 1, lambda n: chance_law(n, more)) > 0.0201


def test_optimal_selection_names_more_than_the_threshold():
    price = ApproxDP(Fraction(1), Fraction(1, 10**6))
    optimal, threshold = OptimalSelection(ROW, price), ThresholdSelection(ROW, price)
    for n in range(1, 60):
        assert optimal.chance(n) >= float(laplace_tail(threshold.scale, threshold.threshold - n)) - 1e-12


def test_draws_follow_the_chances():
    """False alarm below 1e-6."""
    selection, n = OptimalSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 100))), 20_000
    for persons in (0, 1, 2, 3, 4, 20):
        p = selection.chance(persons)
        named = len(selection.decide(np.full(n, persons), bits=SeededBits(persons)).places)
        assert abs(named - n * p) <= 5 * math.sqrt(n * p * (1 - p))


@pytest.mark.parametrize(
    "price", [PureDP(Fraction(1)), ApproxDP(Fraction(0), Fraction(1, 10)), ApproxDP(Fraction(1), Fraction(0))]
)
@pytest.mark.parametrize("kind", [ThresholdSelection, OptimalSelection])
def test_keys_need_an_epsilon_and_a_delta(kind, price):
    with pytest.raises(ParameterError, match="delta"):
        kind(ROW, price)


def test_optimal_selection_with_a_tiny_epsilon_is_refused_at_once():
    with pytest.raises(ParameterError, match="ThresholdSelection"):
        OptimalSelection(ROW, ApproxDP(Fraction(1, 10**6), Fraction(1, 10**9)))


@pytest.mark.parametrize("epsilon", [100, 1500, 10**4, 2**40])
def test_a_delta_that_is_nearly_none_is_written_in_few_digits(epsilon):
    """However large the epsilon, what is charged can be written down, and is no more than was offered."""
    for delta in (Fraction(1, 10**6), Fraction(1, 10**60)):
        charged = ThresholdSelection(ROW, ApproxDP(Fraction(epsilon), delta)).event.delta
        assert 0 < charged <= delta
        assert charged.denominator <= 10**75
