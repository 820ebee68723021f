"""The page where one signs in, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from sfumato.frozen import dataclass
from sfumato.studio.team import LOGIN
from sfumato.web.access import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from sfumato.studio.team import Team
    from sfumato.studio.vault import Vault


@dataclass(frozen=True, slots=True, eq=False)
class Login:
    """In and out.

    Args:
        team: who may come in.
        path: where all pages are.
        answer: makes a page of a request, a template, a status and what is shown.
        vault: passwords of databases, which go with whoever typed them.
    """

    team: Team
    path: str
    answer: Callable[..., Response]
    vault: Vault

    async def enter(self, request: Request) -> Response:
        """The page; with a form, somebody who comes in or is told why not. What was typed is shown nowhere."""
        if request.method != "POST":
            return self.answer(request, "login.html", 200, error=None)
        form = await request.form(max_files=0, max_fields=4)
        name, password = (str(form.get(key, "")) for key in ("name", "password"))
        try:
            cookie = await self.team.sign_in(name, password, self.team.public.address(request.scope))
        except Refused as error:
            answer: Response = self.answer(request, "login.html", error.status, error=error)
            if error.wait is not None:
                answer.headers["retry-after"] = str(int(error.wait) + 1)
            return answer
        self.team.sessions.end(self.team.public.given(request.headers))
        answer = RedirectResponse(self.path + "/", 303)
        self.team.public.keep(answer, cookie)
        return answer

    async def leave(self, request: Request) -> Response:
        """The session is over, here and in the browser."""
        who = getattr(request.state, "who", None)
        self.vault.forget(who.name if who else "")
        self.team.sessions.end(self.team.public.given(request.headers))
        answer = RedirectResponse(self.path + LOGIN, 303)
        self.team.public.drop(answer)
        return answer
