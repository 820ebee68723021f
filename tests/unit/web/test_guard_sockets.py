"""Real sockets on this machine, a loop inside the test; nothing is measured, every wait is for an event."""

import asyncio
import sys
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("uvicorn")

from uvicorn.config import Config
from uvicorn.server import ServerState

from sfumato.document.server import Limits
from sfumato.web.door import Door
from sfumato.web.guard import behind
from sfumato.web.metrics import Tally

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"
LARGE = 30_000_000


async def application(scope, receive, send):
    """Reads the body; /large answers with more than any system buffers."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        if not message["more_body"]:
            break
    body = b"x" * (LARGE if scope["path"] == "/large" else 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def listening(**limits):
    """A door, and a function that connects to it; all connections are closed at the end."""
    door, writers = Door(Limits(**{"seconds": 600.0, "first_byte": 600.0} | limits), Tally()), []
    config, state = Config(application, ws="none", log_level="critical", lifespan="off"), ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: behind(door)(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )

    async def connect(data=b"", address="127.0.0.1"):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), local_addr=(address, 0))
        writers.append(writer)
        writer.write(data)
        return reader, writer

    try:
        yield door, connect
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        while len(door):  # noqa: ASYNC110 - a door tells nobody that it is empty
            await asyncio.sleep(0.001)


async def line(connection):
    """The first line of an answer; empty where the connection ended without."""
    return (await connection[0].readline()).decode().strip()


def test_silent_sockets_are_closed():
    async def test():
        async with listening(first_byte=0.05) as (door, connect):
            assert await (await connect())[0].read() == b""
            assert door.tally.closed == {"idle": 1}

    asyncio.run(test())


@pytest.mark.parametrize("part", [b"G", GET[:-2], POST + b"12345"])
def test_requests_that_do_not_end_are_told_so(part):
    async def test():
        async with listening(seconds=0.05) as (door, connect):
            found = await (await connect(part))[0].read()
            assert b"HTTP/1.1 408 " in found
            assert door.tally.refused == {408: 1}

    asyncio.run(test())


def test_three_hundred_silent_sockets_shut_nobody_out():
    async def test():
        async with listening(connections=20, connections_per_address=20) as (door, connect):
            silent = [await connect(GET[:5] if i % 2 else b"") for i in range(300)]
            assert await line(await connect(GET)) == "HTTP/1.1 200 OK"
            assert len(door) <= 20
            ends = await asyncio.gather(*(reader.read() for reader, _ in silent[:200]), return_exceptions=True)
            assert all(end == b"" or isinstance(end, ConnectionError) for end in ends)

    asyncio.run(test())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux listens on all of 127.0.0.0/8")
def test_one_address_takes_its_own_places_and_no_others():
    async def test():
        async with listening(connections=5, connections_per_address=4) as (_, connect):
            busy = [await connect(POST) for _ in range(4)]
            assert [await line(one) for one in busy] == ["HTTP/1.1 100 Continue"] * 4
            assert await line(await connect()) == "HTTP/1.1 503 Service Unavailable"
            assert await line(await connect(GET, "127.0.0.2")) == "HTTP/1.1 200 OK"
            for reader, writer in busy:
                writer.write(b"1234567890")
                assert await reader.readline() == b"\r\n"
                assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"

    asyncio.run(test())


def test_answers_that_nobody_reads_are_given_up():
    async def test():
        async with listening(seconds=0.05) as (door, connect):
            _, writer = await connect(GET.replace(b"/ ", b"/large "))
            while not door.tally.closed:
                writer.transport.pause_reading() if writer.transport.is_reading() else None
                await asyncio.sleep(0.001)
            assert door.tally.closed == {"unread": 1}
            assert len(door) <= 1

    asyncio.run(test())
