"""Figures are spelled so that nobody reads them as better than they are."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.report.number import ABSENT, NBSP, Toward, count, exact, figure, measured, number, share, toward_worse


def value_of(text: str) -> Fraction:
    """A spelled share read back as a fraction."""
    return Fraction(text.removesuffix(f"{NBSP}%").replace(",", "")) / 100


@given(st.floats(1e-6, 1.0))
def test_a_share_rounded_up_is_never_below_the_value(value):
    assert value_of(share(value, Toward.UP)) >= Fraction(repr(value))


@given(st.floats(1e-6, 1.0))
def test_a_share_rounded_down_is_never_above_the_value(value):
    assert value_of(share(value, Toward.DOWN)) <= Fraction(repr(value))


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_larger_risk_is_never_spelled_smaller(a, b):
    low, high = sorted((max(a, 1e-6), max(b, 1e-6)))
    assert value_of(share(low, Toward.UP)) <= value_of(share(high, Toward.UP))


@given(st.floats(1e-9, 1e9))
def test_a_number_keeps_its_rounding_direction(value):
    up, down = (Fraction(number(value, t).replace(",", "")) for t in (Toward.UP, Toward.DOWN))
    assert down <= Fraction(repr(value)) <= up


def test_a_risk_just_above_a_fifth_is_not_shown_as_a_fifth():
    assert share(0.2004, Toward.UP) == f"20.04{NBSP}%"
    assert share(0.200001, Toward.UP) == f"20.01{NBSP}%"
    assert share(0.2, Toward.UP) == f"20{NBSP}%"


def test_a_tiny_share_is_never_shown_as_zero():
    assert share(1e-9, Toward.UP) == f"<{NBSP}0.0001{NBSP}%"
    assert share(1e-9, Toward.DOWN) == f">{NBSP}0{NBSP}%"
    assert share(0.0, Toward.UP) == f"0{NBSP}%"


def test_a_share_below_one_is_never_rounded_down_to_all():
    assert share(0.999999, Toward.DOWN) == f"99.99{NBSP}%"


def test_rounded_shares_keep_their_digits_and_exact_ones_do_not():
    assert share(0.54197, Toward.UP) == f"54.20{NBSP}%"
    assert share(0.542, Toward.UP) == f"54.2{NBSP}%"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1.0, None, f"100{NBSP}%"), (1, None, "1"), (1.0, "count", "1"), (0.25, "number", "0.25"), (None, None, ABSENT)],
)
def test_a_figure_is_a_share_only_where_it_is_one(value, unit, text):
    assert figure(value, unit, Toward.UP) == text


def test_infinite_numbers_are_shown_as_such():
    assert number(float("inf"), Toward.UP) == "∞"
    assert number(float("-inf"), Toward.UP) == "−∞"
    assert number(float("nan"), Toward.UP) == ABSENT


def test_a_measured_promise_is_rounded_toward_what_was_promised():
    assert measured(4.99999, {"k": 4}) == "4.999"
    assert measured(0.100001, {"t": 0.2}) == "0.1001"


def test_a_measured_promise_on_neither_side_keeps_every_digit():
    assert measured(2.123456789, {"c": 3, "l": 2}) == "2.123456789"


def test_class_sizes_are_exact():
    assert count(3218) == "3,218"
    assert count(None) == ABSENT


def test_parameters_are_not_rounded():
    assert exact(0.123456789) == "0.123456789"
    assert exact({"a": [1, True]}) == "a = 1, yes"


def test_higher_is_better_rounds_down():
    assert toward_worse("higher") is Toward.DOWN
    assert toward_worse("lower") is Toward.UP
