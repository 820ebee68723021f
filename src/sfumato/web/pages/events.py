"""Work that goes on, as a page follows it: server-sent events until it is over."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from starlette.requests import Request


def until_over(request: Request, look: Callable[[], Mapping[str, Any] | None], often: float) -> Response:
    """How work stands, again and again; a page with `data-events` shows it, and is loaded again when it is over.

    Args:
        request: of the page.
        look: `percent` (None: nobody knows) and `message`; None: it is over. Called in another thread.
        often: seconds between two events.
    """

    async def told() -> AsyncIterator[str]:
        while not await request.is_disconnected():
            found = await run_in_threadpool(look)
            if found is None:
                yield "event: over\ndata: {}\n\n"
                return
            yield f"data: {json.dumps(dict(found))}\n\n"
            await asyncio.sleep(often)

    return StreamingResponse(told(), media_type="text/event-stream")
