"""A large release is written group by group: the same table as DuckDB would write, of which little waits in memory."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb import write_parquet
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.table import BATCH, in_order
from sfumato.errors import SchemaError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe, Suppressed
from sfumato.recipe.steps import Recode, Suppress
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSink, FileSource, FrameSource

CELLS = {
    "BOOLEAN": "i % 2 = 0",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE"), "i - 1"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), "i"),
    **dict.fromkeys(("DECIMAL(4,1)", "DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,4)"), "i / 2"),
    "VARCHAR": "'é' || i",
    "BLOB": "encode('é' || i)",
    "DATE": "DATE '1969-12-31' + i::INTEGER",
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_MS"), "TIMESTAMP '1969-12-31 10:00:00.123'"),
    "TIMESTAMP_NS": "TIMESTAMP_NS '2020-01-31 10:00:00.123456789'",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ '2020-01-31 10:00:00+02'",
}
"""A cell of each type that is written in turn, in row `i`; of ENUMs, in a test of their own."""
ALL = Hierarchy.from_paths("x", [(text, "low" if text < "c" else "high", "*") for text in "abcd"])


def attribute(name):
    return Attribute(Column(name, Role.QUASI_IDENTIFYING), ALL, None)


def released(source, recipe, threads=2):
    engine = DuckDBEngine(memory_limit="1GB", threads=threads)
    return engine, engine.apply(engine.scan(source), recipe, bits=SystemBits())


def test_types_and_cells_are_those_that_duckdb_writes(tmp_path):
    """With the first and the last row missing; a list of types and the test's own are one."""
    assert {kind for kind in CELLS if "(" not in kind} == write_parquet.SAME
    cells = ", ".join(
        f'CASE WHEN i IN (0, 4) THEN NULL ELSE CAST({cell} AS {kind}) END AS "{kind}"' for kind, cell in CELLS.items()
    )
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        source = FrameSource(connection.sql(f"SELECT {cells} FROM range(5) t(i)").to_arrow_table())
        _, table = released(source, Recipe())
        assert table.header.types == tuple(CELLS)
        asked = in_order(table)
        write_parquet._write_at_once(table, asked, tmp_path / "a.parquet")
        write_parquet._write_in_turn(table, asked, tmp_path / "b.parquet")
        (types, rows), again = (
            [connection.execute(f"{what} '{tmp_path / name}'").fetchall() for what in ("DESCRIBE FROM", "FROM")]
            for name in ("a.parquet", "b.parquet")
        )
        assert again == [types, rows]
    first, second = (pq.read_table(tmp_path / name) for name in ("a.parquet", "b.parquet"))
    assert second.schema.equals(first.schema, check_metadata=True)
    assert second.equals(first)


def test_a_type_that_both_write_differently_is_left_to_duckdb(tmp_path, monkeypatch):
    monkeypatch.setattr(write_parquet, "MOST_WAITING", 0)
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT INTERVAL 3 DAY AS a, 1 AS b) TO '{tmp_path / 's.parquet'}'")
    engine, table = released(FileSource(tmp_path / "s.parquet"), Recipe())
    engine.write(table, FileSink(tmp_path / "r.parquet"))
    assert engine.scan(FileSource(tmp_path / "r.parquet")).header.types == ("INTERVAL", "INTEGER")


def test_of_a_large_table_little_waits_to_be_written(tmp_path, monkeypatch):
    """What DuckDB holds is asked for when each group is written. Twin: one group of the source alone is 64 MiB of cells."""
    n_rows, names, waiting = 1 << 19, [f"c{i}" for i in range(8)], []
    column = pa.DictionaryArray.from_arrays(np.arange(n_rows) % 5, [f"text {i}" for i in range(5)]).cast(pa.string())
    numbers = pa.array(np.arange(n_rows))
    pq.write_table(pa.table({"n": numbers} | dict.fromkeys(names, column)), tmp_path / "s.parquet")
    engine, table = released(FileSource(tmp_path / "s.parquet"), Recipe())
    cursor, looked = table.connection.cursor(), write_parquet.of_labels_in_use

    def look(cells):
        waiting.append(cursor.sql("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchall()[0][0])
        return looked(cells)

    monkeypatch.setattr(write_parquet, "of_labels_in_use", look)
    engine.write(table, FileSink(tmp_path / "r.parquet"))
    assert len(waiting) == 9 * 5
    assert max(waiting) < 32 << 20
    found = pq.ParquetFile(tmp_path / "r.parquet")
    assert [found.metadata.row_group(i).num_rows for i in range(found.num_row_groups)] == [BATCH] * 4 + [32_768]
    before = pq.read_table(tmp_path / "s.parquet")
    assert found.read().cast(before.schema).equals(before)


@pytest.mark.parametrize("name", ["r.parquet", "r.arrow"])
def test_groups_are_those_of_the_release_and_not_of_its_source_whatever_the_threads(tmp_path, monkeypatch, name):
    """Several threads end a batch where a group of the source ends."""
    monkeypatch.setattr(write_parquet, "MOST_WAITING", 0)
    pq.write_table(pa.table({"n": np.arange(300_000)}), tmp_path / "s.parquet", row_group_size=100_000)
    files = set()
    for threads in (1, 2):
        engine, table = released(FileSource(tmp_path / "s.parquet"), Recipe(), threads)
        engine.write(table, FileSink(tmp_path / name))
        files.add((tmp_path / name).read_bytes())
    assert len(files) == 1


@pytest.mark.parametrize("mode", [Suppressed.STAR, Suppressed.DROP, Suppressed.NULL])
def test_a_group_has_the_labels_of_its_rows_alone_and_the_same_bytes_whatever_the_threads(tmp_path, monkeypatch, mode):
    """Rows with b are suppressed: no dictionary says that there were any; PyArrow reads all of them."""
    monkeypatch.setattr(write_parquet, "MOST_WAITING", 0)
    n_rows = 2 * BATCH + 1_000
    cells = np.array(["a", "b", "c"], object)[np.minimum(np.arange(n_rows) % 7, 1) + (np.arange(n_rows) >= BATCH)]
    source = FrameSource(pa.table({"x": pa.array(cells, pa.string()), "n": np.arange(n_rows)}))
    x, files = attribute("x"), set()
    step = Suppress((x,), (0,), np.array([[ALL.labels[0].index("b")]]))
    for threads in (1, 2):
        engine, table = released(source, Recipe((Recode(x, 0),), step, suppressed=mode), threads)
        engine.write(table, FileSink(tmp_path / "r.parquet"))
        files.add((tmp_path / "r.parquet").read_bytes())
    assert len(files) == 1
    file = pq.ParquetFile(tmp_path / "r.parquet", read_dictionary=["x"])
    shown = {Suppressed.STAR: "*", Suppressed.NULL: None, Suppressed.DROP: "b"}[mode]
    kept = np.arange(n_rows) if mode is not Suppressed.DROP else np.flatnonzero(cells != "b")
    expected = [shown if cell == "b" else cell for cell in cells[kept].tolist()]
    assert file.read(["x"])["x"].to_pylist() == expected
    assert file.read(["n"])["n"].to_pylist() == kept.tolist()
    for group in range(file.num_row_groups):
        column = file.read_row_group(group, ["x"])["x"]
        labels = {text for chunk in column.chunks for text in chunk.dictionary.to_pylist()}
        assert labels == set(column.to_pylist()) - {None}


@pytest.mark.parametrize("name", ["r.parquet", "r.arrow", "r.csv"])
def test_a_cell_late_in_the_rows_that_cannot_be_published_is_told_and_leaves_nothing(tmp_path, monkeypatch, name):
    """By then batches are on their way, and what DuckDB says comes by way of PyArrow."""
    monkeypatch.setattr(write_parquet, "MOST_WAITING", 0)
    n_rows = 2_500_000
    text = pa.DictionaryArray.from_arrays(np.where(np.arange(n_rows) == n_rows - 9, 4, 0), [*"abcd", "secret"])
    pq.write_table(pa.table({"x": text.cast(pa.string())}), tmp_path / "s.parquet", row_group_size=BATCH)
    engine, table = released(FileSource(tmp_path / "s.parquet"), Recipe((Recode(attribute("x"), 1),)), threads=1)
    (tmp_path / "out").mkdir()
    with pytest.raises(SchemaError, match="must be in its hierarchy") as failure:
        engine.write(table, FileSink(tmp_path / "out" / name))
    assert "secret" not in str(failure.value)
    assert not [*(tmp_path / "out").iterdir()]
