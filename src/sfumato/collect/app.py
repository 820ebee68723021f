"""Which requests are answered, and how? Batches in, counts and estimates out; every refusal has its status.

No address of a client is stored or logged, and no error repeats what was sent.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from sfumato.collect.access import knows
from sfumato.collect.metrics import exposition
from sfumato.collect.openapi import describe
from sfumato.collect.pages import GUARDED, STATIC, live_page, static
from sfumato.collect.server import Refused, Server
from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sfumato.collect.metrics import Tally
    from sfumato.collect.settings import Settings
    from sfumato.collect.store.base import Store

_HOT = re.compile(r"/collections/([^/]+)/batches")


def application(settings: Settings, store: Store, tally: Tally) -> ASGIApp:
    """The web application of a server document.

    Batches are answered before the web framework looks at them, which halves what a request costs; everything else
    is its business, and so is the description of both.

    Args:
        settings: what is served.
        store: where totals are kept; closed at shutdown, after all that waits is written.
        tally: where it is counted what became of requests.
    """
    server = Server(settings, store, tally)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        server.writer.start()
        yield
        server.closing.set()
        await asyncio.to_thread(server.writer.close)
        store.close()

    app = FastAPI(title="Sfumato collection server", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    routes = Routes(server)
    for path, handler in (
        ("/collections/{name}", routes.collection),
        ("/collections/{name}/counts", routes.counts),
        ("/collections/{name}/estimate", routes.estimate),
        ("/collections/{name}/events", routes.events),
        ("/collections/{name}/live", routes.live),
        ("/static/{file}", routes.files),
        ("/health", routes.health),
        ("/metrics", routes.metrics),
    ):
        app.add_api_route(path, handler, methods=["GET"])
    app.add_exception_handler(HTTPException, routes.absent)
    app.add_exception_handler(Refused, routes.refused)
    app.add_exception_handler(SfumatoError, routes.failed)
    describe(app)
    return _with_hot_route(app, routes)


def _with_hot_route(app: FastAPI, routes: Routes) -> ASGIApp:
    """The application, with batches answered by hand; every answer has the headers that guard it."""

    async def answer(scope: Scope, receive: Receive, sends: Send) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *GUARDED]
            await sends(message)

        found = _HOT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await routes.batches(found[1], request)
        except ClientDisconnect:
            return  # nobody is left to answer; without its whole body nothing was counted
        except Refused as error:
            response = await routes.refused(request, error)
        except SfumatoError as error:
            response = await routes.failed(request, error)
        await response(scope, receive, send)

    return answer


@dataclass(frozen=True, slots=True, eq=False)
class Routes:
    """One method for each address.

    Args:
        server: what stands behind them.
    """

    server: Server

    async def batches(self, name: str, request: Request) -> Response:
        """Count a batch of reports. A retry of the same batch is counted once."""
        if request.method != "POST":
            raise Refused(405, "Batches are sent with POST.", "use POST.", headers={"Allow": "POST"})
        answer = await self.server.take(name, request)
        return Response(orjson.dumps(answer), media_type="application/json")

    async def collection(self, name: str) -> Response:
        """What clients need to know; public."""
        return JSONResponse(dict(self.server.served(name).counter.document))

    async def counts(self, name: str, request: Request) -> Response:
        """The totals, which merge by addition."""
        served = self.server.reader_of(name, request)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        return JSONResponse(dict(served.counter.counts(totals.vector)) | {"batches": totals.batches})

    async def estimate(self, name: str, request: Request) -> Response:
        """Estimates with intervals."""
        served = self.server.reader_of(name, request)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        found = await asyncio.to_thread(served.counter.estimate, totals.vector)
        return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")

    async def events(self, name: str, request: Request) -> Response:
        """Server-sent events: a whole snapshot whenever the totals have changed."""
        served = self.server.reader_of(name, request)
        return StreamingResponse(self.server.events(served), media_type="text/event-stream")

    async def live(self, name: str) -> Response:
        """The page that draws the events."""
        return HTMLResponse(live_page(self.server.served(name).name, f"/collections/{name}/events"))

    async def files(self, file: str) -> Response:
        """Style and script of the page."""
        if file not in STATIC:
            raise Refused(404, "There is no such file here.", "correct the address.")
        return Response(static(file), media_type=STATIC[file])

    async def health(self) -> Response:
        """Whether the store is there and can be written."""
        await self.server.health.check()
        return JSONResponse({"status": "ok", "waiting": self.server.writer.waiting})

    async def metrics(self, request: Request) -> Response:
        """Counters for Prometheus; collections are named, and a token asked for, where the document says so."""
        told = self.server.settings.metrics
        if not knows(request.headers.get("authorization"), told.token):
            raise Refused(401, "Metrics of this server need its token.", "send `Authorization: Bearer TOKEN`.")
        text = exposition(self.server.tally, self.server.writer, by_collection=told.collections)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    async def refused(self, _request: Request, error: Exception) -> Response:
        """A refusal as JSON: what must be true, and what to do."""
        if not isinstance(error, Refused):
            raise error
        self.server.tally.refused[error.status] += 1
        headers = dict(error.headers or {})
        if error.wait is not None:
            headers["Retry-After"] = str(max(1, round(error.wait + 0.5)))
        if error.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return JSONResponse({"problem": error.problem, "remedy": error.remedy}, error.status, headers)

    async def absent(self, request: Request, error: Exception) -> Response:
        """No such address, or none that takes this method: refused as everything is."""
        if not isinstance(error, HTTPException):
            raise error
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            problem, remedy = "This address must be asked with another method.", "see the header Allow."
        else:
            problem, remedy = "There is no such address here.", "correct it."
        return await self.refused(request, Refused(error.status_code, problem, remedy, headers=error.headers))

    async def failed(self, _request: Request, error: Exception) -> Response:
        """The store failed: nothing was counted."""
        self.server.tally.refused[503] += 1
        problem = error.problem if isinstance(error, SfumatoError) else "The server failed."
        body = {"problem": problem, "remedy": "send the same request again later."}
        return JSONResponse(body, 503, {"Retry-After": "1"})
