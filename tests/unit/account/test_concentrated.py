"""Conversions of zCDP: against a slow twin, in the safe direction, and inverse to each other."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.account.concentrated import cdp_delta, cdp_epsilon, rho_for
from sfumato.errors import ParameterError

RHOS = st.fractions(Fraction(1, 10**6), 100, max_denominator=10**6)
DELTAS = st.integers(1, 40).map(lambda k: Fraction(1, 10**k))


def slow_delta(rho, epsilon):
    """The least of the formula on 40 000 orders."""
    best = 0.0
    for i in range(-20000, 20000):
        u = i / 1000
        a = 1 + math.exp(u)
        best = min(best, (a - 1) * (a * rho - epsilon) + a * (u - math.log(a)) - u)
    return math.exp(best)


@pytest.mark.parametrize(("rho", "epsilon"), [(0.5, 5.0), (0.01, 0.5), (3.0, 20.0), (1e-4, 0.05)])
def test_delta_is_the_least_of_the_formula(rho, epsilon):
    """Equal to the grid search, and not below by more than the grid is coarse."""
    assert float(cdp_delta(rho, epsilon)) == pytest.approx(slow_delta(rho, epsilon), rel=1e-5)


@settings(max_examples=60)
@given(RHOS, DELTAS)
def test_directions_of_rounding(rho, delta):
    """δ at the ε of a δ is at most a hair more than it; ρ for an ε never promises more than ε."""
    epsilon = cdp_epsilon(rho, delta)
    if epsilon > 0:
        assert cdp_delta(rho, epsilon) <= delta * (1 + Fraction(1, 10**9))
        allowed = rho_for(epsilon, delta)
        assert cdp_epsilon(allowed, delta) <= epsilon
        assert rho * (1 - Fraction(1, 10**9)) <= allowed <= rho * (1 + Fraction(1, 10**9))


@settings(max_examples=30)
@given(RHOS, DELTAS)
def test_monotone(rho, delta):
    """More ρ or less δ costs more ε."""
    epsilon = cdp_epsilon(rho, delta)
    assert cdp_epsilon(rho * 2, delta) >= epsilon
    assert cdp_epsilon(rho, delta / 2) >= epsilon


def test_better_than_the_simple_conversion():
    """ρ + 2 sqrt(ρ ln(1/δ)) is never smaller (Bun and Steinke 2016, proposition 1.3)."""
    for rho in (0.001, 0.5, 5.0):
        assert float(cdp_epsilon(rho, "1e-6")) < rho + 2 * math.sqrt(rho * math.log(1e6))


def test_not_below_the_exact_epsilon_of_gaussian_noise():
    """ρ = 1/2 is Gaussian noise with σ = Δ, whose δ(ε) is known in closed form."""
    epsilon = float(cdp_epsilon("0.5", "1e-6"))
    exact = (
        math.erfc((epsilon - 0.5) / math.sqrt(2)) - math.exp(epsilon) * math.erfc((epsilon + 0.5) / math.sqrt(2))
    ) / 2
    assert exact < 1e-6


def test_deltas_below_all_floats():
    """1e-400 is no float, and no problem."""
    epsilon = cdp_epsilon("0.5", Fraction(1, 10**400))
    assert 40 < epsilon < 45
    assert cdp_delta("0.5", epsilon) <= Fraction(1, 10**400) * (1 + Fraction(1, 10**9))


def test_nothing_spent_promises_everything():
    """ρ = 0 is ε = 0 and δ = 0."""
    assert cdp_epsilon(0, "1e-6") == cdp_delta(0, 0) == 0


def test_large_deltas_work():
    """delta = 0.1 has an answer, never a negative one."""
    assert cdp_epsilon("1e-6", 0.1) == 0
    assert 0 < cdp_epsilon(1, 0.1) < 4
    assert cdp_delta(100, 0) == 1


@pytest.mark.parametrize("call", [lambda: cdp_epsilon(1, 1), lambda: rho_for(1, 1.0), lambda: rho_for(1, 0)])
def test_impossible_deltas_are_named(call):
    """delta = 1 and delta = 0 are refused by name."""
    with pytest.raises(ParameterError, match="`delta`"):
        call()


def test_impossible_rho_and_epsilon_are_named():
    """Negative numbers too."""
    with pytest.raises(ParameterError, match="`rho`"):
        cdp_epsilon(-1, "1e-6")
    with pytest.raises(ParameterError, match="`epsilon`"):
        rho_for(0, "1e-6")
