"""Catalogs of one database: apart from each other, and gone with their connections."""

import gc

import duckdb
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.connect import make_room, open_workspace, workspace_of
from sfumato.engine.duckdb.database import Databases
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.table.source import FileSource, FrameSource

LIMIT = "1GB"
"""With a limit, tests have databases of their own."""


def catalogs(connection):
    """Names of the catalogs of a database that hold tables."""
    return {
        row[0] for row in connection.sql("SELECT database_name FROM duckdb_databases() WHERE NOT internal").fetchall()
    }


def test_workspaces_of_one_database_share_nothing():
    """Tables, stores, registered frames, variables and settings of a connection are those of one workspace."""
    databases = Databases()
    first, second = (open_workspace(memory_limit=LIMIT, threads=1, databases=databases) for _ in range(2))
    for space, text in ((first, "one"), (second, "two")):
        connection, table = space.connection, make_room(space, None)
        connection.execute(f"CREATE TABLE cells AS SELECT '{text}' AS a")
        connection.execute(f"CREATE TABLE {table} AS SELECT '{text}' AS b")
        connection.register("frame", pa.table({"c": [text]}))
        connection.execute(f"SET VARIABLE v = '{text}'")
        connection.execute(f"CREATE VIEW seen AS SELECT a, b FROM cells, {table}")
    for space, text in ((first, "one"), (second, "two")):
        found = space.connection.sql("SELECT a, b, c, getvariable('v') FROM seen, frame").fetchall()
        assert found == [(text,) * 4]
        assert space.connection.sql("SHOW TABLES").fetchall() == [("cells",), ("frame",), ("seen",)]
    second.connection.unregister("frame")
    with pytest.raises(duckdb.CatalogException):
        second.connection.sql("SELECT * FROM frame")


def test_a_catalog_goes_with_its_connection_and_leaves_the_others():
    """Its tables, its store and its folder are gone; a reader that is half-way through comes to its end."""
    databases = Databases()
    kept, gone = (open_workspace(memory_limit=LIMIT, threads=1, databases=databases) for _ in range(2))
    for space in (kept, gone):
        space.connection.execute(f"CREATE TABLE {make_room(space, None)} AS SELECT range AS a FROM range(100000)")
    assert len(catalogs(kept.connection)) == 5  # two in memory, two on disk, and the one of the database
    folder, store = gone.folder, f"{gone.catalog}_store"
    reader = gone.connection.sql(f"SELECT a FROM {store}.main.cells").to_arrow_reader(1000)
    reader.read_next_batch()
    del space, gone
    gc.collect()
    assert sum(len(batch) for batch in reader) == 99_000
    assert not folder.exists()
    assert len(catalogs(kept.connection)) == 3
    assert kept.connection.sql(f"SELECT count(*) FROM {kept.catalog}_store.main.cells").fetchall() == [(100_000,)]


def test_a_database_goes_with_its_last_workspace():
    """An engine keeps none open."""
    databases = Databases()
    space = open_workspace(memory_limit=LIMIT, threads=1, databases=databases)
    place = space.folder.parent
    assert databases.at(LIMIT, 1) is databases.at(LIMIT, 1)
    del space
    gc.collect()
    assert not place.exists()


def test_tables_of_an_engine_share_a_database_unless_they_are_large_files(tmp_path):
    """Another engine has its own."""
    (tmp_path / "large.csv").write_bytes(b"a\n" + b"1234567\n" * 600_000)
    engine, frame = DuckDBEngine(LIMIT), FrameSource(pa.table({"a": [1]}))
    tables = [engine.scan(frame), engine.scan(frame), DuckDBEngine(LIMIT).scan(frame)]
    tables.append(engine.scan(FileSource(tmp_path / "large.csv")))
    places = [workspace_of(table.connection).place for table in tables]
    assert places[0].parent == places[1].parent
    assert len({place.parent for place in places}) == 3
    assert len(set(places)) == 4
    assert engine == DuckDBEngine(LIMIT)
