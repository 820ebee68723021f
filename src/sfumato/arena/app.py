"""The routes of the server: hand in, publish, see, attack, and the board. A team sees its own files and what is published."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from sfumato.arena.board import Order  # noqa: TC001 - FastAPI reads it
from sfumato.arena.serving import EXACT, Arena, told_to_team
from sfumato.arena.store import Attacked, Reused, TooMany
from sfumato.frozen import dataclass
from sfumato.web.access import Refused, token_digest
from sfumato.web.bodies import pieces
from sfumato.web.health import Health
from sfumato.web.policy import guarded
from sfumato.web.refusal import Refusals

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.arena.store import Handed
    from sfumato.web.metrics import Tally

_MOST_NUMBER = 2**31
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def arena_app(arena: Arena, tally: Tally) -> ASGIApp:
    """The application.

    Args:
        arena: what it serves.
        tally: where refusals are counted.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        arena.worker.start()
        yield
        await asyncio.to_thread(arena.worker.stop)
        arena.store.close()

    app = FastAPI(title="Sfumato arena", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    routes = _Routes(arena, Health(arena.store.probe, arena.limits.seconds))
    team, none = (401,), ()
    for path, handler, method, refused in (
        ("/contest", routes.contest, "GET", none),
        ("/board", routes.board, "GET", none),
        ("/health", routes.health, "GET", (503,)),
        ("/own", routes.own, "GET", team),
        ("/submissions", routes.submit, "POST", (*team, 400, 403, 409, 411, 413, 429, 503)),
        ("/submissions/{number}/publish", routes.publish, "POST", (*team, 403, 404, 429)),
        ("/submissions/{number}/publish", routes.withdraw, "DELETE", (*team, 403, 404, 409)),
        ("/published", routes.published, "GET", team),
        ("/published/{number}", routes.file, "GET", (*team, 404)),
        ("/published/{number}/attacks", routes.attack, "POST", (*team, 400, 403, 404, 409, 411, 413, 429, 503)),
    ):
        app.add_api_route(
            path, handler, methods=[method], responses={status: {"description": "refused"} for status in refused}
        )
    Refusals(tally).answer_in(app)

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, guarded(send) if scope["type"] == "http" else send)

    return answered


@dataclass(frozen=True, slots=True, eq=False)
class _Routes:
    """One method for each address."""

    arena: Arena
    well: Health

    async def contest(self) -> Response:
        """What everybody may know of the contest."""
        said = self.arena.contest
        rules = {"version": said.rules.version, "metrics": list(self.arena.game.metrics), "quota": asdict(said.quota)}
        phases = [
            {"name": p.name, "kind": p.kind, "start": p.start.isoformat(), "end": p.end.isoformat()} for p in said.phase
        ]
        about = {
            "name": said.name,
            "game": said.game,
            "phases": phases,
            "now": self.arena.now().isoformat(),
            "bytes": said.limits.bytes,
        }
        return JSONResponse(about | rules)

    async def board(self, by: Order = "defence") -> Response:
        """Teams by defence, attack or both; while somebody may still attack, what attacks find is rounded before it counts."""
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
        self._open("defence")
        return await self._handed(request, team, None, self.arena.contest.quota.submissions)

    async def publish(self, request: Request, number: int) -> Response:
        """Let attackers see a submission of one's own that was accepted."""
        team = await self._team(request)
        self._open("defence")
        most, now = self.arena.contest.quota.published, self.arena.clock()
        try:
            done = await asyncio.to_thread(self.arena.store.publish, _number(number), team, now=now, most=most)
        except TooMany:
            raise _quota(most) from None
        if not done:
            raise Refused(404, "There is no accepted submission of yours with this number.", "see /own.")
        return JSONResponse({"published": number})

    async def withdraw(self, request: Request, number: int) -> Response:
        """Take back a published submission of one's own that nobody has attacked, so that another can be published."""
        team = await self._team(request)
        self._open("defence")
        try:
            done = await asyncio.to_thread(self.arena.store.withdraw, _number(number), team, now=self.arena.clock())
        except Attacked:
            raise Refused(
                409, "A submission that was attacked stays published.", "publish another one beside it."
            ) from None
        if not done:
            raise Refused(404, "There is no published submission of yours with this number.", "see /own.")
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
        await self._target(number)
        return FileResponse(
            self.arena.room.public(number), media_type="application/octet-stream", filename=f"published-{number}"
        )

    async def attack(self, request: Request, number: int) -> Response:
        """Hand in an attack on a published submission of another team: the body is the file."""
        team = await self._team(request)
        self._open("attack")
        target = await self._target(number)
        if target.team == team:
            raise Refused(403, "A team attacks the submissions of others.", "choose another one.")
        return await self._handed(request, team, target.id, self.arena.contest.quota.attacks)

    async def _handed(self, request: Request, team: str, target: int | None, most: int) -> Response:
        """Take a file in whole, then note it; until then it counts for nothing. Under one key a file is noted once."""
        key = request.headers.get("idempotency-key")
        if key is not None and not _KEY.fullmatch(key):
            raise Refused(400, "A key of a request must have 1 to 200 visible ASCII characters.", "correct it.")
        path = self.arena.room.arriving / os.urandom(16).hex()
        try:
            digest = await self._received(request, path)
            number, is_new = await asyncio.to_thread(self._noted, path, (team, target, digest), most, key)
        except TooMany:
            raise _quota(most) from None
        except Reused:
            raise Refused(409, "Another file was handed in under this key.", "draw a new key.") from None
        finally:
            with suppress(FileNotFoundError):
                path.unlink()
        self.arena.worker.wake()
        return JSONResponse({"number": number, "sha256": digest, "new": is_new}, 202)

    async def _received(self, request: Request, path: Path) -> str:
        """Write the body of a request to a file; its digest."""
        most, digest, n = self.arena.limits.body, hashlib.sha256(), 0
        too_large = Refused(413, f"A file must have at most {most} bytes.", "pack it.")
        with path.open("xb") as out:
            async for piece in pieces(request, most, too_large):
                n += len(piece)
                digest.update(piece)
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        if not n:
            raise Refused(411, "A request must hold a file.", "send the file as its body.")
        return digest.hexdigest()

    def _noted(self, path: Path, what: tuple[str, int | None, str], most: int, key: str | None) -> tuple[int, bool]:
        """Note a file that has arrived, and give it its place before anybody can take it."""
        store, now = self.arena.store, self.arena.clock()
        with store.holding():
            number, is_new = store.hand_in(*what, now=now, most=most, request=key)
            if is_new:
                path.replace(self.arena.room.file(number))
        return number, is_new

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

    async def _target(self, number: int) -> Handed:
        """A published submission.

        Raises:
            Refused: there is none of this number.
        """
        found = await asyncio.to_thread(self.arena.store.file, _number(number))
        if found is None or found.published is None:
            raise Refused(404, "There is no published submission with this number.", "see /published.")
        return found

    def _open(self, kind: str) -> None:
        """Refuse what is handed in out of its time."""
        if not self.arena.is_open(kind):
            raise Refused(403, f"There is no phase of {kind} now.", "see /contest.")


def _short(value: Any) -> Any:
    """A score with the digits that a board shows."""
    return round(value, EXACT) if isinstance(value, float) else value


def _number(number: int) -> int:
    """A number that a store can look for."""
    if not 0 < number < _MOST_NUMBER:
        raise Refused(404, "There is nothing with this number.", "see /own and /published.")
    return number


def _quota(most: int) -> Refused:
    """There are as many as the contest allows."""
    return Refused(429, f"A team may do so {most} times.", "use what you have.")
