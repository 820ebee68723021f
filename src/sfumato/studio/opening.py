"""The page where the password of a project's database is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.studio.databases import unlock, url_of
from sfumato.studio.pages.base import Turn, page_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from sfumato.studio.shelf import Project, Shelf
    from sfumato.studio.vault import Vault

PLACE = "password"
"""Its name in an address."""


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """A database is opened.

    Args:
        vault: what was typed.
        shelf: the projects of whoever asks.
        answer: makes a page of a request, a template, a status and what is shown.
        to: goes somewhere else.
    """

    vault: Vault
    shelf: Callable[[Request], Shelf]
    answer: Callable[..., Response]
    to: Callable[[Project, Turn], Response]

    async def enter(self, request: Request) -> Response:
        """The page; with a form, a password that is tried, and kept in memory if it opens. It is shown nowhere."""
        project = self.shelf(request).project(request.path_params["project"])
        page, url = (
            page_named(request.query_params.get("back", "")),
            await run_in_threadpool(url_of, project, self.vault, request.state.who),
        )
        shown = {"project": project, "address": url, "back": page.name if page else "table"}
        if not url:
            return self.to(project, Turn(shown["back"]))
        if request.method != "POST":
            return self.answer(request, "password.html", 200, error=None, **shown)
        form = await request.form(max_files=0, max_fields=4)
        try:
            await run_in_threadpool(unlock, self.vault, url, str(form.get("password", "")), request.state.who)
        except SfumatoError as error:
            return self.answer(request, "password.html", 422, error=error, **shown)
        return self.to(project, Turn(shown["back"]))
