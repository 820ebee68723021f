"""An address with the right that it needs: there is no way to add one without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from sfumato.frozen import dataclass
from sfumato.studio.pages.base import page_named
from sfumato.studio.roles import Right
from sfumato.web.access import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response


@dataclass(frozen=True, slots=True)
class Way:
    """One address.

    Args:
        path: below the root of the studio.
        method: of HTTP; where it is GET, HEAD is answered too.
        answer: what is answered.
        right: that somebody needs; or how it follows from the request.
    """

    path: str
    method: str
    answer: Callable[[Request], Awaitable[Response]]
    right: Right | Callable[[Request], Right]

    def route(self) -> Route:
        """The address, for whoever has the right."""

        async def permitted(request: Request) -> Response:
            right = self.right if isinstance(self.right, Right) else self.right(request)
            who = getattr(request.state, "who", None)
            if right is not Right.OPEN and (who is None or not who.may(right)):
                raise Refused(403, "Your role does not allow this.", "ask whoever runs the studio for another role.")
            return await self.answer(request)

        return Route(self.path, permitted, methods=[self.method])


def right_to_see(request: Request) -> Right:
    """What a page needs; one that does not exist needs what most pages need."""
    page = page_named(request.path_params["page"])
    return Right.SEE if page is None else page.right


def right_to_act(request: Request) -> Right:
    """What an action of a page needs."""
    page = page_named(request.path_params["page"])
    return Right.CHANGE if page is None else page.right_to_act
