"""Parquet and Arrow files."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SchemaError, SourceError
from sfumato.summary.ask import Tuples
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSource, FrameSource


def cells(table):
    return table.connection.sql(f"SELECT * FROM {table.name} ORDER BY __row").fetchall()


def test_parquet_keeps_types_and_order(tmp_path):
    """Over several row groups; a missing value is NULL."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"z": ["01", None, "03"], "n": pa.array([3, 1, 2], pa.int16())}), path, row_group_size=1)
    table = scan(FileSource(path))
    assert (table.header.types, table.header.source_kind) == (("VARCHAR", "SMALLINT"), "parquet")
    assert cells(table) == [(0, "01", 3), (1, None, 1), (2, "03", 2)]


def test_parquet_names_that_differ_in_case_or_repeat_stay_apart(tmp_path):
    """And each gets its own cells."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table([[1], [2], [3], [4]], names=["a", "A", "a_1", "a"]), path)
    table = scan(FileSource(path))
    assert table.header.names == ("a", "A (2)", "a_1", "a (3)")
    assert cells(table) == [(0, 1, 2, 3, 4)]


def test_a_parquet_column_called_as_the_position_is_kept(tmp_path):
    """DuckDB's own name may be taken."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"file_row_number": [7, 8], "x": ["a", "b"]}), path)
    assert cells(scan(FileSource(path))) == [(0, 7, "a"), (1, 8, "b")]


def test_folders_named_as_partitions_add_no_column(tmp_path):
    """`year=2020` in a path is a path."""
    folder = tmp_path / "year=2020"
    folder.mkdir()
    pq.write_table(pa.table({"x": [1]}), folder / "t.parquet")
    assert scan(FileSource(folder / "t.parquet")).header.names == ("x",)


def test_an_arrow_file_keeps_batches_in_order(tmp_path):
    """Categories are their labels; three batches are one table."""
    path = tmp_path / "t.arrow"
    table = pa.table({"c": pa.array(["b", "a", None]).dictionary_encode(), "n": [1, 2, 3]})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    scanned = scan(FileSource(path))
    assert (scanned.header.types[0], scanned.header.source_kind) == ("VARCHAR", "arrow")
    assert cells(scanned) == [(0, "b", 1), (1, "a", 2), (2, None, 3)]


def test_a_compressed_feather_file_is_read(tmp_path):
    """As pandas writes it."""
    path = tmp_path / "t.feather"
    pyarrow.feather.write_feather(pa.table({"n": [1, 2]}), path, compression="zstd")
    assert scan(FileSource(path)).header.n_rows == 2


@pytest.mark.parametrize(("name", "start"), [("t.parquet", b"PAR1"), ("t.arrow", b"ARROW1\0\0")])
def test_a_damaged_file_is_refused(tmp_path, name, start):
    """Half a file is no table."""
    path = tmp_path / name
    path.write_bytes(start + b"x" * 50)
    with pytest.raises(SourceError, match="must be a readable"):
        scan(FileSource(path))


@pytest.mark.slow
def test_a_million_rows_stay_in_order_within_a_small_memory(tmp_path):
    """A million and a half, in Parquet and CSV; every row number is the source position."""
    parquet, text = tmp_path / "t.parquet", tmp_path / "t.csv"
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i AS id, lpad(((i * 104729) % 95000)::VARCHAR, 5, '0') AS zip, "
            "CASE WHEN i % 3 = 0 THEN 'say \"hi\"' || chr(10) || 'there' ELSE 'plain, ' || (i % 50) END AS note "
            "FROM range(1500000) r(i)"
        )
        connection.execute(f"COPY t TO '{parquet}'")
        connection.execute(f"COPY t TO '{text}' (HEADER)")
    for path in (parquet, text):
        table = scan(FileSource(path), memory_limit="150MB", threads=2)
        found = table.connection.sql(
            f"SELECT count(*), count(*) FILTER (id::BIGINT <> __row), max(__row), count(DISTINCT zip) FROM {table.name}"
        ).fetchall()
        assert found == [(1_500_000, 0, 1_499_999, 95_000)]


def test_a_view_reads_no_more_columns_than_it_is_asked_for(tmp_path):
    """The row number costs nothing where it is not wanted."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": np.arange(10), "b": np.arange(10)}), path)
    table = scan(FileSource(path))
    plan = str(table.connection.sql(f"EXPLAIN SELECT sum(a) FROM {table.name}").fetchall())
    assert "file_row_number" not in plan.replace("file_row_number=true", "")


@pytest.mark.parametrize("n_values", [3, 101])
@pytest.mark.parametrize("dictionaries", [True, False])
def test_texts_of_parquet_are_counted_as_those_of_a_frame_are(tmp_path, n_values, dictionaries):
    """Few texts are looked up in a list, many in an enumeration; missing codes and quotes are what they are elsewhere."""
    rng = np.random.default_rng(n_values)
    texts = np.array(["?", "it's", "", *(f"value {i}" for i in range(n_values - 3))], object)
    columns = {name: pa.array(rng.choice(texts, 2000), mask=rng.random(2000) < 0.1) for name in ("a", "b")}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path, use_dictionary=dictionaries, row_group_size=300)
    a, b = (bind(Column(name, Role.QUASI_IDENTIFYING), [*texts[1:], None]) for name in columns)
    found = [
        DuckDBEngine(threads=1).summarize(scan(source), Tuples((a, b)))
        for source in (FileSource(path, missing=("?",)), FrameSource(pa.table(columns), missing=("?",)))
    ]
    assert found[0].codes.tolist() == found[1].codes.tolist()
    assert found[0].rows.tolist() == found[1].rows.tolist()
    assert found[0].n_rows == 2000


def test_a_text_of_parquet_without_a_leaf_is_refused(tmp_path):
    """Without saying which."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": ["x", "y", "secret"]}), path)
    known = bind(Column("a", Role.QUASI_IDENTIFYING), ["x", "y"])
    with pytest.raises(SchemaError, match="must be in its hierarchy") as refused:
        DuckDBEngine().summarize(scan(FileSource(path)), Tuples((known,)))
    assert "secret" not in str(refused.value)
