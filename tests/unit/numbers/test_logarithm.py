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


def test_equal_products_of_powers_are_recognized():
    # 12^4 = 2^8 * 3^4
    assert sign_of_logs([(4, 12), (-8, 2), (-4, 3)]) == 0


@pytest.mark.parametrize("step", [-1, 1])
def test_logarithms_that_agree_to_sixty_digits_are_told_apart(step):
    big = 10**60
    assert sign_of_logs([(1, big + step), (-1, big)]) == step


@pytest.mark.parametrize(("shift", "sign"), [("-0.6931471805599453094", 1), ("-0.6931471805599453095", -1)])
def test_a_logarithm_is_compared_with_a_rational_number(shift, sign):
    # ln 2 = 0.69314718055994530941…
    assert sign_of_logs([(1, 2)], Fraction(shift)) == sign


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 40)), max_size=5))
def test_the_sign_of_logarithms_is_that_of_the_product_of_powers(terms):
    over = math.prod(b**a for a, b in terms if a > 0)
    under = math.prod(b**-a for a, b in terms if a < 0)
    assert (over > under) - (over < under) == sign_of_logs(terms)
