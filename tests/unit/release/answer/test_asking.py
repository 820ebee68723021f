"""Python's words become the question that they say, or none."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sfumato.errors import QueryError
from sfumato.release.answer.asking import columns_of, conditions_of, expected_of, groups_of, quantiles_of
from sfumato.table.domain import Categories, Range

COLUMNS = {"age": Range(0, 120, step=1), "sex": Categories(("F", "M"))}


@pytest.mark.parametrize("values", [["F", "M"], ("M", "F"), {"M", "F"}, frozenset("MF"), np.array(["F", "M"]), pd.Series(["F", "M"])])  # fmt: skip
def test_a_list_of_values_is_one_however_it_is_held(values):
    (condition,) = conditions_of([("sex", "in", values)])
    assert sorted(condition.values) == ["F", "M"]


def test_a_set_has_one_order():
    """Whatever the order in which a process walks it, so that it is one question in all."""
    words = [f"word {i}" for i in range(20)]
    assert conditions_of([("x", "in", set(words))])[0].values == tuple(sorted(words))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("F", "F"), (5, "5"), (0.5, "0.5"), (Fraction(1, 3), "1/3"), (Decimal("2.50"), "2.50"), (np.int64(7), "7"), (np.float32(0.5), "0.5"),
        (np.str_("F"), "F"), (dt.date(2020, 1, 31), "2020-01-31"), (pd.Timestamp("2020-01-31 08:00"), "2020-01-31 08:00:00"),
        (dt.time(8), "08:00:00"),
    ],
)  # fmt: skip
def test_a_value_is_the_text_that_cells_have(value, text):
    assert conditions_of([("x", "=", value)])[0].values == (text,)


@pytest.mark.parametrize("value", [None, b"F", [None], [["F"]], {"F": 1}, object(), iter("FM"), [b"F"]])
def test_what_no_cell_can_say_is_refused(value):
    """Its text would be what Python shows of it, which no row has: an answer of noise alone."""
    with pytest.raises(QueryError, match="is compared with a"):
        conditions_of([("x", "in", value)])


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: conditions_of(None), "are a list"),
        (lambda: groups_of(None, COLUMNS), "names of columns"),
        (lambda: groups_of(5, COLUMNS), "names of columns"),
        (lambda: groups_of({"age": 3}, COLUMNS), "list of edges"),
        (lambda: quantiles_of(0.5), "list of numbers"),
        (lambda: quantiles_of("1/2"), "list of numbers"),
        (lambda: quantiles_of(None), "list of numbers"),
    ],
)
def test_one_thing_where_several_are_meant_is_refused_in_words(ask, reason):
    with pytest.raises(QueryError, match=reason):
        ask()


def test_a_guess_of_any_integer_type_is_the_same_guess():
    assert [type(expected_of(guess)) for guess in (None, 5, np.int32(5))] == [type(None), int, int]


@pytest.mark.parametrize("columns", [(["age"],), (None,), 5, None, [b"age"], [{"age"}]])
def test_columns_are_asked_for_by_their_names(columns):
    with pytest.raises(QueryError, match="by its name"):
        columns_of(columns)
