"""Rényi divergences are those of the laws, summed the slow way, and conversions are never too small."""

import math
from fractions import Fraction

import pytest

from sfumato.account.renyi import epsilon_at_order, order_for, renyi_of_laplace, renyi_of_pure
from sfumato.errors import ParameterError

ORDERS = [Fraction(3, 2), Fraction(2), Fraction(8), Fraction(64)]


def divergence(p, q, order):
    """D_α the slow way, in logarithms."""
    terms = [order * math.log(a) + (1 - order) * math.log(b) for a, b in zip(p, q, strict=True)]
    top = max(terms)
    return (top + math.log(math.fsum(math.exp(t - top) for t in terms))) / (order - 1)


def laplace(scale, shift, radius):
    """Discrete Laplace probabilities around a shift."""
    q = math.exp(-1 / scale)
    return [(1 - q) / (1 + q) * q ** abs(x - shift) for x in range(-radius, radius + 1)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(5)])
def test_pure_is_randomized_response(order, epsilon):
    """The bound is reached by the two-point law with odds e^ε."""
    p = 1 / (1 + math.exp(-epsilon))
    slow = divergence([p, 1 - p], [1 - p, p], float(order))
    assert float(renyi_of_pure(order, epsilon)) == pytest.approx(slow, rel=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("scale", "shift"), [(1, 1), (3, 1), (3, 2), (5, 9)])
def test_laplace_is_the_sum_over_all_outputs(order, scale, shift):
    """The closed form against 800 outputs."""
    slow = divergence(laplace(scale, 0, 400), laplace(scale, shift, 400), float(order))
    found = renyi_of_laplace(order, Fraction(scale), shift)
    assert float(found) == pytest.approx(slow, rel=1e-9)
    assert found <= renyi_of_pure(order, Fraction(shift, scale))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("split", [(1, 1), (2, 3), (1, 1, 4), (5, 5)])
def test_one_coordinate_is_the_worst_split(order, split):
    """A sensitivity spread over several totals never diverges more."""
    spread = sum(renyi_of_laplace(order, Fraction(3), part) for part in split)
    assert spread <= renyi_of_laplace(order, Fraction(3), sum(split)) * (1 + Fraction(1, 10**12))


def test_divergences_grow_with_order_and_epsilon():
    """Monotone in both."""
    values = [[renyi_of_pure(order, Fraction(e, 10)) for e in (1, 5, 20)] for order in ORDERS]
    assert all(row == sorted(row) for row in values)
    assert all(list(column) == sorted(column) for column in zip(*values, strict=True))


def test_divergence_lies_below_epsilon_and_the_concentrated_bound():
    """D_α <= min(ε, αε²/2)."""
    for order in ORDERS:
        for epsilon in (Fraction(1, 10**9), Fraction(1, 10), Fraction(3), Fraction(500)):
            assert renyi_of_pure(order, epsilon) <= min(epsilon, order * epsilon**2 / 2) * (1 + Fraction(1, 10**12))


def test_no_sensitivity_costs_nothing():
    """0, exactly."""
    assert renyi_of_laplace(Fraction(2), Fraction(1), 0) == renyi_of_pure(Fraction(2), Fraction(0)) == 0


def test_the_best_order_is_best_on_a_grid():
    """No order of a fine grid beats the one that was found by more than 1e-9."""
    delta = Fraction(1, 10**6)
    for rho in (Fraction(1, 1000), Fraction(1, 2), Fraction(40)):
        order = order_for(lambda a, rho=rho: a * float(rho), delta)
        best = epsilon_at_order(order, order * rho, delta)
        for i in range(-60, 100):
            other = 1 + Fraction(math.exp(i / 10))
            assert epsilon_at_order(other, other * rho, delta) >= best * (1 - Fraction(1, 10**9))


def test_conversion_never_gives_a_negative_epsilon():
    """A delta close to 1 gives 0, not less."""
    assert epsilon_at_order(Fraction(2), Fraction(1, 10**6), Fraction(99, 100)) == 0


def test_conversion_refuses_delta_one():
    """And says so."""
    with pytest.raises(ParameterError, match="delta"):
        epsilon_at_order(Fraction(2), Fraction(1), Fraction(1))
