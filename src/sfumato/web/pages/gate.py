"""Who may come to a page, and what may be sent to it: cookies, origins, sizes; and the headers of every page.

Cookies are shared by all ports of a host and are sent by the browser alone; so whatever changes something must come from a
page of the very address that it goes to, which browsers say in the header Origin and no page can change.
"""

from __future__ import annotations

import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from sfumato.frozen import dataclass
from sfumato.web.access import Refused
from sfumato.web.policy import guarded_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response
    from starlette.types import Message, Receive, Scope

COOKIE = "sfumato"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline, and in no frame."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of a report, which is one file with its style inside, and runs nothing."""
MOST_FORM = 4 << 20
"""Bytes of a form that takes no file, at most."""
SAFE = ("GET", "HEAD")
"""Methods that change nothing."""
guarded = guarded_by(POLICY, "same-origin")
"""A way to send answers that adds the headers of a page."""


@dataclass(frozen=True, slots=True)
class Public:
    """How pages are reached.

    Args:
        is_secure: whether browsers reach them by https.
        address_header: header in which a proxy tells the address of whoever comes; "": none is believed.
        path: where the pages are, and where alone the cookie is sent; "": everywhere.
    """

    is_secure: bool = False
    address_header: str = ""
    path: str = ""

    @property
    def cookie(self) -> str:
        """Name of the cookie; by https one that no other host and no page without https can set."""
        return f"__Host-{COOKIE}" if self.is_secure and not self.path else COOKIE

    def address(self, scope: Scope) -> str:
        """Where a request comes from: the peer, or what the proxy wrote last into the header that is believed."""
        client = scope.get("client")
        peer = client[0] if client else ""
        told = Headers(scope=scope).getlist(self.address_header) if self.address_header else []
        return told[-1].rpartition(",")[2].strip() if told else peer

    def given(self, headers: Mapping[str, str]) -> str:
        """The cookie that a request brings; "": none."""
        return cookie_in(headers.get("cookie", ""), self.cookie)

    def keep(self, answer: Response, value: str) -> None:
        """Let the browser keep a cookie that no script reads and no other page sends."""
        answer.set_cookie(
            self.cookie, value, path=self.path or "/", httponly=True, samesite="strict", secure=self.is_secure
        )

    def drop(self, answer: Response) -> None:
        """Let the browser forget it."""
        answer.delete_cookie(
            self.cookie, path=self.path or "/", httponly=True, samesite="strict", secure=self.is_secure
        )


def is_own(headers: Mapping[str, str], origin: str = "") -> bool:
    """Whether a request comes from a page of this very address.

    Args:
        headers: of the request.
        origin: whence changes may come; "": whatever host the request is for.

    Example:
        >>> is_own({"host": "a:1", "origin": "http://a:1"}), is_own({"host": "a:1", "origin": "http://b:1"}), is_own({"host": "a:1"})
        (True, False, False)
    """
    given = headers.get("origin", "")
    if origin:
        return given == origin
    return given.partition("://")[2] == headers.get("host") and given.startswith(("http://", "https://"))


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


def is_within(headers: Mapping[str, str], most: int) -> bool:
    """Whether a body has at most `most` bytes, by what its request says before any is received.

    Example:
        >>> is_within({"content-length": "9"}, 9), is_within({"content-length": "10"}, 9), is_within({"content-length": "x"}, 9)
        (True, False, False)
    """
    told = headers.get("content-length", "0")
    return told.isdigit() and int(told) <= most


def counted(receive: Receive, most: int, remedy: str) -> Receive:
    """A way to receive a body that ends once it has more bytes than `most`, whatever it said before.

    Args:
        receive: reads it.
        most: bytes.
        remedy: what to do with a larger one.
    """
    left = most

    async def received() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise Refused(413, f"A request must be at most {most} bytes.", remedy)
        return message

    return received


def same(given: str, kept: str) -> bool:
    """Whether two secrets are the same; compared in constant time.

    Example:
        >>> same("a", "a"), same("", "a")
        (True, False)
    """
    first, second = (hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest() for text in (given, kept))
    return hmac.compare_digest(first, second)
