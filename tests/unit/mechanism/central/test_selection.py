"""The best of several candidates: output laws of all tiny scores, ties too, over all neighbors."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.central.selection_laws import LAWS, D, largest_loss

from sfumato.account.event import ApproxDP, Composed, PureDP
from sfumato.account.renyi import renyi_of_pure
from sfumato.errors import ParameterError
from sfumato.mechanism.central.selection import Chooser, Selection
from sfumato.testing.seeded_bits import SeededBits


def selection(chooser, *, monotone=False, k=1, epsilon=Fraction(1), candidates=D):
    return Selection(PureDP(epsilon), 1, monotone, candidates, chooser, k)


@pytest.mark.parametrize("chooser", Chooser)
def test_the_rate_of_monotone_scores_is_too_much_for_others(chooser):
    assert largest_loss(LAWS[chooser], float(selection(chooser, monotone=True).rate), False) > 1.2


@pytest.mark.parametrize("chooser", Chooser)
def test_f4_only_the_pure_epsilon_is_charged_and_it_bounds_the_renyi_cost(chooser):
    """Scores (0, 0) against (1, -1) at ε = 1, several orders."""
    chosen = selection(chooser, candidates=2)
    assert chosen.event == PureDP(Fraction(1))
    p, q = (np.array(LAWS[chooser](s, float(chosen.rate))) for s in ((0, 0), (1, -1)))
    for order in (1.5, 2, 8, 64):
        for a, b in ((p, q), (q, p)):
            renyi = math.log(float((a**order * b ** (1 - order)).sum())) / (order - 1)
            assert renyi <= renyi_of_pure(Fraction(order), Fraction(1))


@pytest.mark.parametrize("chooser", Chooser)
def test_f5_the_maximum_is_taken_not_the_minimum(chooser):
    chosen = selection(chooser, epsilon=Fraction(700), candidates=4)
    assert chosen.decide(np.array([0, 1, 2, 100]), bits=SeededBits(1)).tolist() == [3]


@pytest.mark.parametrize("scores", [(0, 0, 0), (2, 1, 1), (0, 3, 1)])
@pytest.mark.parametrize("chooser", Chooser)
def test_draws_follow_the_law(chooser, scores):
    """False alarm: 1e-6 each."""
    chosen, bits = selection(chooser, epsilon=Fraction(3, 2)), SeededBits(2)
    draws = [int(chosen.decide(np.array(scores), bits=bits)[0]) for _ in range(1000)]
    assert follows(draws, dict(enumerate(LAWS[chooser](scores, float(chosen.rate)))))


@pytest.mark.parametrize("chooser", Chooser)
def test_the_best_k_are_different_and_share_the_price(chooser):
    chosen = selection(chooser, k=3, epsilon=Fraction(900), candidates=5)
    assert chosen.decide(np.array([5, 400, 3, 200, -100]), bits=SeededBits(3)).tolist() == [1, 3, 0]
    assert chosen.event == Composed((PureDP(Fraction(300)),) * 3)
    assert chosen.rate == 150


@pytest.mark.parametrize("chooser", Chooser)
def test_error_bounds_hold(chooser):
    """Exactly, for all tiny scores."""
    chosen = selection(chooser, epsilon=Fraction(2))
    for scores in product(range(0, 10, 3), repeat=D):
        law = LAWS[chooser](scores, float(chosen.rate))
        gaps = [max(scores) - s for s in scores]
        assert sum(p * g for p, g in zip(law, gaps, strict=True)) <= chosen.expected_error_bound()
        for confidence in (0.5, 0.9):
            bound = chosen.error_bound(confidence)
            assert sum(p for p, g in zip(law, gaps, strict=True) if g <= bound) >= confidence - 1e-9


@pytest.mark.parametrize("chooser", Chooser)
def test_scores_of_any_size_are_chosen_from(chooser):
    chosen = selection(chooser)
    extremes = np.array([2**63 - 1, -(2**63), 0])
    assert chosen.decide(extremes, bits=SeededBits(4)).tolist() == [0]
    assert Selection(PureDP(Fraction(1, 10**6)), 1, False, 1, chooser).decide(
        np.array([7]), bits=SeededBits(5)
    ).tolist() == [0]


def test_parameters_outside_are_refused():
    good = {
        "price": PureDP(Fraction(1)),
        "sensitivity_of_scores": 1,
        "monotone": True,
        "candidates": 3,
        "chooser": Chooser.NOISY_MAX,
    }
    for wrong in (
        {"price": ApproxDP(Fraction(1), Fraction(1, 10))},
        {"price": PureDP(Fraction(0))},
        {"sensitivity_of_scores": 0},
        {"sensitivity_of_scores": 0.5},
        {"candidates": 0},
        {"k": 4},
        {"k": 0},
    ):
        with pytest.raises(ParameterError):
            Selection(**{**good, **wrong})
    for scores in (np.zeros(2, np.int64), np.zeros(3), np.zeros((3, 1), np.int64)):
        with pytest.raises(ParameterError, match="scores"):
            Selection(**good).decide(scores, bits=SeededBits(1))
