"""Numbers are read exactly, and hostile ones are refused before their digits are written out."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.numbers.exact import as_fraction, exact, plain, written
from sfumato.table.domain import Range

NUMBERS = {
    "0.1": 0.1, "1/3": Fraction(1, 3), "-2.50": Decimal("-2.50"), "7": np.int64(7), "0.25": np.float32(0.25), "1e300": 1e300,
}  # fmt: skip

FRACTIONS = st.fractions(0, 10**6, max_denominator=10**9)


def test_numbers_are_what_was_written():
    for text, number in NUMBERS.items():
        assert written(number) == written(text) == Fraction(text) == exact("epsilon", number)
    assert written(5e-324) == Fraction("5e-324")


@pytest.mark.parametrize(
    "text",
    ["1e999999999", "-1E+99999", "1e-999999999 ", "9" * 10**6, "1/" + "9" * 10**6, "0." + "1" * 5000, "1e4_0_1",
     "x", "", "nan", "inf", "1/0", True, None, 10**5000, float("nan")],
    ids=lambda text: str(text)[:12] if isinstance(text, str) else type(text).__name__,
)  # fmt: skip
def test_what_is_no_number_or_longer_than_any_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011
        written(text)
    with pytest.raises(ParameterError):
        Range(0, text, 1)
    with pytest.raises(ParameterError):
        exact("epsilon", text)


def test_a_range_of_too_many_steps_is_refused_in_words():
    with pytest.raises(ParameterError, match="got more than"):
        Range(0, 10**350, 1)


def test_a_float_stands_for_its_shortest_decimal_text():
    assert as_fraction("t", 0.1, low=0) == Fraction(1, 10)


@pytest.mark.parametrize("value", [True, math.nan, math.inf, "many", "1/0", None, -0.1, 1.5, "2"])
def test_what_is_no_number_in_range_is_refused(value):
    with pytest.raises(ParameterError, match="`t` must be a number between 0 and 1"):
        as_fraction("t", value, low=0, high=1)


@given(st.one_of(FRACTIONS, st.floats(0, 1e300)))
def test_a_plain_number_is_read_back_exactly(value):
    exact = as_fraction("x", value, low=0)
    assert as_fraction("x", plain(exact), low=0) == exact
