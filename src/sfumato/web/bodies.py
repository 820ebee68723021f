"""Bodies of requests, within the limits of one and of all that are held; their time is the guard's business."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sfumato.web.access import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from sfumato.document.server import Limits


class Bodies:
    """What has arrived and is not done with.

    Args:
        limits: of one body and of all.
        smaller: what to do with a body that is too large.

    `held` is how many bytes have arrived and are not done with.
    """

    def __init__(self, limits: Limits, smaller: str) -> None:
        self._limits, self._smaller, self.held = limits, smaller, 0

    @asynccontextmanager
    async def received(self, request: Request) -> AsyncIterator[bytes]:
        """The body of a request; it counts as held until the work on it is done.

        Raises:
            Refused: it is too large (413), or too much arrives at once (503).
        """
        body = bytearray()
        try:
            await self._gather(request, body)
            yield bytes(body)
        finally:
            self.held -= len(body)

    async def _gather(self, request: Request, body: bytearray) -> None:
        limits = self._limits
        too_large = Refused(413, f"A request must be at most {limits.body} bytes.", self._smaller)
        async for part in pieces(request, limits.body, too_large):
            if self.held + len(part) > limits.memory:
                raise Refused(503, "Too many batches arrive at once.", "wait, then send the same batch.", wait=1.0)
            body += part
            self.held += len(part)


async def pieces(request: Request, most: int, too_large: Refused) -> AsyncIterator[bytes]:
    """The body of a request as it arrives.

    Args:
        request: whose.
        most: bytes of it all; a length that is declared is believed if it is more.
        too_large: how a larger one is refused, before the piece with which it is.
    """
    length, n = request.headers.get("content-length", ""), 0
    if length.isdigit() and int(length) > most:
        raise too_large
    async for part in request.stream():
        n += len(part)
        if n > most:
            raise too_large
        yield part
