"""Where loaded cells lie."""

import pyarrow as pa

from sfumato.engine.duckdb.connect import open_workspace
from sfumato.engine.duckdb.store import make_room, numbered, store_batches


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
