"""A release as a table of an SQL database: in one transaction, never over another table."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.connect import identifier, literal, workspace_of
from sfumato.engine.duckdb.leaves import cell_text
from sfumato.engine.duckdb.sql import with_password
from sfumato.engine.duckdb.table import batches, guarded, in_order
from sfumato.errors import SourceError
from sfumato.extras import Needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.source import SqlSink


def write_sql(table: DuckTable, sink: SqlSink) -> Receipt:
    """Create the table in one transaction.

    Raises:
        SourceError: the table is already there, or the database refuses.
    """
    if urlsplit(sink.url).scheme == "duckdb":
        _to_duckdb(table, sink)
    else:
        _through_adbc(table, sink)
    return Receipt(table.header.n_rows, "sql", table=sink.written)


def can_rename(sink: SqlSink) -> bool:
    """Whether a table of this database can be written under another name first (those of a cluster cannot).

    Example:
        >>> from sfumato.table.source import SqlSink
        >>> can_rename(SqlSink("sqlite:///a.db", "t")), can_rename(SqlSink("spark:", "t"))
        (True, False)
    """
    return urlsplit(sink.url).scheme in ("duckdb", "sqlite", "postgresql", "postgres")


def rename_table(sink: SqlSink, old: str, new: str) -> None:
    """Give a table another name, in one transaction.

    Raises:
        SourceError: the name is taken, or the database refuses.
    """
    _execute(sink, f"ALTER TABLE {identifier(old)} RENAME TO {identifier(new)}")


def drop_table(sink: SqlSink, name: str) -> None:
    """Remove a table that has no place, if it is there.

    Raises:
        SourceError: the database refuses.
    """
    if urlsplit(sink.url).scheme in ("duckdb", "sqlite") and not Path(file_of(sink.url)).exists():
        return
    _execute(sink, f"DROP TABLE IF EXISTS {identifier(name)}")


def _execute(sink: SqlSink, statement: str) -> None:
    """One statement, committed."""
    if urlsplit(sink.url).scheme == "duckdb":
        import duckdb

        with guarded(), duckdb.connect(file_of(sink.url)) as database:
            database.execute(statement)
        return
    with connected(sink) as (database, cursor):
        cursor.execute(statement)
        database.commit()


@contextmanager
def connected(sink: SqlSink) -> Iterator[tuple[Any, Any]]:
    """A connection with its cursor; the driver's errors are not shown, they hold cells."""
    connect = _driver(sink)
    import adbc_driver_manager

    try:
        with guarded(), connect() as database, database.cursor() as cursor:
            yield database, cursor
    except adbc_driver_manager.Error as failure:
        raise SourceError(
            "The database must accept the table; it refuses ({kind}).",
            "check the address, the rights and the table name.",
            kind=type(failure).__name__,
        ) from None


def _driver(sink: SqlSink) -> Callable[[], Any]:
    """What opens the database."""
    match urlsplit(sink.url).scheme:
        case "sqlite":
            with Needs("sql", "Writing to SQLite needs the package adbc-driver-sqlite.", SourceError):
                from adbc_driver_sqlite import dbapi as sqlite

            return lambda: sqlite.connect(file_of(sink.url))
        case "postgresql" | "postgres":
            with Needs("sql", "Writing to PostgreSQL needs the package adbc-driver-postgresql.", SourceError):
                from adbc_driver_postgresql import dbapi as postgres

            return lambda: postgres.connect(with_password(sink.url, sink.password))
        case scheme:
            raise SourceError(
                "A database is named by sqlite:///, postgresql:// or duckdb:///; got {scheme!r}.",
                "use one of these, or publish to a file and load it.",
                scheme=scheme,
            )


def file_of(url: str) -> str:
    """The path in `sqlite:///file.db` (four slashes: an absolute one).

    Example:
        >>> file_of("sqlite:///a/b.db"), file_of("duckdb:////c.duckdb")
        ('a/b.db', '/c.duckdb')
    """
    return unquote(urlsplit(url).path.removeprefix("/"))


def _to_duckdb(table: DuckTable, sink: SqlSink) -> None:
    """Attach the file, create, commit, detach."""
    with guarded():
        place = f"{workspace_of(table.connection).catalog}_target"
        target = f"{place}.{identifier(sink.written)}"
        table.connection.execute(f"ATTACH {literal(file_of(sink.url))} AS {place}")
        try:
            _refuse_existing(table, sink, place)
            table.connection.execute("BEGIN")
            try:
                table.connection.execute(f"CREATE TABLE {target} AS {in_order(table)}")
            except BaseException:
                table.connection.execute("ROLLBACK")
                raise
            table.connection.execute("COMMIT")
        finally:
            table.connection.execute(f"DETACH {place}")


def _refuse_existing(table: DuckTable, sink: SqlSink, place: str) -> None:
    """An existing table or view is not touched."""
    known = table.connection.execute(
        "SELECT count(*) FROM information_schema.tables WHERE table_catalog = ? AND table_name = ?",
        [place, sink.table],
    ).fetchall()
    if known[0][0]:
        raise _exists(sink)


def _exists(sink: SqlSink) -> SourceError:
    """The table is already there."""
    return SourceError(
        "A release never replaces a table; {table!r} is already there.",
        "choose another name, or drop it first.",
        table=sink.table,
    )


def _through_adbc(table: DuckTable, sink: SqlSink) -> None:
    """Stream Arrow batches into a new table."""
    texts = [
        f"{cell_text(name)} AS {identifier(name)}" if native.startswith(("ENUM", "UUID")) else identifier(name)
        for name, native in zip(table.header.names, table.header.types, strict=True)
    ]
    with connected(sink) as (database, cursor):
        if _has(cursor, sink.table):
            raise _exists(sink)
        cursor.adbc_ingest(sink.written, batches(table, ", ".join(texts)), mode="create")
        database.commit()


def _has(cursor: Any, name: str) -> bool:
    """Whether a query on the table succeeds."""
    import adbc_driver_manager

    try:
        cursor.execute(f"SELECT 1 FROM {identifier(name)} LIMIT 0")
        cursor.fetchall()
    except adbc_driver_manager.Error:
        cursor.connection.rollback() if hasattr(cursor, "connection") else None
        return False
    return True
