"""How a release leaves a cluster."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.spark.table import SparkTable
from sfumato.errors import EngineError, SchemaError, SourceError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe, RowOrder
from sfumato.recipe.steps import Recode, Round
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSink, FrameSink, FrameSource, SqlSink

ROWS = pa.table({"a": ["x", "y", None], "é 1": pa.array([3, 2, 1], pa.int32())})


@pytest.fixture(scope="module")
def engine(sail):
    return SparkEngine(sail)


@pytest.fixture
def table(engine):
    return engine.scan(FrameSource(ROWS))


def read(folder):
    return pa.concat_tables([pq.read_table(part) for part in sorted(folder.glob("*.parquet"))])


def broken(engine):
    """A table that cannot be read to its end."""
    return engine.apply(
        engine.scan(FrameSource(pa.table({"a": ["1", "no number"]}))), Recipe((Round("a", 5),)), bits=SystemBits()
    )


@pytest.mark.parametrize("name", ["release.parquet", "a 'b' %20 é.pq"])
def test_a_folder_of_parquet_files_in_row_order(engine, table, tmp_path, name):
    for _ in range(2):  # the second replaces the first
        receipt = engine.write(table, FileSink(tmp_path / name))
        assert (receipt.n_rows, receipt.kind, receipt.path, receipt.sha256) == (3, "parquet", tmp_path / name, None)
        assert receipt.n_bytes > 0
        assert read(tmp_path / name).equals(ROWS)
        assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_rows_that_were_shuffled_are_written_in_their_new_order(engine, table, tmp_path):
    made = engine.apply(table, Recipe(row_order=RowOrder.SHUFFLED), bits=SystemBits())
    engine.write(made, FileSink(tmp_path / "r", kind="parquet"))
    order = made.frame.toArrow().sort_by("__row")["a"].to_pylist()
    assert read(tmp_path / "r")["a"].to_pylist() == order


def test_nothing_is_left_of_a_write_that_fails(engine, table, tmp_path):
    engine.write(table, FileSink(tmp_path / "r.parquet"))
    with pytest.raises(SchemaError, match="must be a number"):
        engine.write(broken(engine), FileSink(tmp_path / "r.parquet"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.parquet"]
    assert read(tmp_path / "r.parquet").equals(ROWS)


def test_rows_that_this_computer_does_not_see_are_no_release(engine, table, tmp_path):
    """As on a cluster whose machines each have a disk of their own."""
    fewer = SparkTable(table.frame.where("a IS NOT NULL"), table.header, table.source)
    with pytest.raises(EngineError, match="that every machine of the cluster shares"):
        engine.write(fewer, FileSink(tmp_path / "r.parquet"))
    assert not list(tmp_path.iterdir())


def test_only_a_release_is_replaced(engine, table, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x")
    (tmp_path / "file.parquet").write_text("x")
    for name in ("thesis", "file.parquet"):
        with pytest.raises(SourceError, match="is something else"):
            engine.write(table, FileSink(tmp_path / name, kind="parquet"))
    with pytest.raises(SourceError, match="folder of the release must exist"):
        engine.write(table, FileSink(tmp_path / "none" / "r.parquet"))
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "x"


@pytest.mark.parametrize("name", ["r.csv", "r.xlsx", "r.arrow", "r.odd"])
def test_other_kinds_of_files_are_refused(engine, table, tmp_path, name):
    with pytest.raises(SourceError):
        engine.write(table, FileSink(tmp_path / name))


def test_a_uri_is_written_once(engine, table, tmp_path):
    """`file:` stands for the schemes of shared storage; a `Path` has lost one slash of it."""
    sink = FileSink(Path(f"file://{tmp_path}/r"))
    assert engine.write(table, sink).n_rows == 3
    with pytest.raises(SourceError, match="never replaces what is at a URI"):
        engine.write(table, sink)
    assert read(tmp_path / "r").equals(ROWS)


def test_frames_of_every_kind(engine, table):
    frames = {kind: engine.write(table, FrameSink(kind)).frame for kind in ("pandas", "polars", "arrow", "spark")}
    assert isinstance(frames["pandas"], pd.DataFrame)
    assert isinstance(frames["polars"], pl.DataFrame)
    assert frames["arrow"].equals(ROWS)
    assert frames["spark"].toArrow().equals(ROWS)
    with pytest.raises(SourceError, match="only from the engine of that name"):
        engine.write(table, FrameSink("duckdb"))


def test_a_table_comes_back_as_what_it_was(engine):
    for frame, kind in ((ROWS.to_pandas(), pd.DataFrame), (pl.from_arrow(ROWS), pl.DataFrame), (ROWS, pa.Table)):
        assert isinstance(engine.write(engine.scan(FrameSource(frame)), FrameSink()).frame, kind)
    origin = engine.session.createDataFrame(ROWS)
    assert type(engine.write(engine.scan(FrameSource(origin)), FrameSink()).frame) is type(origin)


def test_the_catalog_gets_a_table_once(engine, table, tmp_path):
    engine.session.sql(f"CREATE DATABASE releases LOCATION '{tmp_path}'")
    sink = SqlSink("spark:", "releases.`first one`")
    assert engine.write(table, sink).table == sink.table
    assert engine.session.table(sink.table).toArrow().sort_by("é 1").equals(ROWS.sort_by("é 1"))
    with pytest.raises(SourceError, match="never replaces a table"):
        engine.write(table, sink)


@pytest.mark.parametrize("url", ["sqlite:///a.db", "jdbc:postgresql://u:secret@host/b"])
def test_other_databases_and_passwords_are_refused(engine, table, url):
    with pytest.raises(SourceError) as refused:
        engine.write(table, SqlSink(url, "t"))
    assert "secret" not in str(refused.value)


@pytest.mark.slow
def test_folders_and_databases_on_spark_itself(spark, tmp_path):
    """Many parts, sorted only where a window or a shuffle moved the rows; a database inside Java."""
    engine = SparkEngine(spark)
    n = 1_000
    frame = pa.table({"a": [str(i % 7) for i in range(n)], "i": np.arange(n)})
    a = bind(Column("a", Role.QUASI_IDENTIFYING), [str(i) for i in range(7)])
    source = spark.createDataFrame(frame).repartition(5)
    made = engine.apply(engine.scan(FrameSource(source.localCheckpoint())), Recipe((Recode(a, 1),)), bits=SystemBits())
    assert made.in_order
    engine.write(made, FileSink(tmp_path / "a b.parquet"))
    assert len(list((tmp_path / "a b.parquet").glob("*.parquet"))) == 5
    assert read(tmp_path / "a b.parquet").equals(engine.write(made, FrameSink("arrow")).frame)
    with pytest.raises(SchemaError, match="must be a number"):
        engine.write(broken(engine), FileSink(tmp_path / "b.parquet"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["a b.parquet"]
    sink = SqlSink("jdbc:derby:memory:releases;create=true", "release")
    assert engine.write(made, sink).n_rows == n
    found = spark.read.jdbc(sink.url, sink.table).toArrow()
    assert (
        found.rename_columns(["a", "i"])["i"].to_pylist()
        == engine.write(made, FrameSink("arrow")).frame["i"].to_pylist()
    )
    with pytest.raises(SourceError, match="never replaces a table"):
        engine.write(made, sink)
