"""What teams handed in, in one SQLite file: who, when, in which state, and what the judge said. Secrets by digest alone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sfumato.account.ledger.sqlite import open_private
from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

State: TypeAlias = Literal["waiting", "judging", "accepted", "refused", "failed"]
"""Waiting for the judge, with it, accepted or refused by it; failed: it could not be judged, and counts for nothing."""

_TABLES = """
CREATE TABLE IF NOT EXISTS teams (name TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY AUTOINCREMENT, team TEXT NOT NULL REFERENCES teams (name),
    target INTEGER REFERENCES files (id), at REAL NOT NULL, sha256 TEXT NOT NULL, state TEXT NOT NULL, result TEXT,
    published REAL) STRICT;
CREATE INDEX IF NOT EXISTS files_by_team ON files (team, target);
CREATE INDEX IF NOT EXISTS files_that_wait ON files (state) WHERE state IN ('waiting', 'judging');
CREATE TABLE IF NOT EXISTS audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, who TEXT NOT NULL,
    what TEXT NOT NULL, file INTEGER) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Handed:
    """A submission, or an attack on one.

    Args:
        id: counts up over both.
        team: whose it is.
        target: the submission that is attacked; None: it is a submission.
        at: when it was handed in, in seconds since 1970.
        sha256: digest of the file as it was handed in.
        state: how far it is.
        result: what the judge said.
        published: when attackers could first see it; None: they cannot.
    """

    id: int
    team: str
    target: int | None
    at: float
    sha256: str
    state: State
    result: dict[str, Any] | None
    published: float | None


class TooMany(Exception):
    """A quota is used up."""


class Store:
    """The contest's file.

    Args:
        path: made if absent, for its owner alone.

    Raises:
        SourceError: it cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        try:
            self._connection = open_private(path, _TABLES, synchronous="FULL", foreign_keys="ON")
        except (OSError, sqlite3.Error) as error:
            raise SourceError(
                "The store of the contest {name!r} must be a file that can be written.",
                "choose another place.",
                name=path.name,
            ) from error

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Nobody else, not the worker either, sees what is done inside until it is done whole."""
        with self._whole():
            yield

    @contextmanager
    def _whole(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; inside another whole it is a part of that."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def add_team(self, name: str, token_sha256: str, *, now: float) -> bool:
        """A new team, or a new token for one that is there; True: it is new."""
        with self._whole() as db:
            is_new = db.execute("SELECT 1 FROM teams WHERE name = ?", (name,)).fetchone() is None
            db.execute(
                "INSERT INTO teams VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token",
                (name, token_sha256),
            )
            self._note(db, now, name, "token", None)
            return is_new

    def team_of(self, token_sha256: str) -> str | None:
        """The team with a token; None: nobody's."""
        with self._lock:
            row = self._connection.execute("SELECT name FROM teams WHERE token = ?", (token_sha256,)).fetchone()
        return None if row is None else str(row[0])

    def teams(self) -> tuple[str, ...]:
        """All of them, by name."""
        with self._lock:
            return tuple(str(row[0]) for row in self._connection.execute("SELECT name FROM teams ORDER BY name"))

    def hand_in(self, team: str, target: int | None, sha256: str, *, now: float, most: int) -> int:
        """Note a file that lies in its place already.

        Args:
            team: whose it is.
            target: the submission that it attacks; None: it is a submission.
            sha256: its digest.
            now: seconds since 1970.
            most: of this team (on this target) that may be handed in; failed ones do not count.

        Raises:
            TooMany: there are as many.
        """
        with self._whole() as db:
            query = "SELECT count(*) FROM files WHERE team = ? AND target IS ? AND state <> 'failed'"
            if db.execute(query, (team, target)).fetchone()[0] >= most:
                raise TooMany
            row = db.execute(
                "INSERT INTO files (team, target, at, sha256, state) VALUES (?, ?, ?, ?, 'waiting') RETURNING id",
                (team, target, now, sha256),
            ).fetchone()
            self._note(db, now, team, "attack" if target else "submission", int(row[0]))
            return int(row[0])

    def take(self) -> Handed | None:
        """The oldest file that waits, which is then with the judge; None: nothing waits."""
        with self._whole() as db:
            row = db.execute("SELECT min(id) FROM files WHERE state = 'waiting'").fetchone()
            if row[0] is None:
                return None
            db.execute("UPDATE files SET state = 'judging' WHERE id = ?", row)
        return self.file(int(row[0]))

    def put_back(self) -> None:
        """What was with a judge that is gone waits again."""
        with self._whole() as db:
            db.execute("UPDATE files SET state = 'waiting' WHERE state = 'judging'")

    def judged(self, file: int, state: State, result: dict[str, Any], *, now: float) -> None:
        """What the judge said of a file that was with it."""
        with self._whole() as db:
            done = db.execute(
                "UPDATE files SET state = ?, result = ? WHERE id = ? AND state = 'judging'",
                (state, json.dumps(result), file),
            )
            if done.rowcount:
                self._note(db, now, "judge", state, file)

    def again(self, *, now: float) -> int:
        """All files wait for the judge again; how many."""
        with self._whole() as db:
            n = db.execute("UPDATE files SET state = 'waiting' WHERE state <> 'judging'").rowcount
            self._note(db, now, "organiser", "again", None)
            return n

    def publish(self, file: int, team: str, *, now: float, most: int) -> bool:
        """Let attackers see a submission that was accepted; False: it is none of the team's that was.

        Raises:
            TooMany: the team has published as many.
        """
        with self._whole() as db:
            row = db.execute("SELECT team, state, target, published FROM files WHERE id = ?", (file,)).fetchone()
            if row is None or row[0] != team or row[1] != "accepted" or row[2] is not None:
                return False
            if row[3] is not None:
                return True
            if (
                db.execute("SELECT count(*) FROM files WHERE team = ? AND published IS NOT NULL", (team,)).fetchone()[0]
                >= most
            ):
                raise TooMany
            db.execute("UPDATE files SET published = ? WHERE id = ?", (now, file))
            self._note(db, now, team, "publish", file)
            return True

    def file(self, file: int) -> Handed | None:
        """One file; None: there is none."""
        found = self._files("id = ?", (file,))
        return found[0] if found else None

    def of_team(self, team: str) -> tuple[Handed, ...]:
        """Everything that a team handed in, the newest first."""
        return self._files("team = ?", (team,))

    def published(self) -> tuple[Handed, ...]:
        """Submissions that attackers see, the newest first."""
        return self._files("published IS NOT NULL", ())

    def attacks(self) -> tuple[Handed, ...]:
        """Attacks that count, the newest first."""
        return self._files("target IS NOT NULL AND state = 'accepted'", ())

    def audit(self) -> list[tuple[float, str, str, int | None]]:
        """Who did what when, the oldest first."""
        with self._lock:
            return self._connection.execute("SELECT at, who, what, file FROM audit ORDER BY id").fetchall()

    def probe(self) -> None:
        """Write something that means nothing.

        Raises:
            SourceError: the store cannot be written.
        """
        try:
            with self._lock:
                self._connection.execute("PRAGMA user_version = 1")
        except sqlite3.Error as error:
            raise SourceError("The store of the contest must be writable.", "see to the disk of the server.") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _files(self, where: str, values: tuple[object, ...]) -> tuple[Handed, ...]:
        with self._lock:
            rows = self._connection.execute(
                f"SELECT id, team, target, at, sha256, state, result, published FROM files WHERE {where} ORDER BY id DESC",
                values,
            ).fetchall()
        return tuple(
            Handed(number, team, target, at, digest, state, json.loads(result) if result else None, since)
            for number, team, target, at, digest, state, result, since in rows
        )

    @staticmethod
    def _note(db: sqlite3.Connection, now: float, who: str, what: str, file: int | None) -> None:
        db.execute("INSERT INTO audit (at, who, what, file) VALUES (?, ?, ?, ?)", (now, who, what, file))
