"""Totals in PostgreSQL: one transaction for a group of batches, in one round trip; what it adds is a row of its own.

The totals of a collection are its row and the additions that were not folded into it yet. So a group writes what it
adds, not all totals anew, and locks nothing but its ids, in one order: two servers on one database wait for each other
and never for ever. Every 64th group begins by folding additions into the row, under its lock.

A group is written as if all its ids were new, which no answer need be waited for to say: its ids, its additions and the
end of the transaction are sent together. An id that is on disk, or a collection that is gone, breaks a rule of a table,
and with it the whole transaction; then the group is sorted out in a second one, of two round trips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.collect.store.base import Totals, added, gone, packed, sort_out, unpacked
from sfumato.errors import SourceError
from sfumato.web.postgresql import Durable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.collect.store.base import Arrival, Fate
    from sfumato.types import IntArray

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS sfumato_collections (name text PRIMARY KEY, digest text NOT NULL, batches bigint NOT NULL,
    reports bigint NOT NULL, totals bytea NOT NULL)
""",
    """
CREATE TABLE IF NOT EXISTS sfumato_seen (collection text, batch text, digest bytea NOT NULL,
    PRIMARY KEY (collection, batch))
""",
    """
CREATE TABLE IF NOT EXISTS sfumato_added (collection text NOT NULL, batches bigint NOT NULL, reports bigint NOT NULL,
    vector bytea NOT NULL)
""",
    "CREATE TABLE IF NOT EXISTS sfumato_kept (collection text, batch text, body bytea NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sfumato_probed (one int PRIMARY KEY, at timestamptz NOT NULL)",
)
_PROBE = """
INSERT INTO sfumato_probed VALUES (1, now()) ON CONFLICT (one) DO UPDATE SET at = excluded.at
"""
_FRESH = "SELECT to_regclass('sfumato_added') IS NULL"
_UNCOMPRESSED = (
    "ALTER TABLE sfumato_collections ALTER COLUMN totals SET STORAGE EXTERNAL",
    "ALTER TABLE sfumato_added ALTER COLUMN vector SET STORAGE EXTERNAL",
)
"""Vectors are written again and again: to compress them each time costs more than it saves."""
_FOLDED = 64
"""Groups between two folds: what readers add up stays short."""

_INSERT_COLLECTION = "INSERT INTO sfumato_collections VALUES (%s, %s, 0, 0, %s) ON CONFLICT (name) DO NOTHING"
_INSERT_SEEN = """
INSERT INTO sfumato_seen SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[])
ON CONFLICT DO NOTHING RETURNING collection, batch
"""
_INSERT_NEW = "INSERT INTO sfumato_seen SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[])"
_STANDING = "SELECT name, octet_length(totals) FROM sfumato_collections WHERE name = ANY(%s)"
_SEEN = """
SELECT s.collection, s.batch, s.digest FROM sfumato_seen s
JOIN unnest(%s::text[], %s::text[]) w (collection, batch) USING (collection, batch)
"""
_INSERT_KEPT = "INSERT INTO sfumato_kept SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[])"
_ADD = """
INSERT INTO sfumato_added
VALUES ((SELECT name FROM sfumato_collections WHERE name = %s AND octet_length(totals) = %s), %s, %s, %s)
"""
"""Without such a collection there is no name, and an addition must have one."""
_TOTALS = """
SELECT true AS whole, batches, reports, totals FROM sfumato_collections WHERE name = %s
UNION ALL SELECT false, batches, reports, vector FROM sfumato_added WHERE collection = %s ORDER BY whole DESC
"""
_LOCK = "SELECT batches, reports, totals FROM sfumato_collections WHERE name = %s FOR UPDATE"
_TAKE = "DELETE FROM sfumato_added WHERE collection = %s RETURNING batches, reports, vector"
_UPDATE = "UPDATE sfumato_collections SET batches = %s, reports = %s, totals = %s WHERE name = %s"


class PostgresStore:
    """A store in a PostgreSQL database; connections that break are opened again at the next use.

    Args:
        url: `postgresql://user@host/database`; passwords come from the environment or a password file.

    Raises:
        SourceError: no server, no right, or psycopg is not installed.
    """

    def __init__(self, url: str) -> None:
        self._line, self._groups = Durable(url), 0
        with self._line.turn() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(7314269001)")
            (fresh,) = connection.execute(_FRESH).fetchone()
            for statement in (*_TABLES, *(_UNCOMPRESSED if fresh else ())):
                connection.execute(statement)

    def open_collection(self, name: str, digest: str, size: int) -> None:
        """See `Store.open_collection`."""
        with self._line.turn() as connection:
            connection.execute(_INSERT_COLLECTION, (name, digest, packed(np.zeros(size, np.int64))))
            row = connection.execute("SELECT digest FROM sfumato_collections WHERE name = %s", (name,)).fetchone()
            if row[0] != digest:
                raise SourceError(
                    "The store holds a collection {name!r} with other parameters.",
                    "give the new collection a new name.",
                    name=name,
                )

    def commit(self, arrivals: Sequence[Arrival]) -> list[Fate]:
        """See `Store.commit`."""
        first: dict[tuple[str, str], bytes] = {}
        for one in arrivals:
            first.setdefault((one.collection, one.counted.batch), one.counted.digest)
        self._fold_at_times({name for name, _batch in first})
        try:
            return self._as_new(arrivals, first)
        except SourceError as error:
            if not self._line.broke_a_rule(error):
                raise
        return self._sorted_out(arrivals, first)

    def _as_new(self, arrivals: Sequence[Arrival], first: Mapping[tuple[str, str], bytes]) -> list[Fate]:
        """Write a group of which no id is on disk, without waiting for any answer but the last."""
        fates, new = sort_out(arrivals, {})
        adding = added(new)
        with self._line.turn() as connection:
            connection.execute(_INSERT_NEW, _columns(sorted((*key, first[key]) for key in first)))
            self._add(connection, new, adding)
        return fates

    def _sorted_out(self, arrivals: Sequence[Arrival], first: Mapping[tuple[str, str], bytes]) -> list[Fate]:
        """Write what is new in a group."""
        with self._line.turn() as connection:
            inserted = connection.execute(_INSERT_SEEN, _columns(sorted((*key, first[key]) for key in first)))
            standing = connection.execute(_STANDING, (sorted({name for name, _batch in first}),))
            new_ids = set(inserted.fetchall())
            fates, new = sort_out(arrivals, _known(connection, sorted(first.keys() - new_ids)))
            adding, lengths = added(new), dict(standing.fetchall())
            for name, (_batches, _reports, vector) in adding.items():
                if lengths.get(name) != len(packed(vector)):
                    raise gone(name)
            self._add(connection, new, adding)
        return fates

    @staticmethod
    def _add(connection: Any, new: Sequence[Arrival], adding: Mapping[str, tuple[int, int, IntArray]]) -> None:
        """Bodies where they are kept, and what is added; no answer is waited for."""
        kept = [(one.collection, one.counted.batch, one.kept) for one in new if one.kept is not None]
        if kept:
            connection.execute(_INSERT_KEPT, _columns(kept))
        for name, (batches, reports, vector) in adding.items():
            values = (name, len(packed(vector)), batches, reports, _small(vector))
            connection.execute(_ADD, values, binary=True)

    def totals(self, name: str) -> Totals:
        """See `Store.totals`."""
        with self._line.turn() as connection:
            rows = connection.execute(_TOTALS, (name, name), binary=True).fetchall()
        return _summed(name, [row[1:] for row in rows if row[0]], [row[1:] for row in rows if not row[0]])

    def _fold_at_times(self, names: set[str]) -> None:
        """Before every 64th group: additions become part of the rows of its collections, one transaction for each."""
        self._groups += 1
        if self._groups % _FOLDED:
            return
        for name in sorted(names):
            with self._line.turn() as connection:
                whole = connection.execute(_LOCK, (name,), binary=True)
                taken = connection.execute(_TAKE, (name,), binary=True)
                now = _summed(name, whole.fetchall(), taken.fetchall())
                connection.execute(_UPDATE, (now.batches, now.reports, packed(now.vector), name), binary=True)

    def probe(self) -> None:
        """See `Store.probe`."""
        with self._line.turn() as connection:
            connection.execute(_PROBE)

    def close(self) -> None:
        """Give the connection back."""
        self._line.close()


def _summed(name: str, whole: Sequence[tuple[int, int, bytes]], added: Sequence[tuple[int, int, bytes]]) -> Totals:
    """The row of a collection and its additions."""
    if not whole:
        raise gone(name)
    batches, reports, totals = whole[0]
    vector = unpacked(totals)
    for more_batches, more_reports, more in added:
        batches, reports = batches + more_batches, reports + more_reports
        vector += np.frombuffer(more, f"<i{len(more) // len(vector)}")
    return Totals(batches, reports, vector)


def _small(vector: IntArray) -> bytes:
    """A vector in as few bytes an entry, 2, 4 or 8, as its largest one needs; the length says how many."""
    most = max(int(vector.max(initial=0)), -int(vector.min(initial=0)))
    width = next(width for width in (2, 4, 8) if most < 1 << (8 * width - 1))
    return vector.astype(f"<i{width}").tobytes()


def _known(connection: Any, ids: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """Digests of ids that are on disk; without ids nothing is asked."""
    if not ids:
        return {}
    found = connection.execute(_SEEN, _columns(ids)).fetchall()
    return {(collection, batch): bytes(digest) for collection, batch, digest in found}


def _columns(rows: Sequence[tuple[Any, ...]]) -> tuple[list[Any], ...]:
    """Some rows, at least one, as lists of each column."""
    return tuple(list(column) for column in zip(*rows, strict=True))
