"""The routes of the collection server: batches in, counts and estimates out; every refusal has its status.

No address of a client is stored or logged, and no error repeats what was sent. The live page, its style and its script
are static; the reader's token is typed into the page and kept in the tab alone: it stands in no address. A survey has pages
of its own (`research`).
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from html import escape
from time import monotonic
from typing import TYPE_CHECKING

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from sfumato.collect.metrics import exposition
from sfumato.collect.openapi import described_whole
from sfumato.collect.research.door import Door, root_of
from sfumato.collect.research.routes import Research, refused_page
from sfumato.collect.server import Server
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.release.collect.survey.survey import Survey
from sfumato.web.access import Refused, knows, new_token
from sfumato.web.described import Address, described, served
from sfumato.web.policy import GUARDED, guarded
from sfumato.web.refusal import Refusals
from sfumato.web.static import StaticFiles

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.collect.metrics import Tally
    from sfumato.collect.settings import Settings
    from sfumato.collect.store.base import Store

TITLE = "Sfumato collection server"
_SCRIPT, _STYLE = "text/javascript", "text/css"
_PHONE = ("asked.js", "keeping.js", "laws.js", "phone.js", "telling.js", "words.js", "worker.js")
_CLIENT = ("chance", "collection", "exact", "numbers", "oracles", "remembered", "sha256", "survey", "wire")
PHONE = StaticFiles("sfumato.collect", {"phone.css": _STYLE, **dict.fromkeys(_PHONE, _SCRIPT)}, folder="phone")
"""The page on which phones answer a survey."""
CLIENT = StaticFiles("sfumato.collect", {f"{name}.js": _SCRIPT for name in _CLIENT}, folder="client")
"""What randomizes answers on the phone."""
STATIC = StaticFiles("sfumato.collect", {"live.css": "text/css", "live.js": "text/javascript"})
"""Style and script of the page."""
_HOT = re.compile(r"/collections/([^/]+)/batches")
_ANSWERED = ((b"content-type", b"application/json"), *GUARDED)
"""Headers of a batch that was counted, behind its length."""


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
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        server.writer.start()
        yield
        server.closing.set()
        await asyncio.to_thread(server.writer.close)
        store.close()

    routes = Routes(server)
    pages = Research(server, Door(settings.collections, monotonic, lambda: new_token(SystemBits())[0]))
    addresses = [*_for_clients(routes), *_for_readers(pages)]
    app = served(TITLE, addresses, lifespan=lifespan, document=described_whole(described(TITLE, addresses)))
    refusals = Refusals(tally, refused_page)
    refusals.answer_in(app)
    return _with_hot_route(app, routes, refusals)


def _for_clients(routes: Routes) -> list[Address]:
    """What phones, programs and the page of a collection ask for."""
    one = "/collections/{name}"
    return [
        Address("GET", path, handler)
        for path, handler in (
            (one, routes.collection),
            (f"{one}/counts", routes.counts),
            (f"{one}/estimate", routes.estimate),
            (f"{one}/events", routes.events),
            (f"{one}/live", routes.live),
            (f"{one}/phone", routes.phone),
            ("/phone/{file}", PHONE.answer),
            ("/phone-worker.js", phone_worker),
            ("/client/{file}", CLIENT.answer),
            ("/static/{file}", STATIC.answer),
            ("/health", routes.health),
            ("/metrics", routes.metrics),
        )
    ]


def _for_readers(pages: Research) -> list[Address]:
    """The pages of whoever asks a survey."""
    root = root_of("{name}")
    return [
        Address(method, f"{root}{path}", handler)
        for method, path, handler in (
            ("GET", "", pages.page),
            ("GET", "/", pages.page),
            ("POST", "/login", pages.enter),
            ("POST", "/logout", pages.leave),
            ("POST", "/language", pages.language),
            ("GET", "/events", pages.events),
            ("GET", "/estimates.json", pages.as_json),
            ("GET", "/estimates.csv", pages.as_csv),
            ("GET", "/static/{file}", pages.static),
        )
    ]


def _with_hot_route(app: Starlette, routes: Routes, refusals: Refusals) -> ASGIApp:
    """The application, with batches answered by hand; every answer has the headers that guard it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        found = _HOT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await app(scope, receive, guarded(send))
            return
        request = Request(scope, receive)
        try:
            body = await routes.batches(found[1], request)
        except ClientDisconnect:
            return  # nobody is left to answer; without its whole body nothing was counted
        except Refused as error:
            response = await refusals.refused(request, error)
        except SfumatoError as error:
            response = await refusals.failed(request, error)
        else:
            length = (b"content-length", b"%d" % len(body))
            await send({"type": "http.response.start", "status": 200, "headers": [length, *_ANSWERED]})
            await send({"type": "http.response.body", "body": body})
            return
        await response(scope, receive, guarded(send))

    return answer


@dataclass(frozen=True, slots=True, eq=False)
class Routes:
    """One method for each address.

    Args:
        server: what stands behind them.
    """

    server: Server

    async def batches(self, name: str, request: Request) -> bytes:
        """Count a batch of reports, and the JSON to answer with. A retry of the same batch is counted once."""
        if request.method != "POST":
            raise Refused(405, "Batches are sent with POST.", "use POST.", headers={"Allow": "POST"})
        return orjson.dumps(await self.server.take(name, request))

    async def collection(self, name: str) -> Response:
        """What clients need to know; public. Of a survey also whether answers are still taken."""
        served = self.server.served(name)
        told = served.counter.asked.public()
        if isinstance(served.counter.asked, Survey):
            told["open"] = await self.server.is_open(served.name, served.counter.asked)
        return JSONResponse(told)

    async def counts(self, name: str, request: Request) -> Response:
        """The totals, which merge by addition."""
        served = self.server.reader_of(name, request)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        return JSONResponse(served.counter.counts(totals.vector).told(totals.batches).to_dict())

    async def estimate(self, name: str, request: Request) -> Response:
        """Estimates with intervals."""
        served = self.server.reader_of(name, request)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        found = await asyncio.to_thread(served.counter.told, totals.vector)
        return Response(json.dumps(found.to_dict(), ensure_ascii=False), media_type="application/json")

    async def events(self, name: str, request: Request) -> Response:
        """Server-sent events: a whole snapshot whenever the totals have changed."""
        served = self.server.reader_of(name, request)
        return StreamingResponse(self.server.events(served), media_type="text/event-stream")

    async def live(self, name: str) -> Response:
        """The page that draws the events; of a survey the page of whoever asks it."""
        served = self.server.served(name)
        if isinstance(served.counter.asked, Survey):
            return RedirectResponse(root_of(name), 303)
        return HTMLResponse(live_page(served.name, f"/collections/{name}/events"))

    async def phone(self, name: str) -> Response:
        """The page on which a phone answers; it says nothing of any question itself."""
        if not self.server.served(name).counter.asked.has_page:
            raise Refused(404, "This collection has no page for phones.", "say `[page]` in its document, or ask for its parameters.")  # fmt: skip
        return HTMLResponse(PHONE.text("phone.html"))

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


async def phone_worker() -> Response:
    """What keeps the phone's page on the phone; it stands at the root, since it answers for all below."""
    return await PHONE.answer("worker.js")


def live_page(name: str, events: str) -> str:
    """The page of a collection.

    Args:
        name: of the collection.
        events: address of its event stream, on this server.

    Example:
        >>> "<h1>a&lt;b</h1>" in live_page("a<b", "/collections/ab/events")
        True
    """
    text = STATIC.text("live.html")
    return text.replace("{{ name }}", escape(name)).replace("{{ events }}", escape(events, quote=True))
