"""Bounded totals on Spark are those of the embedded engine, on one awkward table; both kinds of session."""

import random

import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import ParameterError, SchemaError
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Keyed, Places, Term
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.bounded_contract import CATEGORIES, CELLS, JOIN, RANGES, as_source

DUCK = DuckDBEngine(threads=1)
ROW, PERSON = Unit.row(Neighbors.ADD_REMOVE), Unit(Neighbors.ADD_REMOVE, "who", 2, 2)
TERMS = (Term(), Term((("wide", 5),)), Term((("wide", 5), ("wide", 2**51))), Term((("text", 3), ("real", 1))))
ZIP, SEX, AREA = (Keyed(name, CATEGORIES[name]) for name in ("zip", "sex", "area"))
BINS = Keyed("wide", RANGES["wide"], (0, *(2**k for k in range(40)), 2**51, 2**52 + 1))
EVEN = Keyed("real", RANGES["real"], (0, 10, 20, 25))
ODD = Keyed("text", RANGES["text"], (0, 3, 4, 21))


def ask(unit, *by, **rest):
    return BoundedAsk(unit, TERMS, by, ranges=tuple(RANGES.items()), **rest)


ASKS = {
    "one group": ask(ROW),
    "a public table": ask(ROW, ZIP, AREA, join=JOIN),
    "bins": ask(ROW, BINS, EVEN),
    "keys from the table": ask(ROW, Keyed("zip", None), Keyed("sex", UnlistedText())),
    "persons": ask(PERSON, ZIP, SEX),
    "persons in bins": ask(PERSON, BINS, ODD, complete=("text",)),
    "persons once": ask(PERSON, Keyed("zip", None), AREA, join=JOIN, distinct=True),
    "texts that are not": ask(PERSON, where=(Condition("zip", Comparison.NOT_IN, ("1000",)),), categories=(("zip", CATEGORIES["zip"]),)),
    "numbers that are not": ask(PERSON, SEX, where=(Condition("text", Comparison.NOT_EQUAL, ("4",)),)),
}  # fmt: skip


@pytest.fixture(scope="module")
def awkward():
    """Three hundred rows of the cells that the contract of engines draws."""
    drawn = random.Random(5)  # noqa: S311
    people = [*CELLS["who"][1], *(f"p{i}" for i in range(40))]
    rows = [{name: drawn.choice(cells) for name, (_, cells) in CELLS.items()} for _ in range(300)]
    return as_source([row | {"who": drawn.choice(people)} for row in rows])


def told(engine, table, asked):
    """What an engine says, comparable."""
    found = engine.summarize(table, asked)
    return found.keys, found.totals.tolist(), None if found.persons is None else found.persons.tolist()


def test_totals_are_those_of_the_embedded_engine(sail, awkward):
    here, there = DUCK.scan(awkward), SparkEngine(sail).scan(awkward)
    for name, asked in ASKS.items():
        assert told(SparkEngine(sail), there, asked) == told(DUCK, here, asked), name


def test_places_are_those_of_the_embedded_engine(sail, awkward):
    here, there = DUCK.scan(awkward), SparkEngine(sail).scan(awkward)
    for unit, column in ((ROW, "text"), (PERSON, "wide")):
        found = SparkEngine(sail).summarize(there, Places(ask(unit), column))
        assert sorted(found.places.tolist()) == sorted(DUCK.summarize(here, Places(ask(unit), column)).places.tolist())


@pytest.mark.slow
def test_a_classic_session_gives_the_same_totals(spark, awkward):
    here, there = DUCK.scan(awkward), SparkEngine(spark).scan(awkward)
    asked = ASKS["persons"]
    assert told(SparkEngine(spark), there, asked) == told(DUCK, here, asked)


def test_a_broken_twin_would_be_noticed(awkward):
    """Bounds that differ by one, another person's column or another place of a row are other totals."""
    table = DUCK.scan(awkward)
    asked = ask(PERSON, ZIP, SEX)
    for other in (
        ask(Unit(Neighbors.ADD_REMOVE, "who", 1, 2), ZIP, SEX),
        ask(Unit(Neighbors.ADD_REMOVE, "who", 2, 1), ZIP, SEX),
        ask(ROW, ZIP, SEX),
    ):
        assert told(DUCK, table, asked) != told(DUCK, table, other)
    backwards = FrameSource(awkward.frame.take(list(range(299, -1, -1))), awkward.missing)
    assert told(DUCK, table, asked) != told(DUCK, DUCK.scan(backwards), asked)


def test_the_session_is_as_it_was_afterwards(sail, awkward):
    before = {view.name for view in sail.catalog.listTables()}
    engine = SparkEngine(sail)
    engine.summarize(engine.scan(awkward), ASKS["a public table"])
    with pytest.raises(ParameterError):
        engine.summarize(engine.scan(awkward), Places(ASKS["persons"], "text"))
    assert {view.name for view in sail.catalog.listTables()} == before


def test_columns_that_cannot_be_asked_about_are_refused_before_a_row_is_read(sail):
    table = SparkEngine(sail).scan(FrameSource(pa.table({"b": pa.array([b"CANARY"], pa.binary()), "n": [1]})))
    for by in (Keyed("b", Categories(("x",))), Keyed("absent", None)):
        with pytest.raises(SchemaError) as failure:
            SparkEngine(sail).summarize(table, BoundedAsk(ROW, (Term(),), (by,)))
        assert "CANARY" not in str(failure.value)
    assert SparkEngine(sail).summarize(table, BoundedAsk(ROW, (Term(),))).totals.tolist() == [[1]]
    with pytest.raises(ParameterError):
        SparkEngine(sail).summarize(table, BoundedAsk(ROW, (Term((("n", 0),)),)))


def test_many_rows_of_the_largest_products_do_not_overflow(sail):
    table = SparkEngine(sail).scan(FrameSource(pa.table({"v": pa.array([2**62] * 2000, pa.int64())})))
    ranges = (("v", Range(0, 2**52, 1)),)
    terms = (Term((("v", 0), ("v", 0))), Term((("v", 2**53), ("v", 0))), Term((("v", 2**52 - 3), ("v", 2**52 - 5))))
    assert SparkEngine(sail).summarize(table, BoundedAsk(ROW, terms, ranges=ranges)).totals.tolist() == [
        [2**62], [-(2**62)], [15 * 2000]
    ]  # fmt: skip
