"""What may be asked for."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.numbers.check import positive, probability, whole


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
