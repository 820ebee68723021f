"""The routes of the server: hand in, publish, see, attack, and the board. A team sees its own files and what is published."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from sfumato.arena.board import Order
from sfumato.arena.desk import Desk
from sfumato.arena.pages.site import ROOT
from sfumato.arena.serving import EXACT, Arena, told_to_team
from sfumato.frozen import dataclass
from sfumato.web.access import Refused, token_digest
from sfumato.web.bodies import pieces
from sfumato.web.described import Address, served
from sfumato.web.health import Health
from sfumato.web.policy import guarded
from sfumato.web.refusal import answering

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.arena.desk import Receipt
    from sfumato.web.metrics import Tally

_KEY = "idempotency-key"
_BYTES = "application/octet-stream"
_ORDERS: tuple[Order, ...] = get_args(Order)


def arena_app(arena: Arena, tally: Tally, pages: ASGIApp | None = None) -> ASGIApp:
    """The application.

    Args:
        arena: what it serves.
        tally: where refusals are counted.
        pages: what is shown in browsers; None: nothing is.
    """

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        arena.worker.start()
        yield
        await asyncio.to_thread(arena.worker.stop)
        arena.store.close()

    routes = _Routes(arena, Desk(arena), Health(arena.store.probe, arena.limits.seconds))
    handed_in = (400, 401, 403, 409, 411, 413, 429, 503)
    addresses = (
        Address("GET", "/contest", routes.contest),
        Address("GET", "/board", routes.board, (422,), words={"by": _ORDERS}),
        Address("GET", "/health", routes.health, (503,)),
        Address("GET", "/own", routes.own, (401,)),
        Address("POST", "/submissions", routes.submit, handed_in, 202),
        Address("POST", "/submissions/{number:int}/publish", routes.publish, (401, 403, 404, 429)),
        Address("DELETE", "/submissions/{number:int}/publish", routes.withdraw, (401, 403, 404, 409)),
        Address("GET", "/published", routes.published, (401,)),
        Address("GET", "/published/{number:int}", routes.file, (401, 404), media=_BYTES),
        Address("POST", "/published/{number:int}/attacks", routes.attack, (*handed_in, 404), 202),
    )
    app = answering(served("Sfumato arena", addresses, lifespan=lifespan), tally)

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if pages is not None and scope["type"] == "http" and scope["path"] in {"/", ROOT}:
            await RedirectResponse(f"{ROOT}/")(scope, receive, guarded(send))
        elif pages is not None and scope["type"] == "http" and scope["path"].startswith(f"{ROOT}/"):
            await pages(scope, receive, send)
        else:
            await app(scope, receive, send)

    return answered


@dataclass(frozen=True, slots=True, eq=False)
class _Routes:
    """One method for each address."""

    arena: Arena
    desk: Desk
    well: Health

    async def contest(self) -> Response:
        """What everybody may know of the contest."""
        said = self.arena.contest
        rules = {"version": said.rules.version, "metrics": list(self.arena.game.metrics), "quota": asdict(said.quota)}
        phases = [
            {"name": p.name, "kind": p.kind, "start": p.start.isoformat(), "end": p.end.isoformat()}
            for p in self.arena.phases
        ]
        about = {
            "name": said.name,
            "game": said.game,
            "phases": phases,
            "now": self.arena.now().isoformat(),
            "bytes": said.limits.bytes,
        }
        return JSONResponse(about | rules)

    async def board(self, request: Request) -> Response:
        """Teams by defence, attack or both; while somebody may still attack, what attacks find is rounded before it counts."""
        by = _order(request.query_params.get("by", "defence"))
        found = await asyncio.to_thread(self.arena.standings, by)
        teams = [{name: _short(value) for name, value in asdict(one).items()} for one in found]
        return JSONResponse({"digits": self.arena.digits, "by": by, "teams": teams})

    async def health(self) -> Response:
        """Whether the store can be written."""
        await self.well.check()
        return JSONResponse({"status": "ok"})

    async def own(self, request: Request) -> Response:
        """All that the team handed in. What its attacks found is rounded while they may be tried again."""
        team = await self._team(request)
        found = await asyncio.to_thread(self.arena.store.of_team, team)
        return JSONResponse({"team": team, "files": [told_to_team(one, self.arena.digits) for one in found]})

    async def submit(self, request: Request) -> Response:
        """Hand in a submission: the body is the file."""
        team = await self._team(request)
        return _taken(await self.desk.submit(team, self._file(request), request.headers.get(_KEY)))

    async def publish(self, request: Request, number: int) -> Response:
        """Let attackers see a submission of one's own that was accepted."""
        await self.desk.publish(await self._team(request), number)
        return JSONResponse({"published": number})

    async def withdraw(self, request: Request, number: int) -> Response:
        """Take back a published submission of one's own that nobody has attacked, so that another can be published."""
        await self.desk.withdraw(await self._team(request), number)
        return JSONResponse({"withdrawn": number})

    async def published(self, request: Request) -> Response:
        """Submissions of all teams that can be attacked."""
        await self._team(request)
        found = await asyncio.to_thread(self.arena.store.published)
        return JSONResponse(
            {"published": [{"number": one.id, "team": one.team, "since": one.published} for one in found]}
        )

    async def file(self, request: Request, number: int) -> Response:
        """What attackers see of a submission."""
        await self._team(request)
        await self.desk.target(number)
        return FileResponse(self.arena.room.public(number), media_type=_BYTES, filename=f"published-{number}")

    async def attack(self, request: Request, number: int) -> Response:
        """Hand in an attack on a published submission of another team: the body is the file."""
        team = await self._team(request)
        return _taken(await self.desk.attack(team, number, self._file(request), request.headers.get(_KEY)))

    def _file(self, request: Request) -> AsyncIterator[bytes]:
        """The body of a request as it arrives."""
        most = self.arena.limits.body
        return pieces(request, most, Refused(413, f"A file must have at most {most} bytes.", "pack it."))

    async def _team(self, request: Request) -> str:
        """Whose token it is.

        Raises:
            Refused: nobody's.
        """
        digest = token_digest(request.headers.get("authorization"))
        team = None if digest is None else await asyncio.to_thread(self.arena.store.team_of, digest)
        if team is None:
            raise Refused(401, "A team needs its token.", "send `Authorization: Bearer TOKEN`.")
        return team


def _order(by: str) -> Order:
    """What the board is ordered by.

    Raises:
        Refused: nothing that it can be ordered by.
    """
    for one in _ORDERS:
        if by == one:
            return one
    raise Refused(422, f"A board must be ordered by one of {', '.join(_ORDERS)}.", "write `by` so, or leave it out.")


def _short(value: Any) -> Any:
    """A score with the digits that a board shows."""
    return round(value, EXACT) if isinstance(value, float) else value


def _taken(receipt: Receipt) -> Response:
    """A file was taken."""
    return JSONResponse({"number": receipt.number, "sha256": receipt.sha256, "new": receipt.is_new}, 202)
