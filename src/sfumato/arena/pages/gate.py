"""The gate before the pages of a contest: sizes, origins, and who comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse

from sfumato.arena.pages.site import PACKAGE, ROOT
from sfumato.web.pages import render
from sfumato.web.pages.gate import MOST_FORM, SAFE, counted, guarded, is_own, is_within
from sfumato.web.pages.language import language_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.arena.pages.site import Site
    from sfumato.arena.pages.visitor import Visitor

_AROUND = 64 << 10
"""Bytes of a form around its file."""


class Gate:
    """Pages behind their gate.

    Args:
        app: what is behind it.
        site: who may come, and how large a file may be.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through with whoever sent it, or say why not."""
        headers, send = Headers(scope=scope), guarded(send)
        if scope["method"] not in SAFE and not is_own(headers):
            await _refuse(403, "origin", scope, receive, send)
            return
        cookie = self._site.public.given(headers)
        who = await run_in_threadpool(self._site.doors.visitor, cookie)
        most = self._most(scope["path"], who)
        if not is_within(headers, most):
            await _refuse(413, "large", scope, receive, send, most)
            return
        scope.setdefault("state", {})["who"] = who
        await self._app(scope, counted(receive, most, "pack it."), send)

    def _most(self, path: str, who: Visitor | None) -> int:
        """Bytes that a body may have: those of a file only where a team hands one in."""
        hands_in = path == f"{ROOT}/hand-in" or path.endswith("/attack")
        return self._site.arena.limits.body + _AROUND if hands_in and who is not None and who.team else MOST_FORM


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send, most: int = 0) -> None:
    """A page that says why not, in the language of whoever is not let in."""
    language = language_of(Headers(scope=scope))
    text = render.page(PACKAGE, language, "outside.html", why=why, most=most)
    await HTMLResponse(text, status)(scope, receive, send)
