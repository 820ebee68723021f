"""Who may come in: a token in the first address, then a cookie; nobody from another page, host or port.

Cookies are shared by all ports of a host, so the cookie is sent to one path only, which is drawn when the studio starts and
which no other page knows. The host is checked against names that somebody could make point here; whoever changes something
must come from the studio's own pages.
"""

from __future__ import annotations

import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse

from sfumato.frozen import dataclass
from sfumato.studio import render
from sfumato.studio.roles import ALONE
from sfumato.studio.words import preferred
from sfumato.web.access import Refused
from sfumato.web.policy import guarded_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sfumato.studio.roles import Person

COOKIE, LANGUAGE = "sfumato", "language"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline, and in no frame."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of a report, which is one file with its style inside, and runs nothing."""
MOST_UPLOAD, MOST_FORM = 4 << 30, 4 << 20
"""Bytes of a form that takes a table, and of any other form, at most."""
_SAFE = ("GET", "HEAD")
_guarded = guarded_by(POLICY, "same-origin")


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
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        send = _guarded(send)
        if headers.get(b"host", "") not in self._keys.hosts:
            await refuse(421, "address", scope, receive, send)
        elif scope["method"] not in _SAFE and not self._is_own(headers):
            await refuse(403, "origin", scope, receive, send)
        else:
            await self._met(headers, scope, receive, send)

    async def _met(self, headers: dict[bytes, str], scope: Scope, receive: Receive, send: Send) -> None:
        """Somebody at the right address: let in whoever has the token or the cookie."""
        if scope["path"] == self._keys.path + "/enter":
            await self._enter(scope, receive, send)
        elif scope["path"].startswith(self._keys.path + "/") and self._is_known(headers.get(b"cookie", "")):
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
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told) > most:
            await refuse(413, "large", scope, receive, send, most=most)
            return
        await self._app(scope, _counted(receive, most), send)

    def _is_own(self, headers: dict[bytes, str]) -> bool:
        """Whether a request comes from a page of this very address."""
        origin = headers.get(b"origin", "")
        if self._keys.origin:
            return origin == self._keys.origin
        return origin.partition("://")[2] == headers.get(b"host") and origin.startswith(("http://", "https://"))

    def _is_known(self, cookies: str) -> bool:
        return _same(cookie_in(cookies, COOKIE), self._keys.session)

    async def _enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The first address: the token becomes a cookie, once."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._used or not _same(given, self._keys.token):
            await refuse(403, "used", scope, receive, send)
            return
        self._used = True
        answer = RedirectResponse(self._keys.path + "/", 303)
        answer.set_cookie(COOKIE, self._keys.session, path=self._keys.path, httponly=True, samesite="strict")
        await answer(scope, receive, send)


def cookie_in(header: str, name: str) -> str:
    """A cookie of a request; "": there is none.

    Example:
        >>> cookie_in("a=1; sfumato=x", "sfumato"), cookie_in("", "sfumato")
        ('x', '')
    """
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _counted(receive: Receive, most: int) -> Receive:
    """A way to receive a body that ends once it has more bytes than `most`, whatever it said before."""
    left = most

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise Refused(413, f"A request must have at most {most} bytes.", "open a table that is larger by its path.")
        return message

    return counted


def _same(given: str, kept: str) -> bool:
    """Compared in constant time."""
    first, second = (hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest() for text in (given, kept))
    return hmac.compare_digest(first, second)


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


def language_of(headers: Mapping[str, str]) -> str:
    """The language of a request: that of its cookie, else the first that its browser names.

    Example:
        >>> language_of({"accept-language": "fr-FR"}), language_of({"accept-language": "fr", "cookie": "language=en"})
        ('fr', 'en')
    """
    return preferred(headers.get("accept-language", ""), cookie_in(headers.get("cookie", ""), LANGUAGE))
