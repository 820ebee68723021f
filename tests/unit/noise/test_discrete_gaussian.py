"""Gaussian noise on the integers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, law
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.noise.discrete_gaussian import _exponents, discrete_gaussian, exponent, proposal_scale
from sfumato.testing.seeded_bits import SeededBits

SIGMAS = st.fractions(Fraction(1, 100), 1000, max_denominator=100)


@law
@given(SIGMAS, st.integers(-10_000, 10_000))
def test_what_is_kept_has_the_asked_law(sigma, y):
    """Exactly: |y|/t + exponent = y²/(2σ²) + a constant."""
    constant = exponent(0, sigma)
    assert Fraction(abs(y)) / proposal_scale(sigma) + exponent(y, sigma) == y**2 / (2 * sigma**2) + constant


@law
@given(st.one_of(SIGMAS, st.floats(1e-3, 2.0**51).map(Fraction)), st.floats(-9, 9))
def test_exponents_in_floats_are_near_enough(sigma, deviations):
    """e^-x is right within 2⁻³⁶, as the coins demand."""
    y = round(deviations * float(sigma))
    rough = Fraction(float(np.exp(-_exponents(np.array([y]), sigma)[0])))
    assert abs(rough - exp(-exponent(y, sigma))) < Fraction(1, 2**36)


@pytest.mark.parametrize("sigma", [5e-324, 1e-300, Fraction(1, 10**500), 0.01])
def test_tiny_parameters_give_zero(sigma):
    assert not discrete_gaussian(1000, sigma, bits=SeededBits(1)).any()


def test_the_largest_parameter_has_its_deviation():
    """The standard deviation over 10⁵ draws errs by 1/447 of itself: 7 of them."""
    drawn = discrete_gaussian(100_000, 2**51, bits=SeededBits(1))
    assert abs(drawn.std() / 2**51 - 1) < 7 / 447


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_as_many_as_asked(n):
    assert (n,) == discrete_gaussian(n, 2.5, bits=SeededBits(1)).shape


@pytest.mark.parametrize("sigma", [0, -1, float("nan"), float("inf"), 2**51 + 1])
def test_wrong_parameters_are_refused(sigma):
    with pytest.raises(ParameterError, match="sigma"):
        discrete_gaussian(1, sigma, bits=NoBits())
