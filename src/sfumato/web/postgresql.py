"""One connection to a PostgreSQL server that threads share, opened when it is needed, whose transactions are durable."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from sfumato.errors import SourceError
from sfumato.extras import Needs

if TYPE_CHECKING:
    from collections.abc import Iterator

URLS = ("postgresql://", "postgres://")
"""How the address of a database begins."""


class Durable:
    """A connection that is made anew after it broke.

    Args:
        url: `postgresql://user@host/database`; passwords come from the environment or a password file.

    Raises:
        SourceError: psycopg is not installed.
    """

    def __init__(self, url: str) -> None:
        with Needs("server", "A store in PostgreSQL needs the package psycopg.", SourceError):
            import psycopg
        self._psycopg: Any = psycopg
        self._url, self._lock = url, Lock()
        self._connection: Any = None

    @contextmanager
    def turn(self) -> Iterator[Any]:
        """One durable transaction; a broken connection is dropped, and its transaction with it.

        Statements are sent without waiting for answers that nobody asks for; a transaction of which none is asked for is
        one round trip. `transaction()` of psycopg would wait where it begins and where it ends.

        Raises:
            SourceError: no server, no right, or a statement that failed; nothing was written.
        """
        with self._lock:
            try:
                connection = self._opened()
                with connection.pipeline():
                    connection.execute("BEGIN")
                    connection.execute("SET LOCAL synchronous_commit = on")
                    yield connection
                    connection.execute("COMMIT")
            except self._psycopg.Error as error:
                self._give_up()
                raise SourceError(
                    "The store must be a PostgreSQL server that can be written to; it failed.",
                    "check the server and the url.",
                ) from error
            except BaseException:
                self._give_up()
                raise

    def _opened(self) -> Any:
        """The connection, made anew if it must be."""
        if self._connection is None or self._connection.closed:
            self._connection = self._psycopg.connect(self._url, autocommit=True)
        return self._connection

    def _give_up(self) -> None:
        """Leave nothing of a transaction that failed, and no connection that is broken."""
        if self._connection is None:
            return
        with suppress(self._psycopg.Error):
            self._connection.rollback()
        if self._connection.broken:
            self._connection = None

    def broke_a_rule(self, error: SourceError) -> bool:
        """Whether a turn failed since a statement broke a rule of a table: a key that is there, a value that must be.

        Args:
            error: that the turn raised.
        """
        return isinstance(error.__cause__, self._psycopg.IntegrityError)

    def close(self) -> None:
        """Give the connection back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
