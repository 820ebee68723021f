"""Totals in PostgreSQL: one transaction for a group of batches; the row of a collection is locked while it is added to."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.collect.store.base import Totals, added, packed, sort_out, unpacked
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.collect.store.base import Arrival, Fate

_TABLES = """
CREATE TABLE IF NOT EXISTS sfumato_collections (name text PRIMARY KEY, digest text NOT NULL, batches bigint NOT NULL,
    reports bigint NOT NULL, totals bytea NOT NULL);
CREATE TABLE IF NOT EXISTS sfumato_seen (collection text, batch text, digest bytea NOT NULL,
    PRIMARY KEY (collection, batch));
CREATE TABLE IF NOT EXISTS sfumato_kept (collection text, batch text, body bytea NOT NULL);
"""


class PostgresStore:
    """A store in a PostgreSQL database; connections that break are opened again at the next use.

    Args:
        url: `postgresql://user@host/database`; passwords come from the environment or a password file.

    Raises:
        SourceError: no server, no right, or psycopg is not installed.
    """

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise SourceError("A PostgreSQL store needs psycopg.", "install `sfumato[server]`.") from error
        self._psycopg: Any = psycopg
        self._url, self._lock = url, Lock()
        self._connection: Any = None
        with self._turn() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(7314269001)")
            cursor.execute(_TABLES)

    def open_collection(self, name: str, digest: str, size: int) -> None:
        """See `Store.open_collection`."""
        with self._turn() as cursor:
            row = (name, digest, packed(np.zeros(size, np.int64)))
            cursor.execute(
                "INSERT INTO sfumato_collections VALUES (%s, %s, 0, 0, %s) ON CONFLICT (name) DO NOTHING", row
            )
            cursor.execute("SELECT digest FROM sfumato_collections WHERE name = %s", (name,))
            if cursor.fetchone()[0] != digest:
                raise SourceError(
                    f"The store holds a collection {name!r} with other parameters.",
                    "give the new collection a new name.",
                )

    def commit(self, arrivals: Sequence[Arrival]) -> list[Fate]:
        """See `Store.commit`."""
        names = sorted({one.collection for one in arrivals})
        with self._turn() as cursor:
            cursor.execute(
                "SELECT name, totals FROM sfumato_collections WHERE name = ANY(%s) ORDER BY name FOR UPDATE", (names,)
            )
            old = {name: unpacked(vector) for name, vector in cursor.fetchall()}
            wanted = ([one.collection for one in arrivals], [one.counted.batch for one in arrivals])
            cursor.execute(
                "SELECT s.collection, s.batch, s.digest FROM sfumato_seen s "
                "JOIN unnest(%s::text[], %s::text[]) w (collection, batch) USING (collection, batch)", wanted,
            )  # fmt: skip
            fates, new = sort_out(arrivals, {(name, batch): bytes(digest) for name, batch, digest in cursor.fetchall()})
            cursor.execute(
                "INSERT INTO sfumato_seen SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[])",
                (
                    [one.collection for one in new],
                    [one.counted.batch for one in new],
                    [one.counted.digest for one in new],
                ),
            )
            kept = [one for one in new if one.kept is not None]
            cursor.execute(
                "INSERT INTO sfumato_kept SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[])",
                ([one.collection for one in kept], [one.counted.batch for one in kept], [one.kept for one in kept]),
            )
            for name, (batches, reports, vector) in added(new).items():
                cursor.execute(
                    "UPDATE sfumato_collections SET batches = batches + %s, reports = reports + %s, totals = %s WHERE name = %s",
                    (batches, reports, packed(old[name] + vector), name),
                )
        return fates

    def totals(self, name: str) -> Totals:
        """See `Store.totals`."""
        with self._turn() as cursor:
            cursor.execute("SELECT batches, reports, totals FROM sfumato_collections WHERE name = %s", (name,))
            batches, reports, vector = cursor.fetchone()
        return Totals(batches, reports, unpacked(vector))

    def close(self) -> None:
        """Give the connection back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    @contextmanager
    def _turn(self) -> Iterator[Any]:
        """One durable transaction; a broken connection is dropped, and its transaction with it."""
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._psycopg.connect(self._url)
                with self._connection.transaction(), self._connection.cursor() as cursor:
                    cursor.execute("SET LOCAL synchronous_commit = on")
                    yield cursor
            except self._psycopg.Error as error:
                if self._connection is not None and self._connection.broken:
                    self._connection = None
                raise SourceError(
                    "The store must be a PostgreSQL server that can be written to; it failed.",
                    "check the server and the url.",
                ) from error
