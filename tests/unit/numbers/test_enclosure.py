"""Enclosures hold the true value, and decimals round to the asked side."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import law
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.numbers.enclosure import (
    complement_bound,
    down,
    exp_between,
    exp_bound,
    floors,
    log_between,
    ratio_bound,
    round_down,
    round_up,
    up,
)

EXPONENTS = [Fraction(1), Fraction(1, 3), Fraction(700), Fraction(1, 2**52), Fraction(5e-324), Fraction(2**60)]

FRACTIONS = st.fractions(0, 10**6, max_denominator=10**9)


@law
@given(
    st.one_of(
        st.sampled_from(EXPONENTS),
        st.fractions(min_value=Fraction(1, 10**6), max_value=300, max_denominator=10**6),
        st.floats(min_value=1e-300, max_value=1e3).map(Fraction),
    ),
    st.integers(1, 400),
)
def test_the_exponential_lies_in_its_bound(x, w):
    """Against the decimal library, at 240 digits."""
    low, high = exp_bound(x, w)
    assert 0 <= low < high <= 1 << w
    assert low <= exp(-x) * 2**w < high or (x < Fraction(1, 10**60) and (1 << w) == high)


@pytest.mark.parametrize("w", [1, 8, 64, 333])
@pytest.mark.parametrize("share", [Fraction(1, 4), Fraction(2, 3), Fraction(7, 10), Fraction(99, 100), Fraction(1)])
def test_exponentials_near_the_last_bit_lie_in_their_bound(w, share):
    """2^w e^-x is 1 at x = 0.693 w."""
    low, high = exp_bound(share * w, w)
    assert low <= exp(-share * w) * 2**w < high


@pytest.mark.parametrize("x", EXPONENTS)
@pytest.mark.parametrize("w", [8, 64, 333])
def test_the_bound_is_tight(x, w):
    low, high = exp_bound(x, w)
    assert high - low <= 2


@law
@given(st.fractions(Fraction(1, 100), 50, max_denominator=1000), st.integers(1, 300))
def test_floors_are_the_integer_parts(x, k):
    assert [int(exp(-x) * 2**k)] == floors(lambda w: [exp_bound(x, w)], k)


def test_the_integer_part_of_a_number_hardly_below_one_is_known():
    """1 - e^(-2^1074): no precision would separate it from 1."""
    tiny = Fraction(2) ** 1074
    assert [2**64 - 1] == floors(lambda w: [complement_bound(exp_bound(tiny, w), w)], 64)


@law
@given(st.integers(0, 99), st.integers(1, 100), st.integers(101, 200), st.integers(1, 60))
def test_a_ratio_lies_in_its_bound(low, more, bottom, w):
    """Both corners of the box of numerator and denominator."""
    least, most = ratio_bound((low, low + more), (bottom + 100, bottom + 101), w)
    assert least <= Fraction(low, bottom + 101) * 2**w
    assert Fraction(low + more, bottom + 100) * 2**w <= most


NUMBERS = st.fractions(-200, 200, max_denominator=10**6)


@given(NUMBERS)
def test_bounds_enclose_the_exponential_to_more_digits(x):
    """A twin with 120 digits lies strictly between."""
    low, high = exp_between(x)
    with localcontext() as context:
        context.prec = 120
        true = Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp())
    assert low <= true <= high
    assert high - low <= true / 10**50


@given(st.fractions(Fraction(1, 10**9), 10**9))
def test_bounds_enclose_the_logarithm(x):
    """e to the lower bound is at most x, e to the upper one at least."""
    low, high = log_between(x)
    assert exp_between(low)[0] <= x <= exp_between(high)[1]
    assert high - low < Fraction(1, 10**50)


@given(NUMBERS, st.integers(1, 30))
def test_decimals_round_to_the_asked_side(x, digits):
    """down <= x <= up, no further apart than one unit of the last digit."""
    assert down(x, digits) <= x <= up(x, digits)
    assert up(x, digits) - down(x, digits) <= abs(x) * Fraction(10) ** (1 - digits)


def test_the_callers_decimal_context_does_not_matter():
    """Three digits outside do not make the bounds worse, and are still set afterwards."""
    with localcontext() as context:
        context.prec = 3
        low, high = exp_between(Fraction(1))
        assert context.prec == 3
    assert high - low < Fraction(1, 10**50)


def test_numbers_next_to_one_and_far_exponents_stay_small():
    """1 ± 10⁻³⁰⁰ and e^-10¹² have short bounds on the right side."""
    tiny = Fraction(1, 10**300)
    assert log_between(1 + tiny)[0] == 0 < log_between(1 + tiny)[1] < Fraction(1, 10**58)
    assert log_between(1 - tiny)[1] == 0 > log_between(1 - tiny)[0]
    low, high = exp_between(Fraction(-(10**12)))
    assert low == 0 < high < Fraction(1, 10**8000)
    with pytest.raises(ParameterError, match="`epsilon`"):
        exp_between(Fraction(10**6))


@given(FRACTIONS)
def test_rounding_keeps_to_its_side_and_to_the_nearest_float(number):
    up, down = round_up(number), round_down(number)
    assert Fraction(repr(down)) <= number <= Fraction(repr(up))
    assert up <= math.nextafter(float(number), math.inf)
    assert down >= math.nextafter(float(number), -math.inf)


@given(FRACTIONS)
def test_rounding_strictly_never_gives_the_number_itself(number):
    assert Fraction(repr(round_up(number, strictly=True))) > number
