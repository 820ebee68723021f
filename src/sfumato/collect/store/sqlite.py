"""Totals in one SQLite file: write-ahead log, full sync, one transaction for a group of batches."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from sfumato.collect.store.base import Totals, added, packed, sort_out, unpacked
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sfumato.collect.store.base import Arrival, Fate

_TABLES = """
CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, digest TEXT NOT NULL, batches INTEGER NOT NULL,
    reports INTEGER NOT NULL, totals BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS seen (collection TEXT, batch TEXT, digest BLOB NOT NULL,
    PRIMARY KEY (collection, batch)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (collection TEXT, batch TEXT, body BLOB NOT NULL) STRICT;
"""
_AT_ONCE = 500
"""Ids looked up in one statement."""


class SqliteStore:
    """A store in one file.

    Args:
        path: the file; made if absent.

    Raises:
        SourceError: the file cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        with _explained():
            self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(_TABLES)

    def open_collection(self, name: str, digest: str, size: int) -> None:
        """See `Store.open_collection`."""
        with self._turn() as connection:
            found = connection.execute("SELECT digest FROM collections WHERE name = ?", (name,)).fetchone()
            if found is None:
                row = (name, digest, packed(np.zeros(size, np.int64)))
                connection.execute("INSERT INTO collections VALUES (?, ?, 0, 0, ?)", row)
            elif found[0] != digest:
                raise SourceError(
                    f"The store holds a collection {name!r} with other parameters.",
                    "give the new collection a new name.",
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
                (old,) = connection.execute("SELECT totals FROM collections WHERE name = ?", (name,)).fetchone()
                connection.execute(
                    "UPDATE collections SET batches = batches + ?, reports = reports + ?, totals = ? WHERE name = ?",
                    (batches, reports, packed(unpacked(old) + vector), name),
                )
        return fates

    def totals(self, name: str) -> Totals:
        """See `Store.totals`."""
        with self._lock, _explained():
            query = "SELECT batches, reports, totals FROM collections WHERE name = ?"
            batches, reports, vector = self._connection.execute(query, (name,)).fetchone()
        return Totals(batches, reports, unpacked(vector))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _turn(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction."""
        with self._lock, _explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


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
    except sqlite3.Error as error:
        raise SourceError(
            f"The store must be a writable SQLite file; SQLite says: {error}.", "check disk, path and rights."
        ) from error
