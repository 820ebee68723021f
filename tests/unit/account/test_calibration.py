"""Scales keep their promise, are the least of their grid, and can be drawn at."""

import math
from fractions import Fraction

import pytest

from sfumato.account.calibration import gaussian_scale, scale_for_rho
from sfumato.account.concentrated import cdp_epsilon, rho_for
from sfumato.account.gaussian import gaussian_delta
from sfumato.errors import ParameterError

CASES = [(1, "1e-6", 1), ("0.1", "1e-9", 1), (10, "1e-6", 4), (1, "1e-60", 9), (1, "0.1", 1), (1, "1e-6", 10**8)]


@pytest.mark.parametrize(("epsilon", "delta", "square"), CASES)
def test_one_total_is_kept_exactly(epsilon, delta, square):
    """δ at the scale is at most the asked one, and a step of the grid smaller would break it."""
    found = gaussian_scale(epsilon, delta, square, coordinates=1)
    assert gaussian_delta(epsilon, found, square) <= Fraction(delta)
    assert gaussian_delta(epsilon, found * (1 - Fraction(1, 2000)), square) > Fraction(delta)


@pytest.mark.parametrize(("epsilon", "delta", "square"), CASES)
def test_several_totals_go_through_rho(epsilon, delta, square):
    """Δ²/2σ² is at most the allowed ρ, nearly equal to it, and never less noise than for one total."""
    found = gaussian_scale(epsilon, delta, square, coordinates=3)
    rho = square / (2 * found)
    assert cdp_epsilon(rho, delta) <= Fraction(epsilon)
    assert rho >= rho_for(epsilon, delta) * Fraction(999, 1000)
    assert found >= gaussian_scale(epsilon, delta, square, coordinates=1)


def test_scales_are_squares_of_short_binary_numbers():
    """The sampler takes σ, so σ must be rational, with few digits."""
    for square in (gaussian_scale(1, "1e-6", 1, coordinates=1), scale_for_rho("0.07", 3)):
        roots = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
        assert roots**2 == square
        assert roots.denominator & (roots.denominator - 1) == 0
        assert roots.numerator < 2**16


def test_rho_is_never_exceeded():
    """Δ²/2σ² <= ρ over many magnitudes, within a thousandth."""
    for exponent in range(-12, 13):
        rho = Fraction(7) * Fraction(10) ** exponent
        assert rho * Fraction(999, 1000) <= Fraction(5) / (2 * scale_for_rho(rho, 5)) <= rho


def test_monotone():
    """More ε or more δ needs no more noise."""
    by_epsilon = [gaussian_scale(e, "1e-6", 1, coordinates=1) for e in (1, 2, 4, 8)]
    by_delta = [gaussian_scale(1, d, 1, coordinates=1) for d in ("1e-9", "1e-6", "1e-3", "0.1")]
    assert by_epsilon == sorted(by_epsilon, reverse=True)
    assert by_delta == sorted(by_delta, reverse=True)


@pytest.mark.parametrize("delta", [1, 0, 1.0])
def test_an_impossible_delta_is_named(delta):
    """delta = 1 is refused by name."""
    with pytest.raises(ParameterError, match="`delta`"):
        gaussian_scale(1, delta, 1, coordinates=1)


@pytest.mark.parametrize("coordinates", [0, True, 1.5])
def test_coordinates_are_counted(coordinates):
    """A whole number from 1."""
    with pytest.raises(ParameterError, match="`coordinates`"):
        gaussian_scale(1, "1e-6", 1, coordinates=coordinates)
