"""The ledger in a PostgreSQL database that several machines share.

Every writer locks the one row of the format table first, so writers take turns; READ COMMITTED gives each statement
after that a view of what the one before has committed. Commits are synchronous whatever the server's default is, and
a server that does not sync its files (`fsync = off`) is refused.

Source:
    PostgreSQL documentation, "Transaction Isolation", "Explicit Locking" and "Asynchronous Commit".
"""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

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
from sfumato.extras import Needs
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = f"""
CREATE TABLE {LEDGER} (format text NOT NULL);
CREATE TABLE {ENTRIES} (
    sequence bigint PRIMARY KEY,
    previous text NOT NULL UNIQUE,
    body text NOT NULL,
    digest text NOT NULL UNIQUE
);
CREATE FUNCTION sfumato_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'a ledger is append-only'; END $$;
CREATE FUNCTION sfumato_ledger_follow() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT coalesce(max(sequence), 0) + 1 FROM {ENTRIES})
    OR NEW.previous IS DISTINCT FROM coalesce(
        (SELECT digest FROM {ENTRIES} ORDER BY sequence DESC LIMIT 1), '{GENESIS.digest}')
    THEN RAISE EXCEPTION 'a ledger is append-only'; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER sfumato_ledger_no_update BEFORE UPDATE ON {ENTRIES}
    FOR EACH ROW EXECUTE FUNCTION sfumato_ledger_refuse();
CREATE TRIGGER sfumato_ledger_no_delete BEFORE DELETE ON {ENTRIES}
    FOR EACH ROW EXECUTE FUNCTION sfumato_ledger_refuse();
CREATE TRIGGER sfumato_ledger_no_truncate BEFORE TRUNCATE ON {ENTRIES}
    FOR EACH STATEMENT EXECUTE FUNCTION sfumato_ledger_refuse();
CREATE TRIGGER sfumato_ledger_in_order BEFORE INSERT ON {ENTRIES}
    FOR EACH ROW EXECUTE FUNCTION sfumato_ledger_follow();
INSERT INTO {LEDGER} VALUES ('{FORMAT}');
"""
_COLUMNS = "sequence, previous, body, digest"
_REQUEST = f"substr(body, strpos(body, '{MARK}'), {INDEXED}) COLLATE \"C\""
_BESIDE = f"""
CREATE TABLE {CHECKPOINT} (
    place integer PRIMARY KEY,
    sequence bigint NOT NULL,
    head text NOT NULL,
    state text NOT NULL,
    digest text NOT NULL
);
CREATE INDEX {REQUESTS} ON {ENTRIES} (({_REQUEST}));
"""
_RIGHTS = f"""
SELECT has_table_privilege(to_regclass('{CHECKPOINT}'), 'SELECT'),
    has_table_privilege(to_regclass('{CHECKPOINT}'), 'INSERT') AND
    has_table_privilege(to_regclass('{CHECKPOINT}'), 'UPDATE'),
    has_schema_privilege(current_schema(), 'CREATE') AND pg_has_role(relowner, 'USAGE')
FROM pg_class WHERE oid = to_regclass('{ENTRIES}')
"""
"""Whether the user may read the checkpoint, and change it (NULL: there is no table), and make its table."""
_CREATE_LOCK = 8_315_731_604_220_117
"""An arbitrary number, the same for all who make these tables."""
_BATCH = 5_000
_DURABLE = """
SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN ('off', 'local')
"""
"""For this transaction; a server that waits for its replicas goes on doing so."""


@dataclass(slots=True)
class PostgresStore:
    """A ledger in a database.

    Args:
        url: `postgresql://…`, without a password.
        patience: seconds to wait for another process or for the server, > 0.
        password: as somebody typed it; "": the client of the database looks for it.
    """

    url: str
    patience: float
    password: str = field(default="", repr=False, compare=False)
    _connections: dict[int, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, url: str, *, create: bool, patience: float, password: str = "") -> PostgresStore:
        """The store of a database, with its tables.

        Raises:
            LedgerError: a password in the url, no psycopg, no server, a server that forgets, or other tables.
        """
        parts = urlsplit(url)
        if parts.password is not None or "password" in parse_qs(parts.query):
            raise LedgerError(
                "The url of a ledger holds no password; this one does.",
                "take it out and set PGPASSWORD, or use a password file or a service file.",
            )
        store = cls(url, patience, password)
        with store._transaction("BEGIN") as connection:
            _prepare(connection, create=create)
        return store

    @contextmanager
    def writing(self) -> Iterator[PostgresPages]:
        """One transaction that may add entries."""
        with self._transaction("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE") as connection:
            connection.execute(f"SELECT format FROM {LEDGER} FOR UPDATE")
            yield PostgresPages(connection)

    @contextmanager
    def reading(self) -> Iterator[PostgresPages]:
        """One transaction that sees the list at one moment."""
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            yield PostgresPages(connection)

    def close(self) -> None:
        """Give this process's connection back."""
        self._drop()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Any]:
        """A transaction on this process's connection, committed durably; or the connection is closed, which undoes it."""
        try:
            connection = self._begun(begin)
            yield connection
            _commit(connection)
        except BaseException as error:
            is_connected = os.getpid() in self._connections
            self._drop()
            if isinstance(error, _driver().Error):
                raise self._refused(error, is_connected=is_connected) from None
            raise

    def _begun(self, begin: str) -> Any:
        """A connection inside a new transaction; one that the server has closed in between is made anew."""
        limit = f"{math.ceil(self.patience * 1000)}"
        limits = f"SET LOCAL lock_timeout = {limit}; SET LOCAL idle_in_transaction_session_timeout = {limit}"
        start = f"{begin}; {limits}; {_DURABLE}"
        known = self._connections.get(os.getpid())
        if known is not None:
            try:
                known.execute(start)
            except _driver().OperationalError:
                self._drop()
            else:
                return known
        made = self._connected()
        made.execute(start)
        return made

    def _connected(self) -> Any:
        """A new connection of this process, to a server that syncs its files."""
        asked = parse_qs(urlsplit(self.url).query)
        wait = {} if "connect_timeout" in asked else {"connect_timeout": max(2, math.ceil(self.patience))}
        key = {"password": self.password} if self.password else {}
        made = _driver().connect(self.url, autocommit=True, prepare_threshold=None, **wait, **key)
        self._connections[os.getpid()] = made
        if made.execute("SHOW fsync").fetchone() == ("off",):
            self._drop()
            raise LedgerError(
                "The server of a ledger must sync its files; its setting `fsync` is off, so a power cut may forget charges.",
                "set `fsync = on` in postgresql.conf, or use another server.",
            )
        return made

    def _drop(self) -> None:
        """Forget this process's connection; those of other processes are left alone."""
        known = self._connections.pop(os.getpid(), None)
        if known is not None:
            known.close()

    def _refused(self, error: Any, *, is_connected: bool) -> LedgerError:
        """The server's error in our words; its own text stays out."""
        state = f"SQL state {error.sqlstate}" if error.sqlstate else type(error).__name__
        match error.sqlstate:
            case "55P03":
                return LedgerError(
                    "The ledger must be free within {patience:g} seconds; another process held it. Nothing was written.",
                    "try again, or open it with more patience.",
                    patience=self.patience,
                )
            case "42P01" | "42703":
                return unknown_format()
            case "42501" | "25006":
                return LedgerError(
                    "The user must have the right to read and extend the ledger ({state}). Nothing was written.",
                    "grant SELECT and INSERT on its tables and UPDATE on the format table; connect to the primary server.",
                    state=state,
                )
            case None if not is_connected:
                return LedgerError(
                    "The server of the ledger must answer; it does not ({state}). Nothing was written.",
                    "correct the url, start the server, and check where the password comes from.",
                    state=state,
                )
        return unsure(state)


@dataclass(frozen=True, slots=True)
class PostgresPages:
    """The list and its checkpoint, inside one transaction."""

    connection: Any

    def since(self, sequence: int) -> Iterator[Link]:
        """The entries from this one on, in order."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE sequence >= %s ORDER BY sequence LIMIT {_BATCH}"
        while rows := self.connection.execute(query, (sequence,)).fetchall():
            yield from (Link(*row) for row in rows)
            sequence = rows[-1][0] + 1

    def page(self, sequence: int) -> Link | None:
        """One entry, or None if there is none."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE sequence = %s"
        row = self.connection.execute(query, (sequence,)).fetchone()
        return None if row is None else Link(*row)

    def append(self, link: Link) -> None:
        """Add one entry at the end."""
        row = (link.sequence, link.previous, link.body, link.digest)
        self.connection.execute(f"INSERT INTO {ENTRIES} ({_COLUMNS}) VALUES (%s, %s, %s, %s)", row)

    def guarded(self) -> bool:
        """Whether the triggers that keep the list append-only are in force."""
        query = "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgenabled <> 'D'"
        found = {name for (name,) in self.connection.execute(query, (ENTRIES,)).fetchall()}
        return found >= {*GUARDS, "sfumato_ledger_no_truncate"}

    def named(self, start: str) -> Iterator[Link]:
        """The entries that name a request."""
        query = f"SELECT {_COLUMNS} FROM {ENTRIES} WHERE {_REQUEST} >= %s AND {_REQUEST} < %s"
        yield from (Link(*row) for row in self.connection.execute(query, (start, after(start))).fetchall())

    def checkpoint(self) -> Checkpoint | None:
        """The one that is kept."""
        can_read, _, _ = self.connection.execute(_RIGHTS).fetchone()
        query = f"SELECT sequence, head, state, digest FROM {CHECKPOINT}"
        row = self.connection.execute(query).fetchone() if can_read else None
        return None if row is None else Checkpoint(Head(*row[:2]), *row[2:])

    def keep(self, checkpoint: Checkpoint) -> bool:
        """Keep a checkpoint in place of the one before; False: the user may not."""
        _, can_change, can_make = self.connection.execute(_RIGHTS).fetchone()
        if can_change is None and can_make:
            self.connection.execute(_BESIDE)
        elif not can_change:
            return False
        row = (checkpoint.head.entries, checkpoint.head.digest, checkpoint.state, checkpoint.digest)
        self.connection.execute(
            f"INSERT INTO {CHECKPOINT} VALUES (1, %s, %s, %s, %s) ON CONFLICT (place) DO UPDATE SET sequence = "
            "EXCLUDED.sequence, head = EXCLUDED.head, state = EXCLUDED.state, digest = EXCLUDED.digest",
            row,
        )
        return True


def _driver() -> Any:
    """The package psycopg, imported when it is needed."""
    with Needs("server", "A ledger in PostgreSQL needs the package psycopg.", LedgerError):
        import psycopg
    return psycopg


def _commit(connection: Any) -> None:
    """Make the entries durable; a transaction in which a statement failed would be undone without an error."""
    if connection.execute("COMMIT").statusmessage != "COMMIT":
        raise unsure("rolled back")


def _prepare(connection: Any, *, create: bool) -> None:
    """Make the tables where there are none; otherwise see that they are ours."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_CREATE_LOCK,))
    found = connection.execute("SELECT to_regclass(%s), to_regclass(%s)", (LEDGER, ENTRIES)).fetchone()
    if found == (None, None) and create:
        connection.execute(_TABLES)
    elif found == (None, None):
        raise no_ledger("The database")
    elif None in found or connection.execute(f"SELECT format FROM {LEDGER}").fetchall() != [(FORMAT,)]:
        raise unknown_format()
