"""Asks that have no meaning are refused before a row is read, in words that show none."""

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.sql.bounded_check import declared_sizes
from sfumato.errors import ParameterError, SchemaError
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Places, Term
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(threads=1)
ASK = BoundedAsk(Unit.row(Neighbors.ADD_REMOVE), (Term(),), ranges=(("age", Range(0, 9, 1)),))
TINY = Range(0, Fraction(1, 10**400), Fraction(1, 10**400))


def where(*parts):
    return replace(ASK, where=(Condition(*parts),))


def join(rows, columns=("zip", "area"), on="zip"):
    return replace(ASK, join=Join(rows, columns, on))


BAD = {
    "factor without range": (replace(ASK, terms=(Term((("zip", 0),)),)), ParameterError, "declared range"),
    "three factors": (replace(ASK, terms=(Term((("age", 0),) * 3),)), ParameterError, "at most two"),
    "center": (replace(ASK, terms=(Term((("age", 2**60),)),)), ParameterError, "center of 'age'"),
    "absent factor": (replace(ASK, terms=(Term((("pay", 0),)),)), SchemaError, "'pay' must be in the table"),
    "absent key": (replace(ASK, by=(Keyed("city", None),)), SchemaError, "'city'"),
    "absent person": (replace(ASK, unit=Unit(Neighbors.REPLACE, "who", 1, 1)), SchemaError, "'who'"),
    "absent complete": (replace(ASK, complete=("pay",)), SchemaError, "'pay'"),
    "no edges": (replace(ASK, by=(Keyed("age", Range(0, 9, 1)),)), ParameterError, "need edges"),
    "edges of texts": (replace(ASK, by=(Keyed("zip", Categories(("a",)), (0, 1)),)), ParameterError, "need edges"),
    "edges inside": (replace(ASK, by=(Keyed("age", Range(0, 9, 1), (0, 9)),)), ParameterError, "from 0 to 10"),
    "edges back": (replace(ASK, by=(Keyed("age", Range(0, 9, 1), (0, 5, 5, 10)),)), ParameterError, "increase"),
    "order of texts": (where("zip", Comparison.LESS, ("5",)), ParameterError, "by order"),
    "no value": (where("zip", Comparison.IN, ()), ParameterError, "one value"),
    "two values": (where("zip", Comparison.EQUAL, ("a", "b")), ParameterError, "use IN"),
    "number": (where("age", Comparison.EQUAL, ("old",)), ParameterError, "finite number"),
    "infinity": (where("age", Comparison.LESS, ("inf",)), ParameterError, "finite number"),
    "beyond doubles": (where("age", Comparison.LESS, ("1e400",)), ParameterError, "finite number"),
    "step": (replace(ASK, ranges=(("age", TINY),)), ParameterError, "doubles can tell apart"),
    "bounds": (replace(ASK, ranges=(("age", Range(0, "1e400", "1e400")),)), ParameterError, "doubles can tell apart"),
    "join twice": (join((("1", "a"), ("1", "b"))), ParameterError, "at most one row"),
    "join ragged": (join((("1",),)), ParameterError, "texts, one for each"),
    "join number": (join(((1, "a"),)), ParameterError, "texts, one for each"),
    "join hides": (join((), ("zip", "age")), ParameterError, r"\['age'\] are not"),
    "join on nothing": (join((), ("area", "x"), "area"), SchemaError, "both tables"),
    "nul": (where("zip", Comparison.EQUAL, ("a\0",)), ParameterError, "without a NUL"),
    "surrogate": (where("zip", Comparison.IN, ("a", "\ud800")), ParameterError, "surrogates"),
    "nul of a category": (replace(ASK, by=(Keyed("zip", Categories(("a\0",))),)), ParameterError, "without a NUL"),
    "surrogate of a join": (join((("1", "\udfff"),)), ParameterError, "surrogates"),
    "join without on": (join((), ("area",)), ParameterError, "distinct columns"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_ask_is_refused_whatever_the_rows_hold(case):
    ask, kind, words = BAD[case]
    for rows in (
        {"age": ["1"], "zip": ["CANARY"]},
        {"age": pa.array([], pa.string()), "zip": pa.array([], pa.string())},
    ):
        table = ENGINE.scan(FrameSource(pa.table(rows)))
        for told in (ENGINE.summarize, ENGINE.check):
            with pytest.raises(kind, match=words) as failure:
                told(table, ask)
            assert "CANARY" not in str(failure.value)


def test_places_are_read_of_one_declared_range_in_one_group():
    table = ENGINE.scan(FrameSource(pa.table({"age": ["1"], "zip": ["a"]})))
    with pytest.raises(ParameterError, match="one group"):
        ENGINE.summarize(table, Places(replace(ASK, by=(Keyed("zip", None),)), "age"))
    with pytest.raises(ParameterError, match="'zip' must have a declared range"):
        ENGINE.summarize(table, Places(ASK, "zip"))


def test_groups_are_counted_from_the_declaration():
    keys = (Keyed("zip", Categories(("a", "b"))), Keyed("age", Range(0, 9, 1), (0, 4, 9, 10)))
    assert declared_sizes(replace(ASK, by=keys)) == (2, 3)
    assert declared_sizes(ASK) == ()
    assert declared_sizes(replace(ASK, by=(*keys, Keyed("zip", UnlistedText())))) is None
