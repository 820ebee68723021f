"""Who has signed in, and until when: kept in memory by the digest of a cookie, so that a restart ends every session."""

from __future__ import annotations

import hashlib
from dataclasses import field, replace
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.studio.roles import Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.studio.users import Roster

IDLE, LONGEST = 2 * 3600.0, 12 * 3600.0
"""Seconds without a request, and seconds in all, after which a session ends."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that signed in.

    Args:
        name: of the user.
        password: what was kept of the password then; with another one the session is over.
        begun, seen: seconds of the clock, at the beginning and at the newest request.
    """

    name: str
    password: str
    begun: float
    seen: float


@dataclass(slots=True)
class Sessions:
    """All sessions.

    Args:
        roster: the users as they are now.
        clock: seconds that never go back.
        drawn: a new secret text.
    """

    roster: Roster
    clock: Callable[[], float]
    drawn: Callable[[], str]
    _all: dict[str, Session] = field(default_factory=dict)

    def begin(self, name: str) -> str:
        """A session of a user, of whom the password was right; its cookie."""
        now, user = self.clock(), self.roster.user(name)
        self._all = {digest: one for digest, one in self._all.items() if not _is_over(one, now)}
        cookie = self.drawn()
        self._all[_digest(cookie)] = Session(name, user.password if user else "", now, now)
        return cookie

    def person(self, cookie: str) -> Person | None:
        """Who comes with a cookie; None: nobody, or somebody whose session is over or who is no longer a user."""
        digest, now = _digest(cookie), self.clock()
        found = self._all.get(digest)
        user = self.roster.user(found.name) if found else None
        if found is None or user is None or user.password != found.password or _is_over(found, now):
            self._all.pop(digest, None)
            return None
        self._all[digest] = replace(found, seen=now)
        return Person(found.name, user.role)

    def end(self, cookie: str) -> None:
        """Whoever has it goes out."""
        self._all.pop(_digest(cookie), None)


def _is_over(session: Session, now: float) -> bool:
    return now - session.seen >= IDLE or now - session.begun >= LONGEST


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "surrogateescape")).hexdigest()
