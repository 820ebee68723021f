"""Native values of Spark and their canonical texts."""

import datetime as dt
from decimal import Decimal

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.connect import open_workspace
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.dialect import cell, literals_of
from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.spark.scan import scan
from sfumato.engine.sql.native import texts_of
from sfumato.summary.ask import MarginalOf
from sfumato.table.source import FrameSource

rng = np.random.default_rng(7)
MOMENTS = pa.array(["2020-01-01T00:00:00", "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999", None])
COLUMNS = {
    "double": pa.array([*np.ldexp(rng.random(50), rng.integers(-300, 300, 50)), 1e15, 1e16, 1e-5, np.inf, 5.0, np.nan]),
    "float": pa.array([0.1, 16777216.0, 3.4e38, 1e-40, None], pa.float32()),
    "int": pa.array([-5, 0, 2**62, -(2**63), None]),
    "decimal": pa.array([Decimal("1.50"), Decimal("-0.01"), None]),
    "date": pa.array([dt.date(2020, 1, 31), dt.date(1, 1, 1), dt.date(9999, 12, 31)]),
    "moment": MOMENTS.cast(pa.timestamp("us")),
    "utc": MOMENTS.cast(pa.timestamp("us")).cast(pa.timestamp("us", "UTC")),
    "truth": pa.array([True, False, None]),
    "bytes": pa.array([b"a\x00'\\", b""]),
    "text": pa.array(["", "é", "nan", None]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_marginals_are_those_of_the_embedded_engine(sail, name):
    frame = pa.table({name: COLUMNS[name]})
    engine = DuckDBEngine(threads=1)
    expected = engine.summarize(engine.scan(FrameSource(frame)), MarginalOf(name))
    found = SparkEngine(sail).summarize(scan(sail, FrameSource(frame)), MarginalOf(name))
    assert found.values == expected.values
    assert found.counts.tolist() == expected.counts.tolist()


@pytest.mark.slow
def test_marginals_on_spark(spark):
    """All types in one frame, padded with nulls."""
    n = max(map(len, COLUMNS.values()))
    frame = pa.table({k: pa.concat_arrays([v, pa.nulls(n - len(v), v.type)]) for k, v in COLUMNS.items()})
    engine = DuckDBEngine(threads=1)
    table, twin = scan(spark, FrameSource(frame)), engine.scan(FrameSource(frame))
    for name in ("double", "utc", "moment", "decimal", "bytes"):
        assert (
            SparkEngine(spark).summarize(table, MarginalOf(name)).values
            == engine.summarize(twin, MarginalOf(name)).values
        )


@pytest.mark.parametrize("name", COLUMNS)
def test_a_code_that_means_missing_is_the_text_of_a_value(sail, name):
    """Each text but the first is declared missing; only the first and nothing else remains."""
    frame = pa.table({name: COLUMNS[name]})
    texts = [text for text in texts_of(COLUMNS[name]) if text is not None]
    codes = tuple(dict.fromkeys(text for text in texts if text != texts[0]))
    if name == "bytes":
        return
    found = SparkEngine(sail).summarize(scan(sail, FrameSource(frame, missing_in={name: codes})), MarginalOf(name))
    assert found.values == (texts[0], None)


def test_texts_that_no_value_has_are_no_codes(sail):
    assert literals_of(["5", "5.00", "x"], "decimal(5,1)") == []
    assert literals_of(["5.0"], "decimal(5,1)") == ["CAST('5.0' AS decimal(5,1))"]
    table = scan(sail, FrameSource(pa.table({"a": [1]}), missing=("?", "1.0")))
    assert cell(table, "a") == "`a`"


@pytest.mark.parametrize(("kind", "duck"), [("tinyint", "TINYINT"), ("int", "INTEGER"), ("bigint", "BIGINT")])
def test_whole_numbers_are_told_without_duckdb_as_by_it(kind, duck):
    ends = [sign * (2**bits + more) for bits in (7, 31, 63) for more in (-1, 0, 1) for sign in (-1, 1)]
    odd = ["0", "-0", "+1", "01", " 1", "1 ", "1.0", "1e3", "1_0", "\u0661", "", "-", "x", "9" * 19, "9" * 40]
    texts = [*odd, *map(str, ends)]
    cast = f"CAST(TRY_CAST(t AS {duck}) AS VARCHAR) = t"
    connection = open_workspace(threads=1).connection
    kept = connection.execute(f"SELECT t FROM (SELECT unnest(?) AS t) WHERE {cast}", [texts]).fetchall()
    assert literals_of(texts, kind) == [row[0] for row in kept]
    assert {"0", "-128"} <= set(literals_of(texts, kind))


def test_texts_are_duckdbs_casts():
    connection = open_workspace(threads=1).connection
    for column in COLUMNS.values():
        connection.register("seen", pa.table({"v": column}))
        expected = [row[0] for row in connection.execute("SELECT CAST(v AS VARCHAR) FROM seen").fetchall()]
        assert texts_of(column) == expected
    assert duckdb.__version__
