"""The publisher's server: holders hand in messages and fetch those of others and of the publisher.

Every message is signed by its sender, so no token guards an address; what only the publisher may read is never shown.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from sfumato.errors import ParameterError, ReportError, SfumatoError
from sfumato.together.phases import HIDDEN
from sfumato.together.wire import Kind, envelope_from
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

    from sfumato.together.publisher import Publisher
    from sfumato.together.sums.publisher import SumPublisher
    from sfumato.web.metrics import Tally

_BYTES = "application/octet-stream"
_MOST_NUMBER = 2**31
_LONGEST = 70
_SHOWN = {kind.value: kind for kind in Kind if kind not in HIDDEN}


def together_app(publisher: Publisher | SumPublisher, tally: Tally) -> ASGIApp:
    """The application.

    Args:
        publisher: what stands behind it.
        tally: where refusals are counted.
    """
    routes = _Routes(publisher, Bodies(publisher.terms.said.limits, "send smaller pieces."))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        routes.start()
        yield
        await routes.stop()
        await asyncio.to_thread(publisher.store.close)

    addresses = (
        Address("POST", "/messages", routes.take, (400, 409, 413, 503)),
        Address("GET", "/messages/{kind}/{number:int}", routes.own, (404, 410), media=_BYTES),
        Address("GET", "/messages/{kind}/{number:int}/{sender:path}", routes.shown, (404, 410), media=_BYTES),
        Address("GET", "/health", routes.health, (503,)),
    )
    return answering(served("Sfumato together", addresses, lifespan=lifespan), tally)


class _Routes:
    """One method for each address, and one task that says what comes next."""

    def __init__(self, publisher: Publisher | SumPublisher, bodies: Bodies) -> None:
        self.publisher, self.bodies = publisher, bodies
        self.well = Health(publisher.store.probe, publisher.terms.said.limits.seconds)
        self._news: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to say what comes next."""
        self._news = asyncio.Event()
        self._news.set()
        self._task = asyncio.create_task(self._turns(self._news))

    async def stop(self) -> None:
        """End; what is being written is written first."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _turns(self, news: asyncio.Event) -> None:
        """After every message: whatever can be said now."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), self.publisher.pause)
            news.clear()
            try:
                while await asyncio.shield(asyncio.to_thread(self.publisher.advance)):
                    pass
            except SfumatoError:  # the store failed: the next message tries again
                await asyncio.sleep(1)
                news.set()

    async def take(self, request: Request) -> Response:
        """Take a message of a holder. The same one again changes nothing."""
        async with self.bodies.received(request) as body:
            try:
                await asyncio.to_thread(lambda: self.publisher.receive(envelope_from(body)))
            except ReportError as error:
                raise Refused(400, error.problem, error.remedy) from error
            except ParameterError as error:
                raise Refused(409, error.problem, error.remedy) from error
        if self._news is not None:
            self._news.set()
        return JSONResponse({"taken": True})

    async def own(self, kind: str, number: int) -> Response:
        """A message of the publisher."""
        return await self._found(kind, number, self.publisher.name)

    async def shown(self, kind: str, number: int, sender: str) -> Response:
        """A message of a holder that everybody may fetch, or one of the publisher for a holder."""
        if not sender.isprintable() or len(sender) > _LONGEST:
            raise _absent()
        return await self._found(kind, number, sender)

    async def _found(self, kind: str, number: int, sender: str) -> Response:
        if kind not in _SHOWN or not 0 <= number < _MOST_NUMBER:
            raise _absent()
        store = self.publisher.store
        found = await asyncio.to_thread(store.get, _SHOWN[kind], sender, number)
        if found is not None:
            return Response(found.to_bytes(), media_type=_BYTES)
        ended = await asyncio.to_thread(store.get, Kind.ABANDONED, self.publisher.name, 0)
        if ended is not None:
            return Response(ended.to_bytes(), 410, media_type=_BYTES)
        raise _absent()

    async def health(self) -> Response:
        """Whether the store can be written."""
        await self.well.check()
        return JSONResponse({"status": "ok"})


def _absent() -> Refused:
    return Refused(404, "There is no such message yet.", "ask again later.")
