"""A studio for a team: who signs in with a password, how often somebody may try, and the gate that knows sessions.

What is tried is counted by name and address together, so that nobody is kept out by what others do elsewhere; and by
address alone, more patiently, for those who try many names. A name that nobody has costs as long as one that somebody has.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from sfumato.studio.gate import Gate, refuse
from sfumato.studio.roles import Person
from sfumato.web.access import Refused
from sfumato.web.door import household
from sfumato.web.pages.gate import SAFE
from sfumato.web.pages.sessions import Sessions
from sfumato.web.password import SALT, USUAL, Cost, digest, is_of
from sfumato.web.tries import Tries

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.studio.gate import Keys
    from sfumato.studio.users import Roster
    from sfumato.web.pages.gate import Public

MOST_SIGN_IN: Final = 8192
"""Bytes of the form with which one signs in, at most."""
LOGIN: Final = "/login"
_FREE, _FREE_OF_ADDRESS, _LONGEST_WAIT = 4, 40, 60.0
"""Failures without a wait, of a name from an address and of an address; seconds of the longest wait."""
_AT_ONCE, _MOST_WAITING = 2, 64
"""Passwords that are compared at once (each takes 32 MiB), and tries that may wait for it."""


_LONGEST_NAME = 65
"""Characters of a name by which failures are counted; no user has a longer one."""
_WITHOUT_SESSION = (LOGIN, "/language")


class Wrong(Refused):
    """No user has this name and this password."""

    def __init__(self) -> None:
        super().__init__(401, "No user has this name and this password.", "try again.")


class Team:
    """Who may come in, and who is in.

    Args:
        roster: the users as they are now.
        public: how the studio is reached.
        drawn: a new secret text.
        clock: seconds that never go back.
        cost: of a guess at the password of a name that nobody has: the same as of one that somebody has.
    """

    def __init__(
        self,
        roster: Roster,
        public: Public,
        drawn: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
        cost: Cost = USUAL,
    ) -> None:
        self.roster, self.public = roster, public
        self.sessions = Sessions(self._kept_of, clock, drawn)
        self._clock, self._nobody = clock, digest(drawn(), bytes(SALT), cost)
        self._by_name, self._by_address = Tries(_FREE, _LONGEST_WAIT), Tries(_FREE_OF_ADDRESS, _LONGEST_WAIT)
        self._turns, self._waiting = asyncio.Semaphore(_AT_ONCE), 0

    async def sign_in(self, name: str, password: str, address: str) -> str:
        """The cookie of a new session.

        Raises:
            Refused: the password is wrong, or was too often.
        """
        peer, now = household(address[:64]), self._clock()
        tried = (name[:_LONGEST_NAME], peer)
        wait = max(self._by_name.wait(tried, now), self._by_address.wait(peer, now))
        if wait > 0 or self._waiting >= _MOST_WAITING:
            raise Refused(429, "Too many tries have failed.", "wait a minute, then try again.", wait=max(wait, 1.0))
        self._by_name.count(tried, now)
        self._by_address.count(peer, now)
        user = self.roster.user(name)
        kept = user.password if user else self._nobody
        if not await self._compared(kept, password) or user is None:
            raise Wrong
        self._by_name.forgive(tried)
        self._by_address.forgive(peer, once=True)
        return self.sessions.begin(name)

    def person(self, cookie: str) -> Person | None:
        """Who comes with a cookie; None: nobody, or somebody whose session is over or who is no longer a user."""
        name = self.sessions.name(cookie)
        user = None if name is None else self.roster.user(name)
        return None if name is None or user is None else Person(name, user.role)

    def _kept_of(self, name: str) -> str | None:
        user = self.roster.user(name)
        return None if user is None else user.password

    async def _compared(self, kept: str, password: str) -> bool:
        """Whether a password is right; few at once."""
        self._waiting += 1
        try:
            async with self._turns:
                return bool(await run_in_threadpool(is_of, kept, password))
        finally:
            self._waiting -= 1


class TeamGate(Gate):
    """The studio of a team behind its gate.

    Args:
        app: what is behind it.
        keys: where it is, and whence changes may come.
        is_upload: whether tables are dropped at an address.
        team: who may come in.
    """

    def __init__(self, app: ASGIApp, keys: Keys, is_upload: Callable[[str], bool], team: Team) -> None:
        super().__init__(app, keys, is_upload)
        self._team = team

    async def _met(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        """Whoever has no session sees styles and the page where one signs in."""
        inner = scope["path"].removeprefix(self._keys.path)
        who = self._team.person(self._team.public.given(headers))
        if not scope["path"].startswith(self._keys.path + "/"):
            await refuse(404, "elsewhere", scope, receive, send)
        elif inner in _WITHOUT_SESSION or (inner.startswith("/static/") and scope["method"] in SAFE):
            scope.setdefault("state", {})["who"] = who
            await self._within(MOST_SIGN_IN, scope, receive, send)
        elif who is not None:
            await self._let_in(who, scope, receive, send)
        elif scope["method"] in SAFE:
            await RedirectResponse(self._keys.path + LOGIN, 303)(scope, receive, send)
        else:
            await refuse(403, "session", scope, receive, send)
