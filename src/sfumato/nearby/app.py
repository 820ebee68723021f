"""The routes of both servers. No address is kept, and no refusal repeats what was sent."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.by_design.proximity import LENGTH
from sfumato.mechanism.location.by_design.retrieval import answer
from sfumato.web.access import Refused
from sfumato.web.bodies import Bodies
from sfumato.web.described import Address, served
from sfumato.web.health import Health
from sfumato.web.refusal import answering

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from sfumato.document.server import Limits
    from sfumato.mechanism.location.by_design.catalogue import Catalogue
    from sfumato.nearby.friends import Friends
    from sfumato.nearby.shelf import Described
    from sfumato.web.metrics import Tally

_TOKEN = re.compile(rf"[0-9a-f]{{{2 * LENGTH}}}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{32,128}")
_MOST_ASKED = 9
_MOST_NUMBER = 2**53
DAY = 86_400.0
_BYTES = "application/octet-stream"


def places(about: Described, catalogue: Catalogue, limits: Limits, tally: Tally) -> ASGIApp:
    """The server of a catalogue: its description, and the exclusive or of a set of blocks.

    Args:
        about: public description.
        catalogue: blocks.
        limits: of requests.
        tally: where refusals are counted.
    """
    bodies = Bodies(limits, "send one bit for each cell.")

    async def description() -> Response:
        """What clients must know."""
        return JSONResponse(about.to_dict())

    async def blocks(request: Request) -> Response:
        """The exclusive or of the blocks of a set."""
        async with bodies.received(request) as question:
            try:
                found = await asyncio.to_thread(answer, catalogue, question)
            except ParameterError as error:
                raise Refused(422, error.problem, error.remedy) from error
        return Response(found, media_type=_BYTES)

    async def health() -> Response:
        """It runs."""
        return JSONResponse({"status": "ok"})

    addresses = (
        Address("GET", "/catalogue", description),
        Address("POST", "/blocks", blocks, (413, 422, 503), media=_BYTES),
        Address("GET", "/health", health),
    )
    return answering(served("Sfumato places", addresses), tally)


def friends(store: Friends, limits: Limits, tally: Tally, *, seconds: float = DAY) -> ASGIApp:
    """The server of tokens: leave one, ask for nine, take one back.

    Args:
        store: what was left; closed at shutdown.
        limits: of requests.
        tally: where refusals are counted.
        seconds: after which a token is forgotten.
    """

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        store.close()

    routes = _Routes(store, Bodies(limits, "send one token, or nine."), seconds, Health(store.probe, limits.seconds))
    addresses = (
        Address("PUT", "/token", routes.leave, (400, 401, 409, 413, 422, 503)),
        Address("DELETE", "/token", routes.take_back, (401, 503)),
        Address("POST", "/near", routes.near, (400, 413, 422, 503)),
        Address("GET", "/health", routes.health, (503,)),
    )
    return answering(served("Sfumato friends", addresses, lifespan=lifespan), tally)


@dataclass(frozen=True, slots=True, eq=False)
class _Routes:
    """One method for each address of the server of tokens."""

    store: Friends
    bodies: Bodies
    seconds: float
    well: Health

    async def leave(self, request: Request) -> Response:
        """Leave a token in one's own mailbox: that of the secret in the header."""
        mailbox = _mailbox(request)
        async with self.bodies.received(request) as body:
            said = _object(body, {"token", "number"})
        token, number = _token(said["token"]), said["number"]
        if type(number) is not int or not 0 <= number < _MOST_NUMBER:
            raise Refused(422, "A number must be a whole one from 0 to 2^53.", "count up with each token.")
        now = time.time()
        left = await asyncio.to_thread(self.store.leave, mailbox, token, number, now=now, seconds=self.seconds)
        if not left:
            raise Refused(409, "The number of a token must be above that of the last one.", "count up with each token.")
        return JSONResponse({"mailbox": mailbox})

    async def take_back(self, request: Request) -> Response:
        """Empty one's own mailbox."""
        mailbox = _mailbox(request)
        await asyncio.to_thread(self.store.take_back, mailbox, now=time.time())
        return JSONResponse({"mailbox": mailbox})

    async def near(self, request: Request) -> Response:
        """Mailboxes that hold one of up to nine tokens."""
        async with self.bodies.received(request) as body:
            said = _object(body, {"tokens"})
        tokens = said["tokens"]
        if not isinstance(tokens, list) or not 1 <= len(tokens) <= _MOST_ASKED:
            raise Refused(422, "One to nine tokens must be asked for.", "send those of a cell and its neighbors.")
        found = await asyncio.to_thread(self.store.near, [_token(one) for one in tokens], now=time.time())
        return JSONResponse({"near": found})

    async def health(self) -> Response:
        """Whether the store can be written."""
        await self.well.check()
        return JSONResponse({"status": "ok"})


def mailbox_of(secret: str) -> str:
    """The public name of a mailbox: who has the secret owns it.

    Example:
        >>> mailbox_of("x" * 32)[:8]
        '897f0639'
    """
    return hashlib.sha256(b"sfumato.mailbox/1\0" + secret.encode()).hexdigest()[:32]


def _mailbox(request: Request) -> str:
    """The mailbox of whoever asks."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not _SECRET.fullmatch(secret):
        raise Refused(401, "A mailbox needs its secret.", "send `Authorization: Bearer SECRET` of 32 letters at least.")
    return mailbox_of(secret)


def _object(body: bytes, keys: set[str]) -> dict[str, Any]:
    """A JSON object with exactly these keys."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "A request must be JSON.", "send what the client makes.") from None
    if not isinstance(said, dict) or set(said) != keys:
        raise Refused(422, f"A request must have {' and '.join(sorted(keys))}.", "send what the client makes.")
    return said


def _token(said: object) -> bytes:
    if not isinstance(said, str) or not _TOKEN.fullmatch(said):
        raise Refused(422, f"A token must be {2 * LENGTH} hexadecimal digits.", "send what the client makes.")
    return bytes.fromhex(said)
