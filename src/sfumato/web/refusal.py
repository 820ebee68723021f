"""Requests that are not answered with 200: each says what must be true, and what to do: as JSON, or as a page where one is read."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.web.access import Refused
from sfumato.web.policy import guarded

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from sfumato.web.metrics import Tally


def answering(app: Starlette, tally: Tally) -> ASGIApp:
    """An application that programs ask, with its refusals, and headers that guard every answer."""
    Refusals(tally).answer_in(app)

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, guarded(send) if scope["type"] == "http" else send)

    return answered


@dataclass(frozen=True, slots=True, eq=False)
class Refusals:
    """How refusals are answered and counted.

    Args:
        tally: where they are counted.
        page: the answer to a person who asks for a page, from request, status and error; None: a program asks. None
            altogether: only programs do.
    """

    tally: Tally
    page: Callable[[Request, int, Exception], Response | None] | None = None

    def answer_in(self, app: Starlette) -> None:
        """Answer the refusals of an application."""
        app.add_exception_handler(HTTPException, self.absent)
        app.add_exception_handler(Refused, self.refused)
        app.add_exception_handler(SfumatoError, self.failed)

    async def refused(self, request: Request, error: Exception) -> Response:
        """A refusal: what must be true, and what to do."""
        if not isinstance(error, Refused):
            raise error
        self.tally.refused[error.status] += 1
        headers = dict(error.headers or {})
        if error.wait is not None:
            headers["Retry-After"] = str(max(1, round(error.wait + 0.5)))
        if error.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return self._told(request, error, error.status, (error.problem, error.remedy), headers)

    async def absent(self, request: Request, error: Exception) -> Response:
        """No such address, or none that takes this method: refused as everything is."""
        if not isinstance(error, HTTPException):
            raise error
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            problem, remedy = "This address must be asked with another method.", "see the header Allow."
        else:
            problem, remedy = "There is no such address here.", "correct it."
        return await self.refused(request, Refused(error.status_code, problem, remedy, headers=error.headers))

    async def failed(self, request: Request, error: Exception) -> Response:
        """The store failed: nothing was counted."""
        self.tally.refused[503] += 1
        problem = error.problem if isinstance(error, SfumatoError) else "The server failed."
        return self._told(request, error, 503, (problem, "send the same request again later."), {"Retry-After": "1"})

    def _told(
        self, request: Request, error: Exception, status: int, words: tuple[str, str], headers: dict[str, str]
    ) -> Response:
        """As a page where one was asked for, else as JSON."""
        page = None if self.page is None else self.page(request, status, error)
        if page is not None:
            page.headers.update(headers)
            return page
        return JSONResponse({"problem": words[0], "remedy": words[1]}, status, headers)
