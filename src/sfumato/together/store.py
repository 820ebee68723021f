"""Messages on disk: one table in an SQLite file or a PostgreSQL database; what is answered is written durably before.

A store may hold several publications, each under the digest of its terms.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from sfumato.account.ledger.sqlite import open_private
from sfumato.errors import PlanError, SourceError
from sfumato.together.wire import Kind, envelope_from
from sfumato.web.postgresql import URLS, Durable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.together.phases import Store
    from sfumato.together.wire import Envelope

_COLUMNS = "publication, kind, sender, number, pieces, digest, message"
_SQLITE = """
CREATE TABLE IF NOT EXISTS messages (publication TEXT NOT NULL, kind TEXT NOT NULL, sender TEXT NOT NULL,
    number INTEGER NOT NULL, pieces INTEGER NOT NULL, digest TEXT NOT NULL, message BLOB NOT NULL,
    PRIMARY KEY (publication, kind, sender, number)) STRICT;
"""
_LOCK = 7314269003
"""Under which PostgreSQL makes the tables once; no other store of ours has this number."""
_POSTGRES = (
    """
CREATE TABLE IF NOT EXISTS sfumato_together (publication text, kind text, sender text, number int, pieces int NOT NULL,
    digest text NOT NULL, message bytea NOT NULL, PRIMARY KEY (publication, kind, sender, number))
""",
    "ALTER TABLE sfumato_together ALTER COLUMN message SET STORAGE EXTERNAL",
    "CREATE TABLE IF NOT EXISTS sfumato_together_probed (one int PRIMARY KEY, at timestamptz NOT NULL)",
)


class SqliteStore:
    """Messages in one file, for its owner alone.

    Args:
        path: made if absent.
        publication: digest of the terms.

    Raises:
        SourceError: it cannot be opened or written.
    """

    def __init__(self, path: Path, publication: str) -> None:
        self._lock, self._name = RLock(), publication
        try:
            self._connection = open_private(path, _SQLITE, synchronous="FULL")
        except (OSError, sqlite3.Error) as error:
            raise SourceError(
                "The store of a joint publication {name!r} must be a file that can be written.", "choose another place.",
                name=path.name,
            ) from error  # fmt: skip

    def put(self, messages: Sequence[Envelope]) -> bool:
        """See `Store.put`."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    good = all(self._one(message) for message in messages)
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT" if good else "ROLLBACK")
            except sqlite3.Error as error:
                raise _unwell() from error
            return good

    def _one(self, message: Envelope) -> bool:
        self._connection.execute(
            f"INSERT INTO messages ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            _row(self._name, message),
        )
        found = self._connection.execute(
            "SELECT digest FROM messages WHERE publication = ? AND kind = ? AND sender = ? AND number = ?",
            _row(self._name, message)[:4],
        ).fetchone()
        return bool(found[0] == message.digest)

    def get(self, kind: Kind, sender: str, number: int) -> Envelope | None:
        """See `Store.get`."""
        with self._lock:
            row = self._connection.execute(
                "SELECT message FROM messages WHERE publication = ? AND kind = ? AND sender = ? AND number = ?",
                (self._name, kind.value, sender, number),
            ).fetchone()
        return None if row is None else envelope_from(row[0])

    def listed(self, kind: Kind) -> list[tuple[str, int, int, str]]:
        """See `Store.listed`."""
        with self._lock:
            return self._connection.execute(
                "SELECT sender, number, pieces, digest FROM messages WHERE publication = ? AND kind = ? ORDER BY sender, number",
                (self._name, kind.value),
            ).fetchall()

    def costs(self) -> dict[str, tuple[int, int]]:
        """See `Store.costs`."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT sender, count(*), sum(length(message)) FROM messages WHERE publication = ? GROUP BY sender",
                (self._name,),
            ).fetchall()
        return {str(sender): (int(n), int(size)) for sender, n, size in rows}

    def probe(self) -> None:
        """See `Store.probe`."""
        try:
            with self._lock:
                self._connection.execute("PRAGMA user_version = 1")
        except sqlite3.Error as error:
            raise _unwell() from error

    def close(self) -> None:
        """See `Store.close`."""
        with self._lock:
            self._connection.close()


class PostgresStore:
    """Messages in a PostgreSQL database; a connection that breaks is opened again at the next use.

    Args:
        url: `postgresql://user@host/database`; passwords come from the environment or a password file.
        publication: digest of the terms.

    Raises:
        SourceError: no server, no right, or psycopg is not installed.
    """

    def __init__(self, url: str, publication: str) -> None:
        self._line, self._name = Durable(url), publication
        self._done(f"SELECT pg_advisory_xact_lock({_LOCK})", *_POSTGRES)

    def put(self, messages: Sequence[Envelope]) -> bool:
        """See `Store.put`."""

        class Other(Exception):
            """Another message stands there."""

        def write(connection: Any) -> None:
            for message in messages:
                row = _row(self._name, message)
                connection.execute(
                    f"INSERT INTO sfumato_together ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                    row, binary=True,
                )  # fmt: skip
                found = connection.execute(
                    "SELECT digest FROM sfumato_together WHERE publication = %s AND kind = %s AND sender = %s AND number = %s",
                    row[:4],
                ).fetchone()
                if found[0] != message.digest:
                    raise Other

        try:
            self._whole(write)
        except Other:
            return False
        return True

    def get(self, kind: Kind, sender: str, number: int) -> Envelope | None:
        """See `Store.get`."""
        query = (
            "SELECT message FROM sfumato_together WHERE publication = %s AND kind = %s AND sender = %s AND number = %s"
        )
        row = self._whole(lambda c: c.execute(query, (self._name, kind.value, sender, number), binary=True).fetchone())
        return None if row is None else envelope_from(bytes(row[0]))

    def listed(self, kind: Kind) -> list[tuple[str, int, int, str]]:
        """See `Store.listed`."""
        query = 'SELECT sender, number, pieces, digest FROM sfumato_together WHERE publication = %s AND kind = %s ORDER BY sender COLLATE "C", number'
        return list(self._whole(lambda c: c.execute(query, (self._name, kind.value)).fetchall()))

    def costs(self) -> dict[str, tuple[int, int]]:
        """See `Store.costs`."""
        query = "SELECT sender, count(*), sum(octet_length(message)) FROM sfumato_together WHERE publication = %s GROUP BY sender"
        rows = self._whole(lambda c: c.execute(query, (self._name,)).fetchall())
        return {str(sender): (int(n), int(size)) for sender, n, size in rows}

    def probe(self) -> None:
        """See `Store.probe`."""
        self._done(
            "INSERT INTO sfumato_together_probed VALUES (1, now()) ON CONFLICT (one) DO UPDATE SET at = excluded.at"
        )

    def close(self) -> None:
        """See `Store.close`."""
        self._line.close()

    def _done(self, *statements: str) -> None:
        self._whole(lambda connection: [connection.execute(one) for one in statements])

    def _whole(self, work: Any) -> Any:
        """One durable transaction."""
        try:
            with self._line.turn() as connection:
                return work(connection)
        except SourceError as error:
            raise _unwell() from error


def store_of(url: str, publication: str) -> Store:
    """The store of a publication at a url.

    Raises:
        PlanError: another kind of url.
        SourceError: the store cannot be opened.
    """
    if url.startswith("sqlite:///"):
        return SqliteStore(Path(url.removeprefix("sqlite:///")), publication)
    if url.startswith(URLS):
        return PostgresStore(url, publication)
    raise PlanError("`store` must be sqlite:///file or postgresql://…; it is another url.", "correct it.")


def _row(publication: str, message: Envelope) -> tuple[str, str, str, int, int, str, bytes]:
    return (
        publication, message.kind.value, message.sender, message.number, message.pieces, message.digest, message.to_bytes(),
    )  # fmt: skip


def _unwell() -> SourceError:
    return SourceError(
        "The store of a joint publication must be writable; it failed.", "check the disk or the server, then go on."
    )
