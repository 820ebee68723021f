"""The result of an SQL query as a table: streamed once, read-only, into the private store.

Rows are numbered as the database returns them; add ORDER BY where the order matters. Types that
DuckDB lacks come as the database's own text. Passwords come from where the database's client looks
for them (environment, password file, service file) and appear in no message.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import duckdb
import pyarrow as pa

from sfumato.engine.base import distinct_names
from sfumato.engine.duckdb.connect import Loaded, identifier, literal, make_room, numbered, store_batches
from sfumato.engine.object_cells import cell_text
from sfumato.engine.select import is_select, refuse_password
from sfumato.errors import SourceError
from sfumato.extras import Needs

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.table.source import SqlSource

_BATCH = 50_000
_SQLITE_TYPES = {"integer": pa.int64(), "real": pa.float64()}
_NUMBERS = frozenset({"bool", "int2", "int4", "int8", "float4", "float8"})
_PLAIN_POSTGRES = _NUMBERS | {"text", "varchar", "bpchar", "date", "timestamp", "timestamptz"}
"""PostgreSQL types that keep their type; any other comes as the server's text."""


def load_sql(space: Workspace, source: SqlSource) -> Loaded:
    """Load the rows of a table or a SELECT.

    Raises:
        SourceError: unknown kind of database, no such file, a refused query, or a missing driver.
    """
    refuse_password(source.url)
    scheme = urlsplit(source.url).scheme
    match scheme:
        case "sqlite":
            return _load_sqlite(space, _file(source.url), source.query)
        case "duckdb":
            return _load_duckdb(space, _file(source.url), source.query)
        case "postgresql" | "postgres":
            return _load_postgres(space, source)
    raise SourceError(
        "A database must be named as sqlite:///, duckdb:/// or postgresql://; got {scheme!r}.",
        "correct the url.",
        scheme=scheme,
    )


def select_of(query: str) -> str:
    """A SELECT for a query: itself, or all rows of the table that it names (`schema.table`).

    Example:
        >>> select_of("my table"), select_of("main.t"), select_of("SELECT 1;")
        ('SELECT * FROM "my table"', 'SELECT * FROM "main"."t"', 'SELECT 1')
    """
    if is_select(query):
        return query.strip().rstrip(";")
    return "SELECT * FROM " + ".".join(identifier(part) for part in query.split("."))


def _file(url: str) -> Path:
    """The file of `sqlite:///relative.db` or `sqlite:////absolute.db`."""
    path = Path(url.split("///", 1)[-1])
    if not path.is_file():
        raise SourceError(
            "The database file {name!r} must exist; it does not.", "correct the path in the url.", name=path.name
        )
    return path


def _refused(kind: str, error: Exception) -> SourceError:
    state = getattr(error, "sqlstate", None)
    reason = f"SQL state {state}" if state else type(error).__name__
    return SourceError(
        "{kind} must accept the query; it refused ({reason}).",
        "check the names in the query, the url, the user's rights and where the password comes from.",
        kind=kind,
        reason=reason,
    )


def _load_sqlite(space: Workspace, path: Path, query: str) -> Loaded:
    """SQLite types each value by itself: a column of one type keeps it, any other comes as what each value says."""
    import sqlite3

    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.text_factory = _decoded
    try:
        inner = select_of(query)
        written = [column[0] for column in connection.execute(f"SELECT * FROM ({inner}) LIMIT 0").description]
        names, notes = distinct_names(written)
        cells = numbered(len(names))
        rows = f"WITH q({', '.join(cells)}) AS ({inner})"
        schema, blobs = _sqlite_schema(connection, rows, cells)
        cursor = connection.execute(f"{rows} SELECT {', '.join(cells)} FROM q")
        table = make_room(space, None)
        store_batches(space, table, schema, _sqlite_batches(cursor, schema))
    except (sqlite3.Error, pa.ArrowException) as error:
        raise _refused("SQLite", error) from None
    finally:
        connection.close()
    if blobs:
        notes = (*notes, f"Binary cells of {[names[position] for position in blobs]} are missing.")
    return Loaded(table, "rowid", cells, names, "sql", notes=notes, loose=frozenset(names))


def _decoded(stored: bytes) -> str | None:
    """The text of some bytes; missing where they are no UTF-8."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return None


def _sqlite_schema(connection: sqlite3.Connection, rows: str, cells: tuple[str, ...]) -> tuple[pa.Schema, list[int]]:
    """Arrow type of each column, its one SQLite type or text where several meet; and which hold binary values."""
    kinds = ("integer", "real", "text", "blob")
    flags = ", ".join(f"max(typeof({cell}) = {literal(kind)})" for cell in cells for kind in kinds)
    found = connection.execute(f"{rows} SELECT {flags} FROM q").fetchone()
    fields, blobs = [], []
    for position, cell in enumerate(cells):
        present = [kind for kind, flag in zip(kinds, found[4 * position : 4 * position + 4], strict=True) if flag]
        blobs += [position] if "blob" in present else []
        fields.append((cell, _SQLITE_TYPES.get(present[0], pa.string()) if len(present) == 1 else pa.string()))
    return pa.schema(fields), blobs


def _sqlite_batches(cursor: sqlite3.Cursor, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows; in columns of texts every value as what it says."""
    while rows := cursor.fetchmany(_BATCH):
        columns = [
            map(cell_text, column) if field.type == pa.string() else column
            for column, field in zip(zip(*rows, strict=True), schema, strict=True)
        ]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _load_duckdb(space: Workspace, path: Path, query: str) -> Loaded:
    """Another DuckDB file keeps every native type."""
    table, inner = make_room(space, None), select_of(query)
    try:
        with _attached(space, path) as connection:
            written = [str(row[0]) for row in connection.execute(f"DESCRIBE {inner}").fetchall()]
            names, notes = distinct_names(written)
            cells = numbered(len(names))
            connection.execute(f"CREATE TABLE {table} AS SELECT * FROM ({inner}) AS q({', '.join(cells)})")
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise _refused("DuckDB", error) from None
    return Loaded(table, "rowid", cells, names, "sql", notes=notes)


@contextmanager
def _attached(space: Workspace, path: Path) -> Iterator[DuckDBPyConnection]:
    """The connection of a workspace while names mean tables of another file, which is only read."""
    connection, origin = space.connection, f"{space.catalog}_origin"
    connection.execute(f"ATTACH {literal(str(path))} AS {origin} (READ_ONLY)")
    try:
        connection.execute(f"USE {origin}")
        yield connection
    finally:
        connection.execute(f"USE {space.catalog}")
        connection.execute(f"DETACH {origin}")


def _load_postgres(space: Workspace, source: SqlSource) -> Loaded:
    """PostgreSQL's binary COPY, streamed by ADBC inside one read-only transaction."""
    with Needs("sql", "PostgreSQL needs the package adbc-driver-postgresql.", SourceError):
        import adbc_driver_postgresql.dbapi as adbc
    try:
        with adbc.connect(with_password(source.url, source.password)) as connection, connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            return _stream_postgres(space, cursor, select_of(source.query))
    except (adbc.Error, pa.ArrowException) as error:
        raise _refused("PostgreSQL", error) from None


def with_password(url: str, password: str) -> str:
    """A URL as the client reads it, with the password that somebody typed; nothing keeps it.

    Example:
        >>> with_password("postgresql://ada@host/base", "a b"), with_password("postgresql://ada@host/base", "")
        ('postgresql://ada@host/base?password=a%20b', 'postgresql://ada@host/base')
    """
    return f"{url}{'&' if urlsplit(url).query else '?'}password={quote(password, safe='')}" if password else url


def _stream_postgres(space: Workspace, cursor: Any, inner: str) -> Loaded:
    """Learn the columns' types, then fetch plain types as they are and all others as text."""
    cursor.execute(f"SELECT * FROM ({inner}) AS q LIMIT 0")
    found = cursor.fetch_record_batch().schema
    names, notes = distinct_names(found.names)
    cells = numbered(len(names))
    wanted = [_postgres_cell(cell, field) for cell, field in zip(cells, found, strict=True)]
    cursor.execute(f"SELECT {', '.join(wanted)} FROM ({inner}) AS q({', '.join(cells)})")
    reader = cursor.fetch_record_batch()
    table = make_room(space, None)
    store_batches(space, table, pa.schema([field.remove_metadata() for field in reader.schema]), reader)
    return Loaded(table, "rowid", cells, names, "sql", notes=notes)


def _postgres_cell(cell: str, field: pa.Field) -> str:
    written = (field.metadata or {}).get(b"POSTGRESQL:type", b"").decode()
    return cell if written in _PLAIN_POSTGRES else f"CAST({cell} AS text) AS {cell}"
