"""One connection without a network: a stub of a transport, and clocks that strike when the test says so."""

import asyncio

import pytest

pytest.importorskip("uvicorn")

from uvicorn.config import Config
from uvicorn.server import ServerState

from sfumato.document.server import Limits
from sfumato.web.door import Door
from sfumato.web.guard import behind
from sfumato.web.metrics import Tally

LIMITS = Limits(head=200, seconds=3.0, first_byte=2.0, connections=2)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


LINES = []
"""Lines of the test that runs; all are cut at its end, so that no application waits on."""


class Wire:
    """A transport that keeps what is written."""

    def __init__(self, lost):
        self.written, self.state, self.lost = b"", "open", lost

    def get_extra_info(self, name, default=None):
        return ("192.0.2.1", 1) if name == "peername" else default

    def write(self, data):
        self.written += data

    def is_closing(self):
        return self.state != "open"

    def close(self):
        self.state = "closed" if self.state == "open" else self.state

    def abort(self):
        if self.state != "aborted":
            asyncio.get_running_loop().call_soon(self.lost, None)
        self.state = "aborted"

    def pause_reading(self):
        pass

    resume_reading = pause_reading

    @property
    def status(self):
        return int(self.written.split(b" ", 2)[1]) if self.written else None


class Clock:
    """What `call_later` returns."""

    def __init__(self, seconds, call, arguments):
        self.seconds, self.call, self.arguments, self.running = seconds, call, arguments, True

    def cancel(self):
        self.running = False

    def strike(self):
        assert self.running
        self.call(*self.arguments)


class Line:
    """A connection in the hands of a test. Its application answers when told, after the body or before it."""

    def __init__(self, door, *, early=False):
        self.early, self.go, self.failed = early, asyncio.Event(), False
        self.clocks, loop = [], asyncio.get_running_loop()

        class Loop:
            create_task = loop.create_task

            @staticmethod
            def call_later(seconds, call, *arguments):
                self.clocks.append(Clock(seconds, call, arguments))
                return self.clocks[-1]

        config = Config(self.application, interface="asgi3", ws="none", log_level="critical", lifespan="off")
        self.guard = behind(door)(config=config, server_state=ServerState(), app_state={}, _loop=Loop)
        self.wire = Wire(self.guard.connection_lost)
        LINES.append(self)
        self.guard.connection_made(self.wire)

    async def application(self, scope, receive, send):
        while not self.early:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.failed = True
                return
            if not message["more_body"]:
                break
        await self.go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    @property
    def clock(self):
        """The only clock that runs (uvicorn's own between requests does nothing)."""
        running = [one for one in self.clocks if one.running and one.call != self.guard.timeout_keep_alive_handler]
        assert len(running) <= 1
        return running[0] if running else None

    async def settle(self):
        for _ in range(10):
            await asyncio.sleep(0)

    async def answered(self):
        self.go.set()
        await self.settle()


def played(test):
    """Run an asynchronous test, and cut its lines."""

    async def inside():
        try:
            await test()
        finally:
            while LINES:
                line = LINES.pop()
                line.wire.abort()
                line.go.set()
                await line.settle()

    asyncio.run(inside())


def connected(test):
    """A test of one line."""

    def run():
        async def inside():
            await test(Line(Door(LIMITS, Tally())))

        played(inside)

    run.__name__ = test.__name__
    return run


async def sent(line, *parts):
    """Send bytes, each part by itself."""
    for part in parts:
        line.guard.data_received(part)
        await line.settle()


@connected
async def test_before_the_first_byte_and_between_requests_a_clock_runs(line):
    assert line.clock.seconds == LIMITS.first_byte
    await sent(line, GET)
    assert line.clock is None  # it is being answered, which may take long
    await line.answered()
    assert (line.wire.status, line.clock.seconds) == (200, LIMITS.first_byte)
    line.clock.strike()
    assert line.wire.state == "aborted"
    assert line.guard.door.tally.closed == {"idle": 1}


@connected
async def test_bytes_that_trickle_do_not_wind_the_clock_up_again(line):
    await sent(line, GET[:1])
    clock = line.clock
    assert clock.seconds == LIMITS.seconds
    await sent(line, *(GET[i : i + 1] for i in range(1, len(GET) - 1)))
    assert line.clock is clock
    clock.strike()
    assert (line.wire.status, line.wire.state) == (408, "closed")
    assert b"problem" in line.wire.written
    line.clock.strike()  # nobody reads it
    assert line.wire.state == "aborted"


@connected
async def test_head_and_body_share_one_clock(line):
    await sent(line, POST[:5])
    clock = line.clock
    await sent(line, POST[5:], b"12345")
    assert line.clock is clock
    clock.strike()
    await line.settle()
    assert (line.wire.status, line.wire.state, line.failed) == (408, "closed", True)


@connected
async def test_a_request_that_was_answered_early_must_still_end(line):
    line.early = True
    await sent(line, POST)
    await line.answered()
    before = line.wire.written
    line.clock.strike()
    assert (line.wire.written, line.wire.state) == (before, "aborted")  # no second answer to one request


@connected
async def test_a_request_that_was_answered_early_may_end_and_another_one_come(line):
    line.early = True
    await sent(line, POST)
    await line.answered()
    await sent(line, b"1234567890")
    assert line.clock.seconds == LIMITS.first_byte
    await sent(line, GET)
    assert line.wire.written.count(b"200 OK") == 2


@connected
async def test_an_answer_that_nobody_reads_ends_the_connection(line):
    await sent(line, GET)
    line.guard.pause_writing()
    clock = line.clock
    assert clock.seconds == LIMITS.seconds
    line.guard.resume_writing()
    assert line.clock is None
    line.guard.pause_writing()
    line.clock.strike()
    assert (line.wire.state, line.guard.door.tally.closed) == ("aborted", {"unread": 1})


def padded(start, size):
    """A request whose head has exactly so many bytes."""
    head = start.removesuffix(b"\r\n")
    return head + b"p: " + b"x" * (size - len(head) - 7) + b"\r\n\r\n"


@pytest.mark.parametrize("cut", [1, 7, 1000])
@pytest.mark.parametrize("start", [GET, POST, CHUNKED])
@pytest.mark.parametrize(("size", "status"), [(200, None), (201, 431)])
def test_a_head_has_so_many_bytes_and_no_more(start, size, status, cut):
    async def test():
        line, data = Line(Door(LIMITS, Tally())), padded(start, size)
        assert len(data) == size
        for at in range(0, size, cut):
            if not line.wire.is_closing():
                await sent(line, data[at : at + cut])
        assert line.wire.status == status

    played(test)


@pytest.mark.parametrize(
    "flood",
    [
        b"\r\n" * 200, b"GET /" + b"a" * 400, b"GET / HTTP/1.1\r\n" + b"a:b\r\n" * 80, b"GET / HTTP/1.1\r\na: " + b"b" * 400,
        CHUNKED + b"0\r\n" + b"a:b\r\n" * 80, CHUNKED + b"0\r\na: " + b"b" * 400, CHUNKED + b"1;" + b"e" * 400,
        CHUNKED + b"1;" + b"e" * 100 + b"\r\nx\r\n1;" + b"e" * 300,
    ],
)  # fmt: skip
def test_whatever_is_no_body_is_bounded(flood):
    async def test():
        line = Line(Door(LIMITS, Tally()))
        await sent(line, flood)
        assert (line.wire.status, line.wire.state) == (431, "closed")

    played(test)


@connected
async def test_bodies_are_not_bounded_here_however_they_are_cut(line):
    line.go.set()
    await sent(line, CHUNKED + b"1\r\nx\r\n" * 2000 + b"0\r\n\r\n")
    assert line.wire.status == 200
    await sent(line, POST.replace(b"10", b"5000") + b"x" * 5000)
    assert line.wire.written.count(b"200 OK") == 2


@connected
async def test_a_few_requests_may_be_sent_ahead_and_not_many(line):
    line.go.set()
    await sent(line, GET * 10)
    assert line.wire.written.count(b"200 OK") == 10
    await sent(line, GET * 1000)
    assert (line.wire.state, line.guard.door.tally.closed) == ("aborted", {"pipelined": 1})


@connected
async def test_what_is_no_http_is_told_so_unless_an_answer_is_underway(line):
    await sent(line, GET, b"nonsense\r\n\r\n")
    assert (line.wire.status, line.wire.state) == (None, "aborted")


@pytest.mark.parametrize("start", [b"nonsense\r\n\r\n", CHUNKED + b"nonsense\r\n"])
def test_nonsense_is_a_bad_request(start):
    async def test():
        line = Line(Door(LIMITS, Tally()))
        await sent(line, start)
        assert (line.wire.status, line.wire.state) == (400, "closed")
        assert line.guard.door.tally.refused == {400: 1}

    played(test)


def test_without_room_a_connection_is_told_so_and_those_who_leave_make_some():
    async def test():
        door = Door(LIMITS, Tally())
        lines = [Line(door) for _ in range(2)]
        for line in lines:
            await sent(line, GET)
        third = Line(door)
        assert (third.wire.status, third.wire.state) == (503, "closed")
        lines[0].wire.abort()
        await lines[0].settle()
        silent = Line(door)
        await lines[1].answered()
        assert Line(door).wire.state == "open"
        assert (silent.wire.state, lines[1].wire.state) == ("aborted", "open")  # the silent one has waited longer

    played(test)
