"""Who has signed in, and until when: kept in memory by the digest of a cookie, so that a restart ends every session."""

from __future__ import annotations

from dataclasses import field, replace
from threading import Lock
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.web.access import secret_digest

if TYPE_CHECKING:
    from collections.abc import Callable

IDLE, LONGEST = 2 * 3600.0, 12 * 3600.0
"""Seconds without a request, and seconds in all, after which a session ends."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that signed in.

    Args:
        name: who it was.
        kept: what was kept of the secret then; with another one the session is over.
        begun, seen: seconds of the clock, at the beginning and at the newest request.
    """

    name: str
    kept: str
    begun: float
    seen: float


@dataclass(slots=True)
class Sessions:
    """All sessions; several threads may ask at once.

    Args:
        kept_of: what is kept now of the secret of somebody; None: nobody has this name.
        clock: seconds that never go back.
        drawn: a new secret text.

    Example:
        >>> secrets = {"ada": "digest"}
        >>> sessions = Sessions(secrets.get, lambda: 0.0, lambda: "drawn")
        >>> cookie = sessions.begin("ada"); sessions.name(cookie), sessions.name("another")
        ('ada', None)
        >>> secrets["ada"] = "another"; sessions.name(cookie)
    """

    kept_of: Callable[[str], str | None]
    clock: Callable[[], float]
    drawn: Callable[[], str]
    _all: dict[str, Session] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def begin(self, name: str) -> str:
        """A session of somebody whose secret was right; its cookie."""
        now, cookie, kept = self.clock(), self.drawn(), self.kept_of(name) or ""
        with self._lock:
            self._all = {digest: one for digest, one in self._all.items() if not _is_over(one, now)}
            self._all[secret_digest(cookie)] = Session(name, kept, now, now)
        return cookie

    def name(self, cookie: str) -> str | None:
        """Who comes with a cookie; None: nobody, or somebody whose session is over or whose secret is another one now."""
        found = self.session(cookie)
        return None if found is None else found.name

    def session(self, cookie: str) -> Session | None:
        """The same with what is kept of the secret, as it is now."""
        digest, now = secret_digest(cookie), self.clock()
        found = self._all.get(digest)
        if found is None or self.kept_of(found.name) != found.kept or _is_over(found, now):
            self._all.pop(digest, None)
            return None
        with self._lock:
            if digest in self._all:
                self._all[digest] = replace(found, seen=now)
        return found

    def end(self, cookie: str) -> None:
        """Whoever has it goes out."""
        self._all.pop(secret_digest(cookie), None)


def _is_over(session: Session, now: float) -> bool:
    return now - session.seen >= IDLE or now - session.begun >= LONGEST
