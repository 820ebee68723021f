"""What one connection may send, and how long it may take: limits in front of the parser, for those without a token too.

The protocol of uvicorn bounds neither heads nor time. Here every connection has at most one clock: until the first
byte of a request, then until the whole of it has arrived; an answer that is not read has one of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sfumato.web.policy import GUARDED

if TYPE_CHECKING:
    import asyncio

    from sfumato.web.door import Door

_FRAME = 32
"""Bytes around a piece of body (the length of a chunk, line ends) that are not counted as head."""
_PIPELINED = 16
"""Requests that a connection may send ahead of their answers."""
_REASONS = {
    400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large", 503: "Service Unavailable",
}  # fmt: skip


class Guard(HttpToolsProtocol):  # type: ignore[misc]
    """One connection within the limits of a door; `behind` makes the class for a door."""

    door: ClassVar[Door]

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Let it in, or say that all places are taken."""
        super().connection_made(transport)
        self._clock: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._arriving = self._headed = self._renewed = False
        self._left, self._body = self.door.limits.head, 0
        if self.door.enter(self, self.client[0] if self.client else ""):
            self._set_clock(self.door.limits.first_byte)
        else:
            self._refuse(503, "Too many connections are open.", "wait, then send the same request.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room."""
        self.door.leave(self)
        self._stop_clock()
        if self._stall is not None:
            self._stall.cancel()
        super().connection_lost(exc)

    def give_way(self) -> None:
        """See `Guest.give_way`."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hand the parser no more than the head may still have; bodies give it back."""
        if not self._arriving:
            self._begin()
        while data and not self.transport.is_closing():
            piece, data = data[: self._left], data[self._left :]
            self._renewed, self._body = False, 0
            super().data_received(piece)
            if self._renewed:
                self._left = self.door.limits.head
            else:
                self._left = min(self.door.limits.head, self._left - len(piece) + self._body)
            if self.transport.is_closing():
                return
            if self._left <= 0:
                most = self.door.limits.head
                self._refuse(431, f"The head of a request must have at most {most} bytes.", "send fewer headers.")
            elif len(self.pipeline) > _PIPELINED:
                self._end("pipelined")

    def on_message_begin(self) -> None:
        """A request sent ahead has a clock of its own."""
        super().on_message_begin()
        if not self._arriving:
            self._begin()

    def on_headers_complete(self) -> None:
        """From here on somebody works for it."""
        super().on_headers_complete()
        self._headed = self._renewed = True
        self.door.works(self)

    def on_body(self, body: bytes) -> None:
        """Bytes of a body are not bytes of a head."""
        self._body += len(body) + _FRAME
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request has arrived; it is answered now, or was already."""
        super().on_message_complete()
        self._renewed, self._arriving, self._headed = True, False, False
        self._stop_clock()
        self._rest()

    def on_response_complete(self) -> None:
        """Wait for the next request, but not for ever."""
        super().on_response_complete()
        self._rest()

    def pause_writing(self) -> None:
        """The answer is not read: wait as long as for a request."""
        super().pause_writing()
        self._stall = self.loop.call_later(self.door.limits.seconds, self._end, "unread")

    def resume_writing(self) -> None:
        """It is read."""
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def timeout_keep_alive_handler(self) -> None:
        """Nothing: the clock of this class runs between requests too."""

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so, as every refusal is told."""
        self._refuse(400, msg, "send HTTP/1.1.")

    def _begin(self) -> None:
        """The first byte of a request is here."""
        self._arriving = True
        self._set_clock(self.door.limits.seconds)

    def _rest(self) -> None:
        """If all is answered: wait for the next request, or for the answer to be read before closing."""
        if self.cycle is None or not self.cycle.response_complete or self.pipeline:
            return
        if self.transport.is_closing():
            self._set_clock(self.door.limits.seconds)
            return
        self.door.waits(self)
        if not self._arriving:
            self._set_clock(self.door.limits.first_byte)

    def _set_clock(self, seconds: float) -> None:
        """The connection ends after some seconds, unless something happens."""
        self._stop_clock()
        self._clock = self.loop.call_later(seconds, self._late)

    def _stop_clock(self) -> None:
        """Something has happened."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _late(self) -> None:
        """Time is over: before a request nobody is told, within one the sender is."""
        if self.transport.is_closing():
            self._end("unread")
        elif self._arriving:
            self._refuse(408, "The request took too long to arrive.", "send the same request again.")
        else:
            self._end("idle")

    def _end(self, why: str) -> None:
        """Close at once, whatever was still to be written."""
        self.door.tally.closed[why] += 1
        self.transport.abort()

    def _refuse(self, status: int, problem: str, remedy: str) -> None:
        """Answer the request that arrives, and close; if it was answered, or another one is being answered, close only."""
        cycle, quiet = self.cycle, self.cycle is None or self.cycle.response_complete
        if self.pipeline or quiet == self._headed or (self._headed and cycle.response_started):
            self._end("late" if status == 408 else "malformed")
            return
        if self._headed:
            cycle.disconnected = True
            cycle.message_event.set()
        self.door.tally.refused[status] += 1
        self.transport.write(_answer(status, problem, remedy))
        self.transport.close()
        self._set_clock(self.door.limits.seconds)


def behind(door: Door) -> type[Guard]:
    """The protocol of connections that come through a door."""
    return type("Guarded", (Guard,), {"door": door})


def _answer(status: int, problem: str, remedy: str) -> bytes:
    """A refusal as bytes, for connections that have not come as far as the application."""
    body = orjson.dumps({"problem": problem, "remedy": remedy})
    head = [
        b"HTTP/1.1 %d %s" % (status, _REASONS[status].encode()),
        b"content-type: application/json", b"content-length: %d" % len(body), b"connection: close",
        *(b"%s: %s" % pair for pair in GUARDED), *([b"retry-after: 1"] if status == 503 else []),
    ]  # fmt: skip
    return b"\r\n".join([*head, b"", body])
