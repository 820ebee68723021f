"""Private connections and their folders."""

import gc

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.engine.duckdb.connect import (
    identifier,
    literal,
    make_room,
    numbered,
    open_workspace,
    path_literal,
    store_batches,
)


def test_the_folder_vanishes_with_the_connection():
    """Nothing of the table stays on disk."""
    space = open_workspace()
    space.connection.execute(f"CREATE TABLE {make_room(space, None)} AS SELECT 1")
    folder = space.folder
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0
    del space
    gc.collect()
    assert not folder.exists()


def test_two_workspaces_share_nothing():
    """A table of one is unknown in the other."""
    first, second = open_workspace(), open_workspace()
    first.connection.execute("CREATE TABLE t AS SELECT 1")
    assert second.connection.sql("SHOW TABLES").fetchall() == []


def test_python_variables_are_no_tables():
    """A name in a query never finds a variable of the program."""
    secret = [1, 2, 3]
    with pytest.raises(Exception, match="secret"):
        open_workspace().connection.sql("SELECT * FROM secret")
    assert secret


def test_limits_are_set():
    """Memory and threads are as asked."""
    connection = open_workspace(memory_limit="1GB", threads=1).connection
    found = connection.sql("SELECT current_setting('memory_limit'), current_setting('threads')").fetchall()
    assert found == [("953.6 MiB", 1)]


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=10)


@given(TEXTS)
def test_a_literal_is_its_text(text):
    """DuckDB reads back what was written."""
    assert duckdb.sql(f"SELECT {literal(text)}").fetchall() == [(text,)]


@given(TEXTS)
def test_an_identifier_is_its_name(name):
    """DuckDB names the column as it was named."""
    assert duckdb.sql(f"SELECT 1 AS {identifier(name)}").columns == [name]


def test_a_path_names_one_file_only(tmp_path):
    """Signs that match several files elsewhere are plain here."""
    for name in ("a*.csv", "ab.csv", "a[b].csv", "a?.csv", "it's.csv"):
        (tmp_path / name).write_text(f"x\n{name}\n")
    for name in ("a*.csv", "a[b].csv", "a?.csv", "it's.csv"):
        found = duckdb.sql(f"FROM read_csv({path_literal(tmp_path / name)}, header = true)").fetchall()
        assert found == [(name,)]


def test_small_tables_stay_in_memory_and_large_ones_go_to_disk():
    """An unknown size may be large."""
    assert make_room(open_workspace(), 1000) == "cells"
    for n_bytes in (None, 1 << 40):
        space = open_workspace()
        space.connection.execute(f"CREATE TABLE {make_room(space, n_bytes)} AS SELECT 1")
        assert (space.folder / "store.duckdb").is_file()


def test_stored_columns_are_free_of_the_names_of_the_source():
    """Whatever they are called, their cells are c0, c1 …"""
    assert numbered(3) == ("c0", "c1", "c2")


def test_batches_are_stored_in_order():
    """The stored position is the position in the stream, whatever the names."""
    space = open_workspace(threads=2)
    schema = pa.schema([("rowid", pa.int64()), ("rowid", pa.string())])
    batches = (pa.record_batch([pa.array([i]), pa.array([str(i)])], schema=schema) for i in range(500))
    assert store_batches(space, "cells", schema, batches) == ("c0", "c1")
    found = space.connection.sql("SELECT count(*), count(*) FILTER (c0 <> rowid OR c1 <> rowid::VARCHAR) FROM cells")
    assert found.fetchall() == [(500, 0)]
