"""A ledger in one file: an SQLite database in rollback mode, with every commit on disk.

Each transaction opens the file anew. So nothing is shared after a fork, and a file that was removed, replaced or
cut is noticed at once. The journal is the default rollback journal, not a write-ahead log: between two transactions
the whole ledger is one file, and a copy of it is a copy of everything. `synchronous = EXTRA` also syncs
the folder after the journal is removed: without it, a power cut right after a commit may bring the journal back and
undo a charge whose answer was already shown.

Source:
    SQLite, "PRAGMA synchronous" and "Atomic Commit In SQLite", sections 3 and 9.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.account.ledger.chain import FORMAT, GENESIS, Checkpoint, Head, Link
from sfumato.account.ledger.store import (
    CHECKPOINT,
    ENTRIES,
    GUARDS,
    INDEXED,
    LEDGER,
    MARK,
    REQUESTS,
    after,
    no_ledger,
    unknown_format,
    unsure,
)
from sfumato.errors import LedgerError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = f"""
CREATE TABLE {LEDGER} (format TEXT NOT NULL);
CREATE TABLE {ENTRIES} (
    sequence INTEGER PRIMARY KEY,
    previous TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE
);
CREATE TRIGGER sfumato_ledger_no_update BEFORE UPDATE ON {ENTRIES}
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER sfumato_ledger_no_delete BEFORE DELETE ON {ENTRIES}
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER sfumato_ledger_in_order BEFORE INSERT ON {ENTRIES}
WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM {ENTRIES})
  OR NEW.previous IS NOT COALESCE(
    (SELECT digest FROM {ENTRIES} ORDER BY sequence DESC LIMIT 1), '{GENESIS.digest}')
  OR EXISTS (SELECT 1 FROM {ENTRIES} WHERE digest = NEW.digest)
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
INSERT INTO {LEDGER} VALUES ('{FORMAT}');
"""
"""The last trigger also stops INSERT OR REPLACE, which removes rows without asking the trigger on DELETE."""

_COLUMNS = "sequence, previous, body, digest"
_REQUEST = f"substr(body, instr(body, '{MARK}'), {INDEXED})"
_TABLE = f"""
CREATE TABLE IF NOT EXISTS {CHECKPOINT} (
    place INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    head TEXT NOT NULL,
    state TEXT NOT NULL,
    digest TEXT NOT NULL
)
"""
_INDEX = f"CREATE INDEX IF NOT EXISTS {REQUESTS} ON {ENTRIES} ({_REQUEST})"


@dataclass(frozen=True, slots=True)
class SqliteStore:
    """A ledger in one file; a new one is for its owner alone (0600).

    Args:
        path: of the file, absolute.
        patience: seconds to wait for another process, > 0.
    """

    path: Path
    patience: float

    @classmethod
    def open(cls, path: Path, *, create: bool, patience: float) -> SqliteStore:
        """The store of a file, with its tables.

        Raises:
            LedgerError: no such folder or file, something else in it, a file that cannot be written, or a lock.
        """
        store = cls(path.resolve(), patience)
        if not store.path.parent.is_dir():
            raise LedgerError(
                "The folder of the ledger {name!r} must exist; it does not.", "create the folder.", name=path.name
            )
        if not create and not store.path.exists():
            raise no_ledger(f"The file {path.name!r}")
        if create:
            try:
                make_private(store.path)
            except OSError as error:
                raise LedgerError(
                    "The ledger {name!r} and its folder must be writable ({strerror}). Nothing was written.",
                    "correct the rights or the path.",
                    name=path.name,
                    strerror=error.strerror,
                ) from None
        with store._transaction("BEGIN IMMEDIATE", "rwc" if create else "rw") as connection:
            _prepare(connection, create=create)
        return store

    @contextmanager
    def writing(self) -> Iterator[SqlitePages]:
        """One transaction that may add entries."""
        with self._transaction("BEGIN IMMEDIATE", "rw") as connection:
            yield SqlitePages(connection)

    @contextmanager
    def reading(self) -> Iterator[SqlitePages]:
        """One transaction that sees the list at one moment."""
        with self._transaction("BEGIN", "rw") as connection:
            yield SqlitePages(connection)

    def close(self) -> None:
        """Nothing is open between transactions."""

    @contextmanager
    def _transaction(self, begin: str, mode: str) -> Iterator[sqlite3.Connection]:
        """A connection of its own, committed durably or rolled back, and closed."""
        connection = None
        try:
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}", uri=True, timeout=self.patience, isolation_level=None
            )
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute(begin)
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._refused(error) from None
        finally:
            if connection is not None:
                connection.close()

    def _refused(self, error: sqlite3.Error) -> LedgerError:
        """SQLite's error in our words; its own text stays out."""
        state = getattr(error, "sqlite_errorname", None) or type(error).__name__
        if state.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return LedgerError(
                "The ledger must be free within {patience:g} seconds; another process held it. Nothing was written.",
                "try again, or open it with more patience.",
                patience=self.patience,
            )
        if state.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
            return LedgerError(
                "The ledger {path!r} and its folder must be readable and writable ({state}). Nothing was written.",
                "correct the rights or the path, or do not ask on a read-only medium.",
                path=self.path.name,
                state=state,
            )
        if state.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            return LedgerError(
                "The file {path!r} must be an intact SQLite database; it is not ({state}).",
                "correct the url, or restore the ledger from a backup that verifies.",
                path=self.path.name,
                state=state,
            )
        return unsure(state)


@dataclass(frozen=True, slots=True)
class SqlitePages:
    """The list and its checkpoint, inside one transaction."""

    connection: sqlite3.Connection

    def since(self, sequence: int) -> Iterator[Link]:
        """The entries from this one on, in order."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE sequence >= ? ORDER BY sequence"
        for row in self.connection.execute(query, (sequence,)):
            yield Link(*row)

    def page(self, sequence: int) -> Link | None:
        """One entry, or None if there is none."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE sequence = ?"
        row = self.connection.execute(query, (sequence,)).fetchone()
        return None if row is None else Link(*row)

    def append(self, link: Link) -> None:
        """Add one entry at the end."""
        row = (link.sequence, link.previous, link.body, link.digest)
        self.connection.execute(f"INSERT INTO {ENTRIES} ({_COLUMNS}) VALUES (?, ?, ?, ?)", row)

    def guarded(self) -> bool:
        """Whether the triggers that keep the list append-only are in force."""
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
        return {name for (name,) in self.connection.execute(query, (ENTRIES,))} >= GUARDS

    def named(self, start: str) -> Iterator[Link]:
        """The entries that name a request."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE {_REQUEST} >= ? AND {_REQUEST} < ?"
        for row in self.connection.execute(query, (start, after(start))):
            yield Link(*row)

    def checkpoint(self) -> Checkpoint | None:
        """The one that is kept."""
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if self.connection.execute(query, (CHECKPOINT,)).fetchone() is None:
            return None
        row = self.connection.execute(f"SELECT sequence, head, state, digest FROM {CHECKPOINT}").fetchone()
        return None if row is None else Checkpoint(Head(*row[:2]), *row[2:])

    def keep(self, checkpoint: Checkpoint) -> bool:
        """Keep a checkpoint in place of the one before."""
        self.connection.execute(_TABLE)
        self.connection.execute(_INDEX)
        row = (checkpoint.head.entries, checkpoint.head.digest, checkpoint.state, checkpoint.digest)
        self.connection.execute(f"INSERT OR REPLACE INTO {CHECKPOINT} VALUES (1, ?, ?, ?, ?)", row)
        return True


def make_private(path: Path) -> None:
    """Make an empty file for its owner alone (0600), in which SQLite begins; a file that stands there is left as it is.

    SQLite gives its journals the mode of the file.

    Raises:
        OSError: it cannot be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return


def open_private(path: Path, tables: str, **pragmas: str) -> sqlite3.Connection:
    """A file for its owner alone that threads of one process share, with a log that is written ahead.

    Args:
        path: made if absent.
        tables: statements that make what is not there yet.
        pragmas: values of SQLite's settings, by name.

    Raises:
        OSError: it cannot be made.
        sqlite3.Error: it is no database, or cannot be written.
    """
    make_private(path)
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    for name, value in {"journal_mode": "WAL", **pragmas}.items():
        connection.execute(f"PRAGMA {name} = {value}")
    connection.executescript(tables)
    return connection


def _prepare(connection: sqlite3.Connection, *, create: bool) -> None:
    """Make the tables in an empty file; in any other, see that they are ours."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names and create:
        for statement in _statements():
            connection.execute(statement)
        return
    if not names:
        raise no_ledger("The file")
    if not {LEDGER, ENTRIES} <= names:
        raise unknown_format()
    if connection.execute(f"SELECT format FROM {LEDGER}").fetchall() != [(FORMAT,)]:
        raise unknown_format()


def _statements() -> Iterator[str]:
    """The statements one by one: `executescript` would commit the transaction that they belong to."""
    rest = ""
    for line in _TABLES.splitlines():
        rest += line + "\n"
        if sqlite3.complete_statement(rest):
            yield rest
            rest = ""
