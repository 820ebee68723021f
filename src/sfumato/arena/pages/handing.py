"""What teams do on the pages: hand in, see what the judge says, publish, fetch what others published, attack it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from sfumato.arena.desk import known
from sfumato.arena.pages.files import STATES, is_own, line, may_see, places, submission_view
from sfumato.arena.pages.site import visitor
from sfumato.arena.store import counts
from sfumato.frozen import dataclass
from sfumato.web.access import Refused
from sfumato.web.pages.events import until_over
from sfumato.web.pages.upload import uploaded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.datastructures import UploadFile
    from starlette.requests import Request

    from sfumato.arena.pages.site import Site
    from sfumato.arena.pages.visitor import Visitor
    from sfumato.arena.store import Handed

_PIECE = 1 << 20
OFTEN = 0.5
"""Seconds between two looks at a file that waits."""


@dataclass(frozen=True, slots=True, eq=False)
class HandingPages:
    """Pages of teams.

    Args:
        site: what pages need.
    """

    site: Site

    async def form(self, request: Request, error: Refused | None = None) -> Response:
        """Where a submission is chosen or dropped."""
        arena, who = self.site.arena, _signed(request)
        files = await run_in_threadpool(arena.store.of_team, who.team)
        used = sum(one.target is None and one.state != "failed" for one in files)
        quota = arena.contest.quota.submissions
        return self.site.answer(
            request, "hand-in.html", error.status if error else 200, here="hand-in", error=error, left_over=max(0, quota - used),
            quota=quota, is_open=arena.is_open("defence"), bytes=arena.limits.body,
        )  # fmt: skip

    async def submit(self, request: Request) -> Response:
        """A submission arrives."""
        who = _signed(request)
        try:
            async with request.form(max_files=1, max_fields=4) as form:
                receipt = await self.site.desk.submit(who.team, _pieces(_chosen(uploaded(form, "file"))))
        except Refused as error:
            return await self.form(request, error)
        return self.site.to(f"files/{receipt.number}")

    async def own(self, request: Request) -> Response:
        """All that the team handed in."""
        arena, who = self.site.arena, _signed(request)
        files = await run_in_threadpool(arena.store.of_team, who.team)
        lines = [line(one, who, arena.digits) for one in files]
        return self.site.answer(
            request, "own.html", here="own", submissions=[one for one in lines if one.target is None],
            attacks=[one for one in lines if one.target is not None],
        )  # fmt: skip

    async def opponents(self, request: Request) -> Response:
        """What other teams published."""
        arena, who = self.site.arena, _signed(request)
        published = await run_in_threadpool(arena.store.published)
        mine = await run_in_threadpool(arena.store.of_team, who.team)
        tried = {one.target: 0 for one in mine if one.target is not None}
        for one in mine:
            if one.target is not None and one.state != "failed":
                tried[one.target] += 1
        others = [(line(one, who, arena.digits), tried.get(one.id, 0)) for one in published if one.team != who.team]
        return self.site.answer(
            request, "attack.html", here="attack", others=others, is_open=arena.is_open("attack"), most=arena.contest.quota.attacks
        )  # fmt: skip

    async def file(self, request: Request, error: Refused | None = None) -> Response:
        """One file."""
        who, one = _signed(request), await self._file(request)
        view = await run_in_threadpool(self._view, one, who)
        return self.site.answer(
            request, "file.html", error.status if error else 200, here=f"files/{one.id}", error=error, **view
        )

    def _view(self, one: Handed, who: Visitor) -> dict[str, Any]:
        """What the page of a file shows to somebody."""
        arena, judge = self.site.arena, self.site.judge
        digits, attacks = arena.digits, arena.store.attacks_on(one.id)
        own = is_own(one, who)
        attacked = sum(found.target == one.id and found.state != "failed" for found in arena.store.of_team(who.team))
        return {
            "one": line(one, who, digits), "is_own": own, "sha256": one.sha256 if own else "",
            "why": (one.result or {}).get("why", "") if own else "", "places": places(one, judge.game.submitted) if own else [],
            "view": submission_view(judge, one, attacks, who, digits) if one.target is None and counts(one) else None,
            "may_publish": one.team == who.team and one.target is None and one.state == "accepted" and arena.is_open("defence"),
            "may_attack": bool(who.team) and one.team != who.team and one.published is not None and arena.is_open("attack"),
            "attacks_left": max(0, arena.contest.quota.attacks - attacked), "has_release": one.published is not None,
        }  # fmt: skip

    async def events(self, request: Request) -> Response:
        """How a file stands, as server-sent events, until the judge has spoken."""
        one, say = await self._file(request), self.site.words(request)

        def look() -> Mapping[str, Any] | None:
            found = self.site.arena.store.file(one.id)
            if found is None or found.state not in {"waiting", "judging"}:
                return None
            return {"percent": None, "message": say.gettext(STATES[found.state])}

        return until_over(request, look, OFTEN)

    async def publish(self, request: Request) -> Response:
        """Attackers may see a submission."""
        return await self._done(request, self.site.desk.publish)

    async def withdraw(self, request: Request) -> Response:
        """Attackers no longer see it; nobody has attacked it."""
        return await self._done(request, self.site.desk.withdraw)

    async def _done(self, request: Request, act: Callable[[str, int], Awaitable[None]]) -> Response:
        who, one = _signed(request), await self._file(request)
        try:
            await act(who.team, one.id)
        except Refused as error:
            return await self.file(request, error)
        return self.site.to(f"files/{one.id}")

    async def release(self, request: Request) -> Response:
        """What attackers see of a published submission."""
        one = await self.site.desk.target(_number(request))
        path = self.site.arena.room.public(one.id)
        return FileResponse(path, media_type="application/octet-stream", filename=f"published-{one.id}")

    async def attack(self, request: Request) -> Response:
        """An attack on a published submission arrives."""
        who, one = _signed(request), await self._file(request)
        try:
            async with request.form(max_files=1, max_fields=4) as form:
                receipt = await self.site.desk.attack(who.team, one.id, _pieces(_chosen(uploaded(form, "file"))))
        except Refused as error:
            return await self.file(request, error)
        return self.site.to(f"files/{receipt.number}")

    async def _file(self, request: Request) -> Handed:
        """The file of an address; one that somebody may not see is told from none by nothing."""
        one: Handed | None = await run_in_threadpool(self.site.arena.store.file, known(_number(request)))
        if one is None or not may_see(one, _signed(request)):
            raise HTTPException(404)
        return one


def _signed(request: Request) -> Visitor:
    """Who asks at an address where one must have signed in."""
    who = visitor(request)
    if who is None:
        raise HTTPException(404)
    return who


def _number(request: Request) -> int:
    """The number in an address."""
    text = request.path_params["number"]
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise HTTPException(404)
    return int(text)


def _chosen(upload: UploadFile | None) -> UploadFile:
    """A file that was chosen."""
    if upload is None:
        raise Refused(411, "A request must hold a file.", "choose one.")
    return upload


async def _pieces(upload: UploadFile) -> AsyncIterator[bytes]:
    """The bytes of an upload."""
    while piece := await upload.read(_PIECE):
        yield piece
