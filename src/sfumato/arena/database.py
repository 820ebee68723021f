"""Where a contest's tables are: one SQLite file, or a PostgreSQL database by its URL. Both speak the SQL of `store`."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from sfumato.account.ledger.sqlite import open_private
from sfumato.errors import SourceError
from sfumato.web.postgresql import Durable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

_LOCK = 7314269002
"""What writers of a contest in PostgreSQL wait for."""
_TABLES = """
CREATE TABLE IF NOT EXISTS arena_about (name TEXT PRIMARY KEY, said TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS arena_teams (name TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS arena_files (id INTEGER PRIMARY KEY, team TEXT NOT NULL REFERENCES arena_teams (name),
    target INTEGER REFERENCES arena_files (id), at DOUBLE PRECISION NOT NULL, sha256 TEXT NOT NULL, state TEXT NOT NULL,
    result TEXT, published DOUBLE PRECISION, request TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS arena_files_by_request ON arena_files (team, request);
CREATE INDEX IF NOT EXISTS arena_files_by_team ON arena_files (team, target);
CREATE INDEX IF NOT EXISTS arena_files_that_wait ON arena_files (state) WHERE state IN ('waiting', 'judging');
CREATE TABLE IF NOT EXISTS arena_audit (id INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
    what TEXT NOT NULL, file INTEGER);
"""
"""Numbers count up by what stands there, under the lock of whoever writes."""


class Rows(Protocol):
    """Somewhere to ask."""

    def execute(self, sql: str, values: Sequence[object] = ()) -> Any:
        """A cursor of rows. Values stand at question marks."""
        ...


class Database(Protocol):
    """A contest's tables."""

    def whole(self) -> AbstractContextManager[Rows]:
        """A durable transaction beside which nobody writes: all of it or nothing; inside another one it is a part of that.

        Raises:
            SourceError: the database failed; nothing was written.
        """
        ...

    def close(self) -> None:
        """Give it back."""
        ...


class SqliteDatabase:
    """One file, for its owner alone.

    Args:
        path: made if absent.

    Raises:
        SourceError: it cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        try:
            self._connection = open_private(path, _TABLES, synchronous="FULL", foreign_keys="ON")
        except (OSError, sqlite3.Error) as error:
            raise SourceError(
                "The store of the contest {name!r} must be a file that can be written.",
                "choose another place.",
                name=path.name,
            ) from error

    @contextmanager
    def whole(self) -> Iterator[Rows]:
        """See `Database.whole`."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                raise SourceError(
                    "The store of the contest must be writable.", "see to the disk of the server."
                ) from error
            except BaseException:
                self._undo()
                raise

    def close(self) -> None:
        """See `Database.close`."""
        with self._lock:
            self._connection.close()

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class PostgresDatabase:
    """A database of its own for one contest.

    Args:
        url: `postgresql://user@host/database`; passwords come from the environment or a password file.

    Raises:
        SourceError: no server, no right, or psycopg is not installed.
    """

    def __init__(self, url: str) -> None:
        self._line, self._lock = Durable(url), RLock()
        self._inside: Rows | None = None
        with self.whole() as rows:
            for statement in _TABLES.split(";")[:-1]:
                rows.execute(statement)

    @contextmanager
    def whole(self) -> Iterator[Rows]:
        """See `Database.whole`."""
        with self._lock:
            if self._inside is not None:
                yield self._inside
                return
            with self._line.turn() as connection:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                self._inside = _Marked(connection)
                try:
                    yield self._inside
                finally:
                    self._inside = None

    def close(self) -> None:
        """See `Database.close`."""
        self._line.close()


class _Marked:
    """A connection to PostgreSQL whose values stand at question marks, as SQLite has them."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[object] = ()) -> Any:
        """See `Rows.execute`."""
        return self._connection.execute(sql.replace("?", "%s"), values)
