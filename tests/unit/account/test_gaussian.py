"""Exact δ(ε) of discrete Gaussian noise: against both laws summed the slow way, in Decimals."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.gaussian import gaussian_delta, gaussian_epsilon
from sfumato.errors import ParameterError


def slow_delta(epsilon, squared_scale, shift):
    """Σ (p - e^ε q)₊ over all outputs within 16 σ."""
    with localcontext() as context:
        context.prec = 50
        radius = int(16 * math.sqrt(squared_scale)) + shift + 4
        twice = 2 * Decimal(squared_scale)

        def weight(x):
            return (-Decimal(x * x) / twice).exp()

        total = sum(weight(x) for x in range(-radius, radius + 1))
        growth = Decimal(str(epsilon)).exp()
        outputs = range(-radius - shift, radius + shift + 1)
        return Fraction(sum(max(Decimal(0), weight(x) - growth * weight(x + shift)) for x in outputs) / total)


CASES = [(1, 16, 1), (0.5, 100, 3), (0.01, 2, 1), (0, 4, 1), (3, 0.25, 1), (1, 1, 3), (2, 400, 20), (6, 1, 1)]


@pytest.mark.parametrize(("epsilon", "squared_scale", "shift"), CASES)
def test_delta_is_that_of_the_two_laws(epsilon, squared_scale, shift):
    """Not below, and equal to 14 digits."""
    slow = slow_delta(epsilon, squared_scale, shift)
    found = gaussian_delta(epsilon, squared_scale, shift**2)
    assert slow * (1 - Fraction(1, 10**30)) <= found <= slow * (1 + Fraction(1, 10**14))


@pytest.mark.parametrize(("epsilon", "ratio"), [(0.5, 1.0), (1.0, 0.25), (0.05, 0.1), (5.0, 1.0)])
def test_large_scales_approach_continuous_noise(epsilon, ratio):
    """In blocks (σ = 10⁶) the result agrees with the closed form of continuous noise, and is not below it."""
    a, b = ratio / 2, epsilon / ratio
    closed = (math.erfc((b - a) / math.sqrt(2)) - math.exp(epsilon) * math.erfc((b + a) / math.sqrt(2))) / 2
    found = float(gaussian_delta(epsilon, 10**12, int(ratio * 10**6) ** 2))
    assert closed * (1 - 1e-5) <= found <= closed * (1 + 1e-3)


def test_blocks_bound_the_sum_of_all_terms():
    """Just above σ = 1024, where terms are first taken two by two, δ is not below what single terms give."""
    from sfumato.account import gaussian

    for m in (1, 700, 5000):
        square = Fraction(1500**2)
        low, high = gaussian._relative_sum(m, square, 2)
        exact_low, exact_high = gaussian._relative_sum(m, square, 1)
        assert low <= exact_high
        assert exact_low <= high
        assert exact_high - exact_low < exact_low / 10**20
        assert high - low < low / 10**6


@pytest.mark.parametrize("delta", ["0.1", "1e-6", "1e-30", "1e-200"])
@pytest.mark.parametrize("squared_scale", [1, 90])
def test_epsilon_keeps_delta(delta, squared_scale):
    """δ at the found ε is at most the asked one; at ε less 10⁻⁶ of it, it is more; zCDP says no less."""
    epsilon = gaussian_epsilon(delta, squared_scale, 1)
    assert gaussian_delta(epsilon, squared_scale, 1) <= Fraction(delta)
    assert epsilon <= cdp_epsilon(Fraction(1, 2 * squared_scale), delta)
    if epsilon > 0:
        assert gaussian_delta(epsilon * (1 - Fraction(1, 10**6)), squared_scale, 1) > Fraction(delta)


def test_monotone():
    """δ falls with ε and grows with the sensitivity."""
    falling = [gaussian_delta(Fraction(e, 4), 9, 1) for e in range(12)]
    growing = [gaussian_delta(1, 9, d * d) for d in range(12)]
    assert falling == sorted(falling, reverse=True)
    assert growing == sorted(growing)


def test_a_whole_number_moves_by_whole_numbers():
    """Δ² = 5 on one total is a move by 2."""
    assert gaussian_delta(1, 9, 5) == gaussian_delta(1, 9, 4) < gaussian_delta(1, 9, 9)


def test_no_move_costs_nothing():
    """Sensitivity 0, or below one."""
    assert gaussian_delta(0, 9, 0) == gaussian_delta(0, 9, "0.9") == gaussian_epsilon("1e-6", 9, 0) == 0


def test_refusals_name_the_number():
    """delta, squared_scale."""
    with pytest.raises(ParameterError, match="`delta`"):
        gaussian_epsilon(1, 1, 1)
    with pytest.raises(ParameterError, match="`squared_scale`"):
        gaussian_delta(1, 0, 1)
    with pytest.raises(ParameterError, match="coarser"):
        gaussian_delta(1, 10**80, 1)
