"""Every address of a contest's pages, with who may come there."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from sfumato.arena.pages.board import BoardPages
from sfumato.arena.pages.gate import Gate
from sfumato.arena.pages.handing import HandingPages
from sfumato.arena.pages.organise import OrganisePages
from sfumato.arena.pages.rules import RulesPages
from sfumato.arena.pages.site import ROOT, Site, visitor
from sfumato.arena.pages.visitor import Doors
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.web.access import Refused, new_token
from sfumato.web.pages import language
from sfumato.web.pages.gate import SAFE, Public
from sfumato.web.pages.shelf import SHARED
from sfumato.web.static import StaticFiles

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from sfumato.arena.pages.visitor import Visitor
    from sfumato.arena.serving import Arena
    from sfumato.arena.timetable import Timetable
    from sfumato.contest.judge import Judge

STATIC = StaticFiles("sfumato.arena", {"arena.css": "text/css", "arena.js": "text/javascript"}, SHARED)


class May(Enum):
    """Who may come to an address."""

    EVERYBODY = "everybody"
    SIGNED_IN = "signed in"
    TEAM = "team"
    ORGANISER = "organiser"

    def let_in(self, who: Visitor | None) -> bool:
        """Whether somebody may come; None: nobody who has signed in."""
        if self is May.EVERYBODY or who is None:
            return self is May.EVERYBODY
        return self is May.SIGNED_IN or who.is_organiser is (self is May.ORGANISER)


@dataclass(frozen=True, slots=True)
class Way:
    """One address.

    Args:
        path: below the root of the pages.
        method: of HTTP; where it is GET, HEAD is answered too.
        answer: what is answered.
        may: who may come.
    """

    path: str
    method: str
    answer: Callable[[Request], Awaitable[Response]]
    may: May

    def route(self) -> Route:
        """The address, for whoever may come."""

        async def permitted(request: Request) -> Response:
            who = visitor(request)
            if self.may.let_in(who):
                return await self.answer(request)
            if who is None and request.method in SAFE:
                return RedirectResponse(f"{ROOT}/login", 303)
            raise Refused(403, "This page is not for you.", "sign in as somebody else.")

        return Route(self.path, permitted, methods=[self.method])


def pages_app(arena: Arena, judge: Judge, timetable: Timetable, folder: Path, *, is_secure: bool) -> ASGIApp:
    """The pages behind their gate.

    Args:
        arena: what is served.
        judge: what the rules are told from.
        timetable: the phases.
        folder: of the contest's document.
        is_secure: whether browsers come by https.
    """
    public = Public(is_secure, path="" if is_secure else ROOT)
    doors = Doors(arena.store, arena.room.folder, time.monotonic, lambda: new_token(SystemBits())[0])
    site = Site(arena, judge, doors, public)
    app = Starlette(
        routes=[Mount(ROOT, routes=[way.route() for way in ways(site, timetable, folder)])],
        exception_handlers={kind: _failed(site) for kind in (SfumatoError, Refused, HTTPException)},
    )
    return Gate(app, site)


def ways(site: Site, timetable: Timetable, folder: Path) -> tuple[Way, ...]:
    """Every address with who may come there."""
    said = site.arena.contest.table
    rules = RulesPages(site, folder / said.original, None if said.reference is None else folder / said.reference)
    handing, board, organise = HandingPages(site), BoardPages(site), OrganisePages(site, timetable)
    login = _Login(site)
    return (
        Way("/", "GET", rules.show, May.EVERYBODY),
        Way("/board", "GET", board.show, May.EVERYBODY),
        Way("/login", "GET", login.form, May.EVERYBODY),
        Way("/login", "POST", login.enter, May.EVERYBODY),
        Way("/logout", "POST", login.leave, May.EVERYBODY),
        Way("/language", "POST", _language, May.EVERYBODY),
        Way("/static/{file}", "GET", _static, May.EVERYBODY),
        Way("/tables/{table}", "GET", rules.file, May.SIGNED_IN),
        Way("/hand-in", "GET", handing.form, May.TEAM),
        Way("/hand-in", "POST", handing.submit, May.TEAM),
        Way("/own", "GET", handing.own, May.TEAM),
        Way("/attack", "GET", handing.opponents, May.TEAM),
        Way("/files/{number}", "GET", handing.file, May.SIGNED_IN),
        Way("/files/{number}/events", "GET", handing.events, May.SIGNED_IN),
        Way("/files/{number}/release", "GET", handing.release, May.SIGNED_IN),
        Way("/files/{number}/publish", "POST", handing.publish, May.TEAM),
        Way("/files/{number}/withdraw", "POST", handing.withdraw, May.TEAM),
        Way("/files/{number}/attack", "POST", handing.attack, May.TEAM),
        Way("/organise", "GET", organise.show, May.ORGANISER),
        Way("/organise/events", "GET", organise.events, May.ORGANISER),
        Way("/organise/team", "POST", organise.team, May.ORGANISER),
        Way("/organise/phases", "POST", organise.phases, May.ORGANISER),
        Way("/organise/publish", "POST", organise.publish, May.ORGANISER),
        Way("/organise/archive", "POST", organise.archive, May.ORGANISER),
        Way("/organise/again", "POST", organise.again, May.ORGANISER),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Login:
    """In and out."""

    site: Site

    async def form(self, request: Request) -> Response:
        """Where a token is typed."""
        return self.site.answer(request, "login.html", here="login", wrong=False)

    async def enter(self, request: Request) -> Response:
        """A token was typed; it is shown nowhere and stands in no address."""
        form = await request.form(max_files=0, max_fields=4)
        cookie = await run_in_threadpool(self.site.doors.sign_in, str(form.get("token", "")))
        if cookie is None:
            return self.site.answer(request, "login.html", 401, here="login", wrong=True)
        self.site.doors.end(self.site.public.given(request.headers))
        who = await run_in_threadpool(self.site.doors.visitor, cookie)
        answer = self.site.to("organise" if who is not None and who.is_organiser else "")
        self.site.public.keep(answer, cookie)
        return answer

    async def leave(self, request: Request) -> Response:
        """The session is over, here and in the browser."""
        self.site.doors.end(self.site.public.given(request.headers))
        answer = self.site.to("login")
        self.site.public.drop(answer)
        return answer


async def _language(request: Request) -> Response:
    return await language.choose(request, ROOT)


async def _static(request: Request) -> Response:
    return await STATIC.answer(request.path_params["file"])


def _failed(site: Site) -> Callable[[Request, Exception], Response]:
    """What no page answers itself."""

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return site.answer(request, "absent.html", error.status_code)
        status = error.status if isinstance(error, Refused) else 503
        return site.answer(request, "failed.html", status, error=error)

    return answer
