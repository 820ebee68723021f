"""Texts become numbers, or are refused with their count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import SchemaError
from sfumato.table.number import _position, in_order, positions
from sfumato.table.schema import Column, Kind, Role

INTEGER = Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER)
DECIMAL = Column("x", Role.QUASI_IDENTIFYING, Kind.DECIMAL)


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False).map(repr)), max_size=8))
def test_reading_at_once_equals_reading_one_by_one(values):
    slow = [np.nan if value is None else _position(DECIMAL, value) for value in values]
    np.testing.assert_array_equal(slow, positions(DECIMAL, values))


def test_a_decimal_comma_is_read_as_a_point():
    assert positions(DECIMAL, ["5,5", "2.25", None]).tolist()[:2] == [5.5, 2.25]


@pytest.mark.parametrize("text", ["1_000", "nan", "inf", "", "?", "1.5"])
def test_texts_that_are_no_whole_number_are_counted(text):
    with pytest.raises(SchemaError, match="1 distinct values do not"):
        positions(INTEGER, ["1", text])


def test_dates_count_days_in_the_declared_format():
    born = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d/%m/%Y")
    assert positions(born, ["02/01/1970"]).tolist() == [1.0]


def test_values_of_equal_number_are_ordered_by_text():
    assert in_order(DECIMAL, ["2", "1.0", "1", "10"]) == ["1", "1.0", "2", "10"]
