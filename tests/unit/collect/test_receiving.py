"""Bodies that arrive share one memory, and give it back however they end."""

import asyncio

import pytest

pytest.importorskip("uvicorn")

from sfumato.collect.metrics import Tally
from sfumato.collect.server import Server
from sfumato.collect.settings import Served, Settings
from sfumato.document.server import Limits, Metrics
from sfumato.web.access import Refused


class Asked:
    """A collection of nothing."""

    def digest(self):
        return ""


class Counter:
    """Refuses every batch, after it has arrived."""

    def count(self, _data, _body):
        raise Refused(422, "It is none.", "send another.")


class Request:
    """A request whose body comes when the test says so."""

    def __init__(self, *parts, headers=None):
        self.parts, self.go, self.headers = parts, asyncio.Event(), headers or {}

    async def stream(self):
        for part in self.parts:
            yield part
            await self.go.wait()


def server():
    """A server without a store, with room for 100 bytes of which a body may have 60."""
    home = Served("home", Counter(), "", "", keep_reports=False)
    settings = Settings("", {"home": home}, Limits(body=60, memory=100), Metrics())

    class Store:
        def probe(self):
            raise AssertionError

        def open_collection(self, *_):
            pass

    home.counter.asked, home.counter.size = Asked(), 1
    return Server(settings, Store(), Tally())


async def status(server, request):
    """The status of a request that ends at once."""
    request.go.set()
    with pytest.raises(Refused) as refused:
        await server.take("home", request)
    return refused.value.status


def test_bodies_share_one_memory_and_give_it_back():
    async def test():
        one = server()
        first = Request(b" " * 59 + b"1")
        arriving = asyncio.create_task(one.take("home", first))
        await asyncio.sleep(0)
        assert one.bodies.held == 60
        assert await status(one, Request(b" " * 39 + b"1")) == 422
        assert await status(one, Request(b" " * 40, b"1")) == 503
        assert await status(one, Request(b" " * 30, b" " * 31)) == 413
        assert await status(one, Request(headers={"content-length": "61"})) == 413
        assert one.bodies.held == 60
        first.go.set()
        with pytest.raises(Refused):
            await arriving
        assert one.bodies.held == 0

    asyncio.run(test())


def test_a_sender_that_leaves_gives_its_memory_back():
    async def test():
        one = server()
        arriving = asyncio.create_task(one.take("home", Request(b"x" * 60)))
        await asyncio.sleep(0)
        arriving.cancel()
        await asyncio.gather(arriving, return_exceptions=True)
        assert one.bodies.held == 0

    asyncio.run(test())
