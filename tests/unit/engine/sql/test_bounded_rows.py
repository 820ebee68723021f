"""Which rows an ask selects: public conditions, cells that must be there, the joined public table."""

import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(threads=1)
ROW = Unit.row(Neighbors.REPLACE)
AGE = Range(0, 100, 1)
SEX = Categories(("F", "M"))


def count(ask=(), **columns):
    table = ENGINE.scan(FrameSource(pa.table(columns)))
    return ENGINE.summarize(table, BoundedAsk(ROW, (Term(),), **dict(ask))).totals[0].tolist()


@pytest.mark.parametrize(
    ("comparison", "values", "expected"),
    [
        (Comparison.LESS, ("30",), 2), (Comparison.AT_MOST, ("30",), 3), (Comparison.MORE, ("30",), 3),
        (Comparison.AT_LEAST, ("60/2",), 4), (Comparison.EQUAL, ("30.0",), 1), (Comparison.NOT_EQUAL, ("30",), 5),
        (Comparison.IN, ("30", "999"), 2), (Comparison.NOT_IN, ("30", "999"), 4), (Comparison.AT_MOST, ("100",), 4),
    ],
)  # fmt: skip
def test_numbers_are_compared_as_they_are_before_clamping(comparison, values, expected):
    ages = ["30", "-5", "29.5", "999", "inf", "40", "nan", "old", None]
    where = (Condition("age", comparison, values),)
    assert count({"where": where, "ranges": (("age", AGE),)}, age=ages) == [expected]


@pytest.mark.parametrize(
    ("comparison", "values", "expected"),
    [
        (Comparison.EQUAL, ("F",), 2), (Comparison.NOT_EQUAL, ("F",), 1), (Comparison.IN, ("F", "M"), 3),
        (Comparison.NOT_IN, ("M",), 2), (Comparison.EQUAL, ("f'; DROP TABLE x",), 0),
    ],
)  # fmt: skip
def test_texts_outside_the_declared_categories_meet_no_condition(comparison, values, expected):
    where = (Condition("sex", comparison, values),)
    assert count({"where": where, "categories": (("sex", SEX),)}, sex=["F", "F", "M", "X", "", None]) == [expected]


def test_a_float_column_is_compared_with_whole_texts():
    sexes = pa.array([1.0, 2.0, None])
    assert count({"where": (Condition("sex", Comparison.EQUAL, ("1",)),)}, sex=sexes) == [1]
    assert count({"where": (Condition("sex", Comparison.NOT_EQUAL, ("1.0",)),)}, sex=sexes) == [1]


def test_cells_that_must_be_there_are_there_in_every_term():
    ask = BoundedAsk(ROW, (Term(), Term((("age", 0),))), ranges=(("age", AGE),), complete=("age", "sex"))
    table = ENGINE.scan(FrameSource(pa.table({"age": ["1", "x", "3", None], "sex": ["F", "F", None, "M"]})))
    assert ENGINE.summarize(table, ask).totals.tolist() == [[1], [1]]


def test_a_row_takes_the_columns_of_its_one_public_row():
    join = Join(
        (("1000", "north", "2.5"), ("2000", "south", "many"), ("9999", "north", "1")), ("zip", "area", "m"), "zip"
    )
    zips = ["1000", "1000", "2000", "3000", None]
    by = (Keyed("area", Categories(("north", "south"))),)
    assert count({"join": join, "by": by}, zip=zips) == [2, 1]
    ask = BoundedAsk(ROW, (Term(), Term((("m", 0),))), by, ranges=(("m", Range(0, 5, "0.5")),), join=join)
    assert ENGINE.summarize(ENGINE.scan(FrameSource(pa.table({"zip": zips}))), ask).totals.tolist() == [[2, 1], [10, 0]]
    assert count({"join": join}, zip=zips) == [5]
    assert count({"join": join, "complete": ("area",)}, zip=zips) == [3]


def test_a_public_key_written_twice_as_a_number_joins_once():
    """Among floats 5 and 5.0 are one key: rows must not multiply, and nothing may fail."""
    join = Join((("5", "a"), ("5.0", "b")), ("zip", "area"), "zip")
    assert count({"join": join, "by": (Keyed("area", Categories(("a", "b"))),)}, zip=pa.array([5.0, 5.0])) == [2, 0]


def test_names_that_look_like_ours_do_no_harm():
    columns = {"r": ["x"], "p": ["x"], "k0": ["x"], "n0": ["3"], "t0": ["x"], "g": ["x"], "x0": ["x"], 'a "q"': ["x"]}
    table = ENGINE.scan(FrameSource(pa.table(columns)))
    for name in ("r", "p", "k0", "t0", "g", "x0", 'a "q"'):
        ask = BoundedAsk(
            Unit(Neighbors.ADD_REMOVE, name, 1, 1), (Term((("n0", 0),)),), (Keyed(name, Categories(("x",))),),
            ranges=(("n0", AGE),), where=(Condition(name, Comparison.EQUAL, ("x",)),),
        )  # fmt: skip
        assert ENGINE.summarize(table, ask).totals.tolist() == [[3]]
