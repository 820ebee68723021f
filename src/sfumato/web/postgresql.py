"""One connection to a PostgreSQL server that threads share, opened when it is needed, whose transactions are durable."""

from __future__ import annotations

from contextlib import contextmanager
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

        Raises:
            SourceError: no server, no right, or a statement that failed; nothing was written.
        """
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._psycopg.connect(self._url, autocommit=True)
                with self._connection.pipeline(), self._connection.transaction():
                    self._connection.execute("SET LOCAL synchronous_commit = on")
                    yield self._connection
            except self._psycopg.Error as error:
                if self._connection is not None and self._connection.broken:
                    self._connection = None
                raise SourceError(
                    "The store must be a PostgreSQL server that can be written to; it failed.",
                    "check the server and the url.",
                ) from error

    def close(self) -> None:
        """Give the connection back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
