"""Who may come in: a token in the first address, then a cookie; nobody from another page, host or port.

Cookies are shared by all ports of a host, so the cookie is sent to one path only, which is drawn when the studio starts and
which no other page knows. The host is checked against names that somebody could make point here; whoever changes something
must come from the studio's own pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse

from sfumato.frozen import dataclass
from sfumato.studio import render
from sfumato.studio.roles import ALONE
from sfumato.web.pages.gate import MOST_FORM, SAFE, Public, counted, guarded, is_own, is_within, same
from sfumato.web.pages.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.studio.roles import Person

MOST_UPLOAD = 4 << 30
"""Bytes of a form that takes a table, at most."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What lets somebody in.

    Args:
        token: of the first address; it is used once.
        session: of the cookie.
        path: where all pages are; "/" and what was drawn.
        hosts: what the Host of a request may be.
        origin: whence changes may come; "": any of the hosts.
    """

    token: str
    session: str
    path: str
    hosts: frozenset[str]
    origin: str = ""


class Gate:
    """The studio behind its gate.

    Args:
        app: what is behind it.
        keys: what lets somebody in.
        is_upload: whether tables are dropped at an address.
    """

    def __init__(self, app: ASGIApp, keys: Keys, is_upload: Callable[[str], bool]) -> None:
        self._app, self._keys, self._is_upload, self._used = app, keys, is_upload, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, send = Headers(scope=scope), guarded(send)
        if headers.get("host", "") not in self._keys.hosts:
            await refuse(421, "address", scope, receive, send)
        elif scope["method"] not in SAFE and not is_own(headers, self._keys.origin):
            await refuse(403, "origin", scope, receive, send)
        else:
            await self._met(headers, scope, receive, send)

    async def _met(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        """Somebody at the right address: let in whoever has the token or the cookie."""
        if scope["path"] == self._keys.path + "/enter":
            await self._enter(scope, receive, send)
        elif scope["path"].startswith(self._keys.path + "/") and self._is_known(headers):
            await self._let_in(ALONE, scope, receive, send)
        else:
            await refuse(403, "token", scope, receive, send)

    async def _let_in(self, who: Person, scope: Scope, receive: Receive, send: Send) -> None:
        """Somebody who is known; what each may do is decided where the addresses are."""
        scope.setdefault("state", {})["who"] = who
        is_upload = self._takes_tables(scope) and who.changes
        await self._within(MOST_UPLOAD if is_upload else MOST_FORM, scope, receive, send)

    def _takes_tables(self, scope: Scope) -> bool:
        """Whether a request is for the list of projects, or an action, where tables are dropped."""
        return bool(scope["path"] == self._keys.path + "/") or self._is_upload(scope["path"])

    async def _within(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through if its body has at most `most` bytes: by what it says, before any is received; then by count."""
        if not is_within(Headers(scope=scope), most):
            await refuse(413, "large", scope, receive, send, most=most)
            return
        await self._app(scope, counted(receive, most, "open a table that is larger by its path."), send)

    def _is_known(self, headers: Headers) -> bool:
        return same(Public(path=self._keys.path).given(headers), self._keys.session)

    async def _enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The first address: the token becomes a cookie, once."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._used or not same(given, self._keys.token):
            await refuse(403, "used", scope, receive, send)
            return
        self._used = True
        answer = RedirectResponse(self._keys.path + "/", 303)
        Public(path=self._keys.path).keep(answer, self._keys.session)
        await answer(scope, receive, send)


async def refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send, most: int = 0) -> None:
    """A page that says why not, in the language of whoever is not let in.

    Args:
        status: of HTTP.
        why: a key of the sentences in `outside.html`.
        scope: of the request.
        receive: reads it.
        send: answers it.
        most: bytes that its body may have; 0: it is not about that.
    """
    said = language_of(Headers(scope=scope))
    await HTMLResponse(render.page(said, "outside.html", why=why, most=most), status)(scope, receive, send)
