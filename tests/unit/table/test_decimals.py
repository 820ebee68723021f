"""Exact whole numbers of a column, and their texts."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.table.attribute import bind
from sfumato.table.decimals import rounded_quotients, spelled, whole_numbers
from sfumato.table.schema import Column, Kind, Role


def column(kind, values, **more):
    return bind(Column("x", Role.SENSITIVE, kind, **more), values)


def test_quotients_are_those_of_fractions():
    rng = np.random.default_rng(7)
    a, b = rng.integers(-500, 500, 400).astype(object), rng.integers(1, 12, 400).astype(object)
    assert rounded_quotients(a, b).tolist() == [round(Fraction(x, y)) for x, y in zip(a, b, strict=True)]


@pytest.mark.parametrize(
    ("kind", "values", "wholes", "places"),
    [
        (Kind.INTEGER, ["-5", "7", None], [-5, 7, 0], 0),
        (Kind.INTEGER, ["100", "2e3"], [100, 2000], 0),
        (Kind.DECIMAL, ["0,5", "1e-3", "12.50"], [1, 500, 12500], 3),
        (Kind.DATE, ["1969-12-31", "1970-01-02", None], [-1, 1, 0], 0),
    ],
)
def test_values_are_exact_whole_numbers(kind, values, wholes, places):
    assert whole_numbers(column(kind, values)) == (wholes, places)


def test_texts_read_back_to_the_same_numbers():
    x = column(Kind.DECIMAL, ["0.5", "-1.25", "3"])
    wholes, places = whole_numbers(x)
    again = column(Kind.DECIMAL, spelled(x, wholes, places))
    assert whole_numbers(again) == (wholes, places)


def test_days_outside_the_calendar_are_its_ends():
    day = column(Kind.DATE, ["1970-01-01"])
    assert spelled(day, [-(10**9), 10**9], 0) == ["0001-01-01", "9999-12-31"]
