"""What teams handed in, in SQLite or PostgreSQL: who, when, in which state, and what the judge said. Secrets by digest alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sfumato.arena.database import PostgresDatabase, SqliteDatabase
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.web.postgresql import URLS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from sfumato.arena.database import Database, Rows

State: TypeAlias = Literal["waiting", "judging", "accepted", "refused", "failed"]
"""Waiting for the judge, with it, accepted or refused by it; failed: it could not be judged, and counts for nothing."""
Noted: TypeAlias = tuple[float, str, str, "int | None"]
"""A line of the audit log: when, who, what, and which file."""
NOBODY = "nobody "
"""Before the name of a team in place of a token's digest, where nobody has one yet."""

_COLUMNS = "id, team, target, at, sha256, state, result, published"


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


class Reused(Exception):
    """Another file was handed in under this name of a request."""


class Attacked(Exception):
    """Somebody has attacked the submission."""


class Store:
    """The contest's tables.

    Args:
        place: a file, made if absent, for its owner alone; or the URL of a PostgreSQL database, `postgresql://…`.

    Raises:
        PlanError: another kind of URL.
        SourceError: it cannot be opened or written.
    """

    def __init__(self, place: Path | str) -> None:
        self._database: Database
        if isinstance(place, Path):
            self._database = SqliteDatabase(place)
        elif place.startswith(URLS):
            self._database = PostgresDatabase(place)
        else:
            raise PlanError("The database of a contest must be postgresql://…; it is another URL.", "correct it.")

    def holding(self) -> AbstractContextManager[Rows]:
        """Nobody else, not the worker either, sees what is done inside until it is done whole."""
        return self._database.whole()

    def identity(self) -> str:
        """A name that was drawn when the tables were made: a folder of files knows by it whose they are."""
        with self._database.whole() as rows:
            drawn = os.urandom(16).hex()
            rows.execute("INSERT INTO arena_about VALUES ('id', ?) ON CONFLICT (name) DO NOTHING", (drawn,))
            return str(rows.execute("SELECT said FROM arena_about WHERE name = 'id'").fetchone()[0])

    def add_team(self, name: str, token_sha256: str, *, now: float) -> bool:
        """A new team, or a new token for one that is there; True: it is new."""
        with self._database.whole() as rows:
            is_new = rows.execute("SELECT 1 FROM arena_teams WHERE name = ?", (name,)).fetchone() is None
            rows.execute(
                "INSERT INTO arena_teams VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token",
                (name, token_sha256),
            )
            note(rows, now, name, "token", None)
            return is_new

    def enter(self, name: str) -> None:
        """A team that has no token yet; one that is there stays as it is."""
        with self._database.whole() as rows:
            rows.execute("INSERT INTO arena_teams VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, NOBODY + name))

    def team_of(self, token_sha256: str) -> str | None:
        """The team with a token; None: nobody's."""
        with self._database.whole() as rows:
            row = rows.execute("SELECT name FROM arena_teams WHERE token = ?", (token_sha256,)).fetchone()
        return None if row is None else str(row[0])

    def teams(self) -> tuple[str, ...]:
        """All of them, by name."""
        with self._database.whole() as rows:
            return tuple(sorted(str(row[0]) for row in rows.execute("SELECT name FROM arena_teams").fetchall()))

    def hand_in(
        self, team: str, target: int | None, sha256: str, *, now: float, most: int, request: str | None = None
    ) -> tuple[int, bool]:
        """Note a file that lies in its place already.

        Args:
            team: whose it is.
            target: the submission that it attacks; None: it is a submission.
            sha256: its digest.
            now: seconds since 1970.
            most: of this team (on this target) that may be handed in; failed ones do not count.
            request: a name of the team's own, under which one file is noted once, however often it is sent, until it failed.

        Returns:
            Its number, and whether it is new.

        Raises:
            TooMany: there are as many.
            Reused: another file has this name of a request.
        """
        with self._database.whole() as rows:
            known = self._sent(rows, team, request)
            if known is not None:
                if (known.target, known.sha256) != (target, sha256):
                    raise Reused
                return known.id, False
            query = "SELECT count(*) FROM arena_files WHERE team = ? AND coalesce(target, 0) = ? AND state <> 'failed'"
            if rows.execute(query, (team, target or 0)).fetchone()[0] >= most:
                raise TooMany
            row = rows.execute(
                "INSERT INTO arena_files (id, team, target, at, sha256, state, request) "
                f"VALUES ({_next('files')}, ?, ?, ?, ?, 'waiting', ?) RETURNING id",
                (team, target, now, sha256, request),
            ).fetchone()
            note(rows, now, team, "attack" if target else "submission", int(row[0]))
            return int(row[0]), True

    @staticmethod
    def _sent(rows: Rows, team: str, request: str | None) -> Handed | None:
        """What was handed in under a name and has not failed; a failed one gives its name back."""
        if request is None:
            return None
        rows.execute(
            "UPDATE arena_files SET request = NULL WHERE team = ? AND request = ? AND state = 'failed'", (team, request)
        )
        found = _files(rows, "team = ? AND request = ?", (team, request))
        return found[0] if found else None

    def sent(self, team: str, request: str) -> Handed | None:
        """What a team handed in under a name of a request; None: nothing."""
        found = self._found("team = ? AND request = ?", (team, request))
        return found[0] if found else None

    def take(self) -> Handed | None:
        """The oldest file that waits, which is then with the judge; None: nothing waits."""
        with self._database.whole() as rows:
            row = rows.execute("SELECT min(id) FROM arena_files WHERE state = 'waiting'").fetchone()
            if row[0] is None:
                return None
            rows.execute("UPDATE arena_files SET state = 'judging' WHERE id = ?", (row[0],))
            return _files(rows, "id = ?", (row[0],))[0]

    def put_back(self) -> None:
        """What was with a judge that is gone waits again."""
        with self._database.whole() as rows:
            rows.execute("UPDATE arena_files SET state = 'waiting' WHERE state = 'judging'")

    def judged(self, file: int, state: State, result: dict[str, Any], *, now: float) -> None:
        """What the judge said of a file that was with it."""
        with self._database.whole() as rows:
            done = rows.execute(
                "UPDATE arena_files SET state = ?, result = ? WHERE id = ? AND state = 'judging' RETURNING id",
                (state, json.dumps(result), file),
            )
            if done.fetchone() is not None:
                note(rows, now, "judge", state, file)

    def again(self, *, now: float) -> int:
        """All files wait for the judge again; how many."""
        with self._database.whole() as rows:
            done = rows.execute("UPDATE arena_files SET state = 'waiting' WHERE state <> 'judging' RETURNING id")
            n = len(done.fetchall())
            note(rows, now, "organiser", "again", None)
            return n

    def publish(self, file: int, team: str, *, now: float, most: int, by: str | None = None) -> bool:
        """Let attackers see a submission that was accepted; False: it is none of the team's that was.

        Args:
            file: its number.
            team: whose it is.
            now: seconds since 1970.
            most: submissions of a team that may be published.
            by: who does it; None: the team.

        Raises:
            TooMany: the team has published as many.
        """
        with self._database.whole() as rows:
            one = _own(rows, file, team)
            if one is None or one.state != "accepted":
                return False
            if one.published is not None:
                return True
            if len(_files(rows, "team = ? AND published IS NOT NULL", (team,))) >= most:
                raise TooMany
            rows.execute("UPDATE arena_files SET published = ? WHERE id = ?", (now, file))
            note(rows, now, by or team, "publish", file)
            return True

    def withdraw(self, file: int, team: str, *, now: float) -> bool:
        """Take back what was published, so that another may be; False: it is no published one of the team's.

        Raises:
            Attacked: somebody has attacked it, and keeps what was found.
        """
        with self._database.whole() as rows:
            one = _own(rows, file, team)
            if one is None or one.published is None:
                return False
            if _files(rows, "target = ? AND state <> 'failed'", (file,)):
                raise Attacked
            rows.execute("UPDATE arena_files SET published = NULL WHERE id = ?", (file,))
            note(rows, now, team, "withdraw", file)
            return True

    def file(self, file: int) -> Handed | None:
        """One file; None: there is none."""
        found = self._found("id = ?", (file,))
        return found[0] if found else None

    def of_team(self, team: str) -> tuple[Handed, ...]:
        """Everything that a team handed in, the newest first."""
        return self._found("team = ?", (team,))

    def published(self) -> tuple[Handed, ...]:
        """Submissions that attackers see, the newest first."""
        return self._found("published IS NOT NULL", ())

    def attacks(self) -> tuple[Handed, ...]:
        """Attacks that count, the newest first; one that is judged again counts as it was until then."""
        return tuple(one for one in self._found("target IS NOT NULL", ()) if counts(one))

    def attacks_on(self, file: int) -> tuple[Handed, ...]:
        """Attacks on one submission that count, the newest first."""
        return tuple(one for one in self._found("target = ?", (file,)) if counts(one))

    def waiting(self) -> int:
        """Files of which the judge has not spoken."""
        with self._database.whole() as rows:
            return int(
                rows.execute("SELECT count(*) FROM arena_files WHERE state IN ('waiting', 'judging')").fetchone()[0]
            )

    def everything(self) -> tuple[Handed, ...]:
        """All files, the newest first."""
        return self._found("0 = 0", ())

    def audit(self) -> list[Noted]:
        """Who did what when, the oldest first."""
        with self._database.whole() as rows:
            found = rows.execute("SELECT at, who, what, file FROM arena_audit ORDER BY id").fetchall()
        return [(at, who, what, file) for at, who, what, file in found]

    def noted(self, who: str, what: str, *, now: float) -> None:
        """Write a line of the audit log about no file."""
        with self._database.whole() as rows:
            note(rows, now, who, what, None)

    def restore(self, teams: Iterable[str], files: Iterable[Handed], audit: Iterable[Noted]) -> bool:
        """Fill empty tables with those of an archive; teams have no tokens then. False: they are not empty."""
        with self._database.whole() as rows:
            if any(rows.execute(f"SELECT 1 FROM arena_{name} LIMIT 1").fetchone() for name in ("teams", "audit")):
                return False
            for team in teams:
                rows.execute("INSERT INTO arena_teams VALUES (?, ?)", (team, NOBODY + team))
            for one in sorted(files, key=lambda one: one.id):
                said = None if one.result is None else json.dumps(one.result)
                row = (one.id, one.team, one.target, one.at, one.sha256, one.state, said, one.published)
                rows.execute(f"INSERT INTO arena_files ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for at, who, what, file in audit:
                note(rows, at, who, what, file)
            return True

    def probe(self) -> None:
        """Write something that means nothing.

        Raises:
            SourceError: the store cannot be written.
        """
        with self._database.whole() as rows:
            rows.execute("INSERT INTO arena_about VALUES ('probed', '') ON CONFLICT (name) DO UPDATE SET said = ''")

    def close(self) -> None:
        """Give it back."""
        self._database.close()

    def _found(self, where: str, values: tuple[object, ...]) -> tuple[Handed, ...]:
        with self._database.whole() as rows:
            return _files(rows, where, values)


def counts(one: Handed) -> bool:
    """Whether what the judge said of a file counts on the board.

    Example:
        >>> counts(Handed(1, "a", 2, 0.0, "", "refused", {"found": None}, None))
        False
    """
    said = one.result or {}
    return one.state not in {"refused", "failed"} and (said.get("found") is not None or said.get("worth") is not None)


def note(rows: Rows, now: float, who: str, what: str, file: int | None) -> None:
    """A line of the audit log."""
    rows.execute(f"INSERT INTO arena_audit VALUES ({_next('audit')}, ?, ?, ?, ?)", (now, who, what, file))


def _next(table: str) -> str:
    """SQL of the number after the last one of a table."""
    return f"(SELECT coalesce(max(id), 0) + 1 FROM arena_{table})"


def _own(rows: Rows, file: int, team: str) -> Handed | None:
    """A submission of a team; None: it has none of this number."""
    found = _files(rows, "id = ? AND team = ? AND target IS NULL", (file, team))
    return found[0] if found else None


def _files(rows: Rows, where: str, values: tuple[object, ...]) -> tuple[Handed, ...]:
    found = rows.execute(f"SELECT {_COLUMNS} FROM arena_files WHERE {where} ORDER BY id DESC", values).fetchall()
    return tuple(
        Handed(number, team, target, at, digest, state, json.loads(result) if result else None, since)
        for number, team, target, at, digest, state, result, since in found
    )
