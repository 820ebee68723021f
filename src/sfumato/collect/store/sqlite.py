"""Totals in one SQLite file: write-ahead log, full sync, one transaction for a group of batches."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.ledger.sqlite import open_private
from sfumato.collect.store.base import Totals, added, gone, packed, sort_out, unpacked
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.collect.store.base import Arrival, Fate

_TABLES = """
CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, digest TEXT NOT NULL, batches INTEGER NOT NULL,
    reports INTEGER NOT NULL, totals BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS seen (collection TEXT, batch TEXT, digest BLOB NOT NULL,
    PRIMARY KEY (collection, batch)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (collection TEXT, batch TEXT, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS probed (one INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT;
"""
_AT_ONCE = 500
"""Ids looked up in one statement."""


class SqliteStore:
    """A store in one file, and SQLite's two beside it.

    Args:
        path: the file; made if absent, for its owner alone (0600); one that stands there keeps its mode.

    Raises:
        SourceError: the file cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._lock, self._path = Lock(), path
        with _explained():
            self._connection = open_private(path, _TABLES, synchronous="FULL")
            self._files = self._places()

    def open_collection(self, name: str, digest: str, size: int) -> None:
        """See `Store.open_collection`."""
        with self._turn() as connection:
            found = connection.execute("SELECT digest FROM collections WHERE name = ?", (name,)).fetchone()
            if found is None:
                row = (name, digest, packed(np.zeros(size, np.int64)))
                connection.execute("INSERT INTO collections VALUES (?, ?, 0, 0, ?)", row)
            elif found[0] != digest:
                raise SourceError(
                    "The store holds a collection {name!r} with other parameters.",
                    "give the new collection a new name.",
                    name=name,
                )

    def commit(self, arrivals: Sequence[Arrival]) -> list[Fate]:
        """See `Store.commit`."""
        with self._turn() as connection:
            fates, new = sort_out(arrivals, _known(connection, arrivals))
            ids = [(one.collection, one.counted.batch, one.counted.digest) for one in new]
            connection.executemany("INSERT INTO seen VALUES (?, ?, ?)", ids)
            kept = [(one.collection, one.counted.batch, one.kept) for one in new if one.kept is not None]
            connection.executemany("INSERT INTO kept VALUES (?, ?, ?)", kept)
            for name, (batches, reports, vector) in added(new).items():
                found = connection.execute("SELECT totals FROM collections WHERE name = ?", (name,)).fetchone()
                if found is None:
                    raise gone(name)
                connection.execute(
                    "UPDATE collections SET batches = batches + ?, reports = reports + ?, totals = ? WHERE name = ?",
                    (batches, reports, packed(unpacked(found[0]) + vector), name),
                )
        return fates

    def totals(self, name: str) -> Totals:
        """See `Store.totals`."""
        with self._lock, _explained():
            self._stands()
            query = "SELECT batches, reports, totals FROM collections WHERE name = ?"
            row = self._connection.execute(query, (name,)).fetchone()
        if row is None:
            raise gone(name)
        batches, reports, vector = row
        return Totals(batches, reports, unpacked(vector))

    def probe(self) -> None:
        """See `Store.probe`."""
        with self._turn() as connection:
            connection.execute("INSERT OR REPLACE INTO probed VALUES (1, datetime())")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _turn(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction, in files that stand in their places before it and after."""
        with self._lock, _explained():
            self._stands()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
                self._stands()
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _stands(self) -> None:
        """SQLite goes on writing into files that were removed or replaced; nobody would find that again."""
        if self._places() != self._files:
            raise SourceError(
                "The store's file and its write-ahead log must stand where they were opened; one has vanished.",
                "put the files back, or restore the store and start the server again.",
            )

    def _places(self) -> list[tuple[int, int] | None]:
        """Device and number of the file and of its write-ahead log, as far as they are there."""
        return [_identity(self._path), _identity(Path(f"{self._path}-wal"))]


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and number of a file; None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _known(connection: sqlite3.Connection, arrivals: Sequence[Arrival]) -> dict[tuple[str, str], bytes]:
    """Digests of those ids that are on disk."""
    out: dict[tuple[str, str], bytes] = {}
    by_collection: dict[str, list[str]] = {}
    for one in arrivals:
        by_collection.setdefault(one.collection, []).append(one.counted.batch)
    for name, batches in by_collection.items():
        for start in range(0, len(batches), _AT_ONCE):
            part = batches[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            query = f"SELECT batch, digest FROM seen WHERE collection = ? AND batch IN ({marks})"
            out |= {(name, batch): digest for batch, digest in connection.execute(query, (name, *part))}
    return out


@contextmanager
def _explained() -> Iterator[None]:
    """SQLite's own errors as ours."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        said = f"SQLite says: {error}" if isinstance(error, sqlite3.Error) else error.strerror
        raise SourceError(
            "The store must be a writable SQLite file; {said}.", "check disk, path and rights.", said=said
        ) from error
