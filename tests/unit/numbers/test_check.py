"""What may be asked for."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.numbers.check import as_whole, checked, checked_delta, positive, probability, whole


@pytest.mark.parametrize("value", [-1, 11, 2.0, True, np.True_, "3", None, np.float64(3)])
def test_what_is_no_integer_in_range_is_refused(value):
    with pytest.raises(ParameterError, match="n must be an integer from 0 to 10"):
        whole(value, "n", 0, 10)


def test_a_numpy_integer_is_an_integer():
    assert 3 == whole(np.int32(3), "n", 0, 10)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5", None, Decimal("0.5"), 1j])
def test_what_is_no_probability_is_refused(value):
    with pytest.raises(ParameterError, match=r"\[0, 1\]"):
        probability(value)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (0.1, Fraction(3602879701896397, 2**55)),
        (5e-324, Fraction(1, 2**1074)),
        (np.float32(0.5), Fraction(1, 2)),
        (np.int64(1), Fraction(1)),
        (Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_a_probability_is_taken_at_its_exact_value(value, exact):
    assert exact == probability(value)


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), np.float64("-inf"), False])
def test_what_is_not_positive_and_finite_is_refused(value):
    with pytest.raises(ParameterError, match="scale must be positive and finite"):
        positive(value, "scale")


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


@pytest.mark.parametrize("value", [True, 2.0, "3", 0, None])
def test_what_is_no_whole_number_in_range_is_refused(value):
    with pytest.raises(ParameterError, match="`k` must be a whole number >= 1"):
        as_whole("k", value, low=1)


def test_a_numpy_integer_is_a_whole_number():
    assert as_whole("k", np.int64(5), low=1) == 5
