"""Exponentials and logarithms enclose the true value; decimals round to the asked side."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.numbers.check import checked, checked_delta
from sfumato.numbers.enclosure import exp_between, log_between
from sfumato.numbers.rounding import down, up

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


@pytest.mark.parametrize("delta", [0, 1, 1.0, "1", "0", -0.1, 2, "1e400"])
def test_an_impossible_delta_is_named(delta):
    """The message names delta (1 is a common slip)."""
    with pytest.raises(ParameterError, match="`delta` must be above 0 and below 1"):
        checked_delta(delta)


@pytest.mark.parametrize("delta", ["a", float("nan"), float("inf"), None])
def test_what_is_no_number_is_named(delta):
    """The message names delta here too."""
    with pytest.raises(ParameterError, match="`delta`"):
        checked_delta(delta)


def test_a_large_delta_works():
    """0.1 is a poor choice, and no error."""
    assert checked_delta(0.1) == Fraction(1, 10)


def test_zero_is_refused_only_where_it_must_be():
    """0 may be spent; a scale of 0 may not be used."""
    assert checked("rho", 0) == 0
    with pytest.raises(ParameterError, match="`scale` must be above 0"):
        checked("scale", 0, above_zero=True)


def test_numbers_next_to_one_and_far_exponents_stay_small():
    """1 ± 10⁻³⁰⁰ and e^-10¹² have short bounds on the right side."""
    tiny = Fraction(1, 10**300)
    assert log_between(1 + tiny)[0] == 0 < log_between(1 + tiny)[1] < Fraction(1, 10**58)
    assert log_between(1 - tiny)[1] == 0 > log_between(1 - tiny)[0]
    low, high = exp_between(Fraction(-(10**12)))
    assert low == 0 < high < Fraction(1, 10**8000)
    with pytest.raises(ParameterError, match="`epsilon`"):
        exp_between(Fraction(10**6))
