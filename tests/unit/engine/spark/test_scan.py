"""Sources on a cluster: Parquet, frames, catalog, JDBC."""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.spark.scan import make, scan
from sfumato.errors import SourceError
from sfumato.table.source import FileSource, FrameSource, SqlSource

PLACES = pa.table({"zip": ["01000", None, " 75001"], "age": [40, 7, None], "height": [1.5, -0.0, float("nan")]})


@pytest.fixture
def folder(tmp_path):
    """Two Parquet files in a folder."""
    pq.write_table(PLACES, tmp_path / "b.parquet")
    pq.write_table(PLACES.slice(0, 2), tmp_path / "a a.parquet")
    return tmp_path


def rows(table):
    return table.frame.toArrow().sort_by("__row").drop(["__row"]).to_pylist()


def test_a_parquet_folder_on_sail(sail, folder):
    """Sail does not tell the row of a file; files are read one after the other."""
    table = scan(sail, FileSource(folder))
    assert table.header.names == ("zip", "age", "height")
    assert table.header.types == ("string", "bigint", "double")
    assert (table.header.n_rows, table.header.source_kind) == (5, "parquet")
    found = [row["zip"] for row in rows(table)]
    assert found in (["01000", None, "01000", None, " 75001"], ["01000", None, " 75001", "01000", None])


@pytest.mark.slow
def test_a_parquet_folder_is_read_in_the_order_of_its_file_names(spark, folder):
    """Spark knows the row of each file."""
    table = scan(spark, FileSource(folder))
    assert [row["zip"] for row in rows(table)] == ["01000", None, "01000", None, " 75001"]
    places = sorted(table.frame.selectExpr("__row").toArrow()["__row"].to_pylist())
    assert places == [0, 1, 2**40, 2**40 + 1, 2**40 + 2]
    single = scan(spark, FileSource(folder / "a a.parquet", trim=True))
    assert sorted(single.frame.selectExpr("__row").toArrow()["__row"].to_pylist()) == [0, 1]
    assert scan(spark, FrameSource(single.frame.selectExpr("zip"))).header.source_kind == "spark"


def test_blanks_are_noted_or_trimmed(sail):
    noted = scan(sail, FrameSource(PLACES))
    assert len(noted.header.notes) == 1
    assert "zip" in noted.header.notes[0]
    trimmed = scan(sail, FrameSource(PLACES, trim=True))
    assert not trimmed.header.notes
    assert rows(trimmed)[2]["zip"] == "75001"


def test_minus_zero_is_read_as_zero(sail):
    """Spark groups both together; the published cell must not tell them apart."""
    assert np.signbit([row["height"] for row in rows(scan(sail, FrameSource(PLACES)))]).tolist() == [False] * 3


def test_frames_of_every_library(sail):
    for frame, kind in ((PLACES, "arrow"), (PLACES.to_batches()[0], "arrow"), (pl.from_arrow(PLACES), "polars")):
        table = scan(sail, FrameSource(frame))
        assert table.header.source_kind == kind
        assert [row["age"] for row in rows(table)] == [40, 7, None]
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]}, index=[5, 5])
    assert rows(scan(sail, FrameSource(frame))) == [{"a": 1, "b": "x"}, {"a": 2, "b": None}]


def test_a_frame_of_the_session(sail):
    frame = sail.sql("SELECT 1 AS a, 2 AS a, 3 AS `b.``c`")
    table = scan(sail, FrameSource(frame))
    assert table.header.names == ("a", "a (2)", "b.`c")
    assert rows(table) == [{"a": 1, "a (2)": 2, "b.`c": 3}]
    assert len(table.header.notes) == 1


def test_an_empty_frame(sail):
    table = scan(sail, FrameSource(PLACES.slice(0, 0)))
    assert (table.header.n_rows, table.header.types) == (0, ("string", "bigint", "double"))


def test_cells_that_spark_stores_in_wider_types(sail):
    frame = pa.table(
        {
            "u8": pa.array([255], pa.uint8()),
            "u64": pa.array([2**64 - 1], pa.uint64()),
            "label": pa.array(["x"]).dictionary_encode(),
            "view": pa.array(["x"], pa.string_view()),
            "void": pa.nulls(1),
            "day": pa.array([dt.date(2020, 1, 1)], pa.date64()),
            "moment": pa.array([5_000], pa.timestamp("ns")),
            "utc": pa.array([5], pa.timestamp("s", "UTC")),
            "price": pa.array([Decimal("1.50")]),
        }
    )
    table = scan(sail, FrameSource(frame))
    assert dict(zip(table.header.names, table.header.types, strict=True)) == {
        "u8": "smallint",
        "u64": "decimal(20,0)",
        "label": "string",
        "view": "string",
        "void": "string",
        "day": "date",
        "moment": "timestamp_ntz",
        "utc": "timestamp",
        "price": "decimal(3,2)",
    }
    assert rows(table)[0]["u64"] == Decimal(2**64 - 1)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (pa.table({"visits": [[1]]}), "visits"),
        (pa.table({"home": [{"x": 1}]}), "home"),
        (pa.table({"at": [dt.time(1)]}), "at"),
    ],
)
def test_columns_that_cannot_be_held_are_refused_by_name(sail, frame, name):
    with pytest.raises(SourceError, match=name):
        scan(sail, FrameSource(frame))


def test_nested_columns_of_a_spark_frame_are_refused_by_name(sail):
    with pytest.raises(SourceError, match="visits"):
        scan(sail, FrameSource(sail.sql("SELECT array(1) AS visits, 2 AS b")))


def test_a_catalog_table_and_a_select(sail):
    sail.sql("CREATE OR REPLACE TEMP VIEW people AS SELECT 5 AS age")
    for query in ("people", "SELECT age FROM people;"):
        table = scan(sail, SqlSource("spark:", query))
        assert (table.header.source_kind, rows(table)) == ("spark", [{"age": 5}])


@pytest.mark.parametrize(
    "source",
    [
        FileSource(Path("nothing-there.parquet")),
        FileSource(Path("table.csv")),
        FileSource(Path("folder"), kind="excel"),
        FrameSource(5),
        SqlSource("spark:", "no_such_table"),
        SqlSource("spark:", "SELECT no_such_column FROM (SELECT 1 AS a)"),
        SqlSource("spark:", "SELECT FROM WHERE"),
        SqlSource("spark://host:7077", "people"),
        SqlSource("postgresql://host/base", "people"),
        SqlSource("jdbc:postgresql://user:secret@host/base", "people"),
        SqlSource("jdbc:postgresql://host/base?user=a&password=secret", "people"),
    ],
)
def test_other_sources_are_refused_with_a_remedy(sail, source):
    with pytest.raises(SourceError) as caught:
        scan(sail, source)
    assert caught.value.remedy
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_file_that_is_no_parquet_is_refused_without_a_cell(sail, tmp_path):
    (tmp_path / "x.parquet").write_text("name\nCanary\n")
    with pytest.raises(SourceError) as caught:
        scan(sail, FileSource(tmp_path / "x.parquet"))
    assert "Canary" not in str(caught.value)


def test_a_small_table_is_made(sail):
    table = make(sail, {"bucket": [0, 1], "value": ["é", None]})
    assert rows(table) == [{"bucket": 0, "value": "é"}, {"bucket": 1, "value": None}]


def test_a_uri_is_handed_over_as_it_is(sail, folder):
    """A `Path` loses its double slash; it is given back."""
    assert scan(sail, FileSource(Path(f"file://{folder}"))).header.n_rows == 5


@pytest.mark.slow
def test_a_database_is_read_through_the_clusters_driver(spark):
    """Derby comes with Spark; a table and a SELECT."""
    url = "jdbc:derby:memory:sources;create=true"
    scan(spark, FrameSource(PLACES.select(["age"]))).frame.selectExpr("age AS AGE").write.jdbc(url, "people")
    for query, n_rows in (("people", 3), ("SELECT AGE FROM people WHERE AGE > 10;", 1)):
        table = scan(spark, SqlSource(url, query))
        assert (table.header.source_kind, table.header.names, table.header.n_rows) == ("jdbc", ("AGE",), n_rows)
    with pytest.raises(SourceError):
        scan(spark, SqlSource(url, "nobody"))
