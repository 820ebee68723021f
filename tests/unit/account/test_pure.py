"""Optimal composition against the enumeration of all losses; the bound for unequal ones is sound."""

import itertools
import math
from fractions import Fraction

import pytest

from sfumato.account.pure import advanced_composition, basic_composition, optimal_composition, root_up
from sfumato.errors import ParameterError
from sfumato.numbers.enclosure import exp_between


def slow_delta(epsilons, epsilon):
    """E[(1 - e^(ε - L))₊] over all 2^k signs."""
    total = []
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        loss = sum(s * e for s, e in zip(signs, epsilons, strict=True))
        chance = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, epsilons, strict=True))
        if loss > epsilon:
            total.append(chance * (1 - math.exp(epsilon - loss)))
    return math.fsum(total)


@pytest.mark.parametrize("delta", ["0.1", "1e-3", "1e-6"])
@pytest.mark.parametrize(
    "epsilons", [["0.1"] * 10, ["0.5"] * 8, ["0.1", "0.2", "0.7"], ["1", "0.25", "0.25", "0.25"], ["3"], ["1/3"] * 9]
)
def test_the_optimum_is_reached(epsilons, delta):
    """δ at the found ε is the asked one; just below it is more, unless ε is 0 or the sum."""
    listed = [Fraction(e) for e in epsilons]
    found = optimal_composition(listed, delta)
    numbers = [float(e) for e in listed]
    assert slow_delta(numbers, float(found)) <= float(Fraction(delta)) * (1 + 1e-9)
    if 0 < found < sum(listed):
        assert slow_delta(numbers, float(found) - 1e-6) > float(Fraction(delta))


def test_unequal_epsilons_without_a_common_step_are_bounded():
    """On the grid the total is at least the true one, and close."""
    listed = [Fraction(1, 10) + Fraction(i, 10007 * 7) for i in range(12)]
    found = float(optimal_composition(listed, "1e-4"))
    numbers = [float(e) for e in listed]
    assert slow_delta(numbers, found) <= 1e-4
    assert slow_delta(numbers, found * 0.999) > 1e-4


def test_order_of_totals():
    """Optimal <= advanced here, and optimal <= basic always."""
    listed = [Fraction(1, 10)] * 100
    assert optimal_composition(listed, "1e-6") < advanced_composition(listed, "1e-6") < basic_composition(listed)
    assert optimal_composition([Fraction(5)], "1e-6") <= 5


def test_advanced_has_its_logarithm():
    """Without ln(1/δ) it would not depend on δ: a broken twin gave 2.47 for this."""
    listed = [Fraction(1, 10)] * 100
    assert advanced_composition(listed, "1e-12") > advanced_composition(listed, "1e-6") > Fraction(6)


def test_small_deltas():
    """The optimum approaches the sum, from below, without noise of floats."""
    listed = [Fraction(1, 10)] * 100
    values = [optimal_composition(listed, Fraction(1, 10**k)) for k in (6, 30, 100, 250, 400)]
    assert values == sorted(values)
    assert Fraction(999, 100) < values[-1] <= 10


def test_long_lists_and_large_epsilons_do_not_overflow():
    """10 000 answers, and answers that protect nobody."""
    assert optimal_composition([Fraction(1, 100)] * 10_000, "1e-6") < 6
    assert 1990 < optimal_composition([Fraction(1000), Fraction(1000)], "1e-6") <= 2000


def test_zeros_cost_nothing():
    """Also an empty list."""
    assert optimal_composition([Fraction(0)] * 3, "1e-6") == optimal_composition([], "1e-6") == 0


def test_roots_round_up():
    """The square of the root is at least the number."""
    for x in (Fraction(2), Fraction(1, 3), Fraction(10**30), Fraction(1, 10**60)):
        assert x <= root_up(x) ** 2 <= x * (1 + Fraction(1, 10**25))


def test_refuses_delta_one_and_negative_epsilon():
    """By name."""
    with pytest.raises(ParameterError, match="`delta`"):
        optimal_composition([Fraction(1)], 1)
    with pytest.raises(ParameterError, match="`epsilon`"):
        basic_composition([Fraction(-1)])


def test_exponentials_of_the_drift_are_rounded_up():
    """The drift term is at least ε(e^ε - 1)."""
    one = advanced_composition([Fraction(1)], Fraction(999, 1000))
    assert one >= exp_between(Fraction(1))[0] - 1
