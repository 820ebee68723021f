"""Tokens of friends in one SQLite file: who left which, until when. The server cannot read them, and keeps no address."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from sfumato.account.ledger.sqlite import open_private
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TABLES = """
CREATE TABLE IF NOT EXISTS tokens (mailbox TEXT PRIMARY KEY, token BLOB NOT NULL, number INTEGER NOT NULL,
    until REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_token ON tokens (token);
"""


class Friends:
    """What was left.

    Args:
        path: the file; made if absent, for its owner alone.

    Raises:
        SourceError: the file cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        try:
            self._connection = open_private(path, _TABLES, secure_delete="ON")  # what is gone is gone from the file
        except (OSError, sqlite3.Error) as error:
            raise SourceError(
                "The store of tokens {name!r} must be a file that can be written.",
                "choose another place.",
                name=path.name,
            ) from error

    def leave(self, mailbox: str, token: bytes, number: int, *, now: float, seconds: float) -> bool:
        """Put a token into a mailbox; False: its number is not above the last one, and nothing changes.

        Args:
            mailbox: whose.
            token: of a cell, on a day.
            number: rises with each token of a mailbox, so that an old request cannot be sent again.
            now: seconds of the server's clock.
            seconds: after which it is forgotten.
        """
        with self._lock:
            self._forget(now)
            changed = self._connection.execute(
                "INSERT INTO tokens VALUES (?, ?, ?, ?) ON CONFLICT (mailbox) DO UPDATE SET token = excluded.token, "
                "number = excluded.number, until = excluded.until WHERE excluded.number > tokens.number",
                (mailbox, token, number, now + seconds),
            )
            return changed.rowcount > 0

    def near(self, tokens: Sequence[bytes], *, now: float) -> list[str]:
        """Mailboxes that hold one of these tokens, in alphabetical order."""
        with self._lock:
            self._forget(now)
            marks = ", ".join("?" * len(tokens))
            query = f"SELECT mailbox FROM tokens WHERE token IN ({marks}) ORDER BY mailbox"
            return [mailbox for (mailbox,) in self._connection.execute(query, tuple(tokens))]

    def take_back(self, mailbox: str, *, now: float) -> None:
        """Empty a mailbox. Its number stays, so that an old token cannot come back."""
        with self._lock:
            self._forget(now)
            self._connection.execute("UPDATE tokens SET token = zeroblob(0) WHERE mailbox = ?", (mailbox,))

    def probe(self) -> None:
        """Write something that means nothing.

        Raises:
            SourceError: the store cannot be written.
        """
        try:
            with self._lock:
                self._connection.execute("PRAGMA user_version = 1")
        except sqlite3.Error as error:
            raise SourceError("The store of tokens must be writable.", "see to the disk of the server.") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _forget(self, now: float) -> None:
        self._connection.execute("DELETE FROM tokens WHERE until <= ?", (now,))
