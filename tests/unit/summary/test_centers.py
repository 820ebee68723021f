"""Columns of centers: not understood, or at face value."""

import numpy as np
import pytest

from sfumato.summary.centers import at_face_value, center_positions, unread
from sfumato.summary.classes import Classes
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def release(labels, values=("17", "20", "37", None)):
    """A released column of ages, one row of each label."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), values)
    town = bind(Column("town", Role.QUASI_IDENTIFYING), ["a", "b"])
    ones = np.ones(len(labels), np.int64)
    codes = np.stack([np.arange(len(labels)), np.zeros(len(labels), np.int64)], axis=1)
    return read_published([age, town], [labels, ["a"]], Classes(codes, ones, ones))


def test_centers_are_not_understood_even_where_they_are_values():
    table = unread(release(["17", "18.5", "*", None]), ["age"])
    assert table.spans[0].n_leaves.tolist() == [0, 0, 4, 1]
    assert table.not_understood == (2, 0)
    assert table.spans[1].n_leaves.tolist() == [1]


def test_without_columns_of_centers_nothing_changes():
    table = release(["17", "[17, 20]"])
    for read in (unread(table, ()), at_face_value(table, ())):
        assert read.spans[0].n_leaves.tolist() == table.spans[0].n_leaves.tolist() == [1, 2]


def test_at_face_value_each_center_is_its_nearest_value():
    labels = ["16", "18.4", "18.6", "28", "29", "99", "*", None]
    table = at_face_value(release(labels), ["age"])
    assert table.spans[0].low[:6].tolist() == [17, 17, 20, 20, 37, 37]
    assert table.spans[0].n_leaves.tolist() == [1] * 6 + [4, 1]
    assert table.is_understood


@pytest.mark.parametrize("only", [["17"], [None]])
def test_columns_of_one_value_or_of_none_are_read(only):
    labels = ["17.5", "*"] if only[0] else [None, "*"]
    table = at_face_value(release(labels, tuple(only)), ["age"])
    assert table.spans[0].n_leaves.tolist() == [1, 1]


def test_dates_and_decimal_commas_have_places():
    day = bind(Column("day", Role.QUASI_IDENTIFYING, Kind.DATE), ["1970-01-03"])
    assert center_positions(day, ["1970-01-02", "*"]).tolist()[0] == 1
    comma = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["3"])
    assert center_positions(comma, ["1,5"]).tolist() == [1.5]
