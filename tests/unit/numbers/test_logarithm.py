"""Logarithms that may be promised."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.numbers.logarithm import log_up, sign_of_logs


@given(st.integers(1, 10**30), st.integers(1, 10**30))
def test_it_is_the_least_float_not_below(a, b):
    found = log_up(Fraction(a, b))
    terms = [(1, Fraction(a, b).numerator), (-1, Fraction(a, b).denominator)]
    if a != b:
        assert sign_of_logs(terms, -Fraction(found)) <= 0
        assert sign_of_logs(terms, -Fraction(math.nextafter(found, -math.inf))) > 0
    assert found == pytest.approx(math.log(a) - math.log(b), abs=1e-12)


def test_ratios_beyond_the_range_of_floats_are_fine():
    assert log_up(Fraction(2**3000)) == pytest.approx(3000 * math.log(2), rel=1e-15)


def test_zero_is_refused():
    with pytest.raises(ParameterError, match="positive"):
        log_up(Fraction(0))
