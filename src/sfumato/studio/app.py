"""The routes of the studio: the list of projects, the pages of one, its actions, its jobs and its files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount

from sfumato.document.catalog import kind_of
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.studio import home, render
from sfumato.studio.gate import Gate
from sfumato.studio.handed import ALL, handed, zipped
from sfumato.studio.login import Login
from sfumato.studio.opening import PLACE, Opening
from sfumato.studio.pages.base import Asked, Turn, all_pages, is_upload, mended_on, most_files, page_named
from sfumato.studio.plan_file import Conflict
from sfumato.studio.roles import Right
from sfumato.studio.team import LOGIN, TeamGate
from sfumato.studio.vault import Locked, Vault
from sfumato.studio.waiting import Waiting
from sfumato.studio.ways import Way, right_to_act, right_to_see
from sfumato.studio.words import words
from sfumato.web.access import Refused
from sfumato.web.pages import language
from sfumato.web.pages.shelf import SHARED
from sfumato.web.pages.upload import all_uploaded
from sfumato.web.static import StaticFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.datastructures import UploadFile
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from sfumato.studio.gate import Keys
    from sfumato.studio.pages.base import Page
    from sfumato.studio.shelf import Project, Shelf
    from sfumato.studio.team import Team

STATIC = StaticFiles("sfumato.studio", {"studio.css": "text/css", "studio.js": "text/javascript"}, SHARED)
"""Style and scripts of the pages."""


@dataclass(frozen=True, slots=True)
class Routes:
    """What is answered at each address.

    Args:
        shelf: the projects.
        path: where all pages are.
        vault: passwords of databases that were typed.
    """

    shelf: Shelf
    path: str
    vault: Vault

    async def home(self, request: Request) -> Response:
        """The list of projects."""
        shelf = self._shelf(request)
        view = await run_in_threadpool(home.view, shelf)
        return self._answer(request, "home.html", 200, view=view, error=None)

    async def begin(self, request: Request) -> Response:
        """A table that is dropped or named becomes a new project."""
        shelf = self._shelf(request)
        async with request.form(max_files=1, max_fields=20) as form:
            try:
                project, turn = await home.begin(shelf, form, self.vault, request.state.who)
            except SfumatoError as error:
                view = await run_in_threadpool(home.view, shelf)
                return self._answer(request, "home.html", 422, view=view, error=error)
        return self._to(project, turn)

    async def page(self, request: Request) -> Response:
        """A page of a project."""
        return await run_in_threadpool(self._page, request, {}, None)

    async def act(self, request: Request) -> Response:
        """Something is done; the page is shown again, with what was wrong where something was."""
        takes = most_files(request.url.path)
        async with request.form(max_files=takes, max_fields=20_000) as form:
            posted = {name: value for name, value in form.items() if isinstance(value, str)}
            return await run_in_threadpool(self._act, request, posted, all_uploaded(form))

    async def file(self, request: Request) -> Response:
        """Report, result, plan or release of a run; or all of them."""
        shelf, name = self._shelf(request), request.path_params["file"]
        project = shelf.project(request.path_params["project"])
        run = project.run(request.path_params["number"])
        if name == ALL:
            return await run_in_threadpool(zipped, shelf, project, run, _language(request))
        return await run_in_threadpool(handed, run, name, _language(request))

    async def language(self, request: Request) -> Response:
        """Another language from now on."""
        return await language.choose(request, self.path)

    def _page(self, request: Request, posted: Mapping[str, str], error: SfumatoError | None) -> Response:
        """A page, with an error where an action on it failed."""
        page = page_named(request.path_params["page"])
        project = self._shelf(request).project(request.path_params["project"])
        if page is None:
            return self._answer(request, "absent.html", 404)
        if page.document == "plan" and not project.has("plan"):
            return self._to(project, _without_plan(project))
        if page.name == "ask" and not project.has("data"):
            return self._to(project, Turn("declare"))
        asked = self._asked(request, project, posted)
        try:
            view = page.view(asked)
        except SfumatoError as trouble:
            return self._shown(request, page, project, "broken.html", 422, view=None, error=trouble)
        status = 200 if error is None else 422
        return self._shown(request, page, project, f"{page.name}.html", status, view=view, error=error)

    def _asked(
        self, request: Request, project: Project, posted: Mapping[str, str], uploads: tuple[UploadFile, ...] = ()
    ) -> Asked:
        """What a page is told."""
        said, query = words(_language(request)), dict(request.query_params)
        return Asked(project, said, query, posted, uploads, self._shelf(request), request.state.who, self.vault)

    def _shelf(self, request: Request) -> Shelf:
        """The projects of whoever asks."""
        return replace(self.shelf, user=request.state.who.name)

    def _shown(
        self, request: Request, page: Page[Any], project: Project, template: str, status: int, **shown: Any
    ) -> Response:
        about_plan = page.document == "plan"
        trouble = project.plan_file().trouble() if about_plan and shown["error"] is None else None
        return self._answer(
            request, template, status, page=page, project=project,
            pages=[one for one in _menu(project) if request.state.who.may(one.right)], trouble=trouble,
            mend=mended_on(trouble), can_undo=about_plan and bool(project.plan_file().past()), **shown,
        )  # fmt: skip

    def _act(self, request: Request, posted: dict[str, str], uploads: tuple[UploadFile, ...]) -> Response:
        page = page_named(request.path_params["page"])
        act = None if page is None else page.acts.get(request.path_params["act"])
        project = self._shelf(request).project(request.path_params["project"])
        if page is None or act is None:
            return self._answer(request, "absent.html", 404)
        try:
            turn = act(self._asked(request, project, posted, uploads))
        except Locked as error:
            if request.state.who.changes:
                return self._to(project, Turn(PLACE, {"back": page.name}))
            return self._page(request, posted, error)
        except Conflict as found:
            return self._answer(request, "conflict.html", 409, found=found, project=project, page=page)
        except SfumatoError as error:
            return self._page(request, posted, error)
        return self._to(project, turn)

    def _to(self, project: Project, turn: Turn) -> Response:
        """Go somewhere else."""
        return RedirectResponse(self._url(project, turn), 303)

    def _url(self, project: Project, turn: Turn) -> str:
        query = f"?{urlencode(turn.query)}" if turn.query else ""
        place = f"#{quote(turn.place)}" if turn.place else ""
        inner = f"/p/{quote(project.name)}/{turn.page}" if turn.page else "/"
        return f"{self.path}{inner}{query}{place}"

    def _answer(self, request: Request, template: str, status: int, **shown: Any) -> Response:
        """A page as HTML."""
        url, said, who = partial(_address, self.path), _language(request), getattr(request.state, "who", None)
        return HTMLResponse(render.page(said, template, url=url, root=self.path, who=who, **shown), status)


def _address(path: str, project: Project | None, page: str = "", **query: object) -> str:
    """The address of a page, for templates."""
    inner = "/" if project is None else f"/p/{quote(project.name)}/{page}"
    return f"{path}{inner}" + (f"?{urlencode(query)}" if query else "")


def _menu(project: Project) -> list[Page[Any]]:
    """Pages that make sense of a project: of a plan those of its kind."""
    kind = None
    with suppress(SfumatoError):
        kind = kind_of(project.plan_file().tables) if project.has("plan") else None
    return [one for one in all_pages() if one.document != "plan" or (kind or "plan") in one.kinds]


def _without_plan(project: Project) -> Turn:
    """Where somebody goes who wants a page about a plan that is not there."""
    if project.has("data"):
        return Turn("declare")
    return Turn("wait", {"job": "draft"}) if (project.hidden / "draft").is_dir() else Turn("collect")


def _language(request: Request) -> str:
    return language.language_of(request.headers)


def application(shelf: Shelf, keys: Keys, team: Team | None = None) -> ASGIApp:
    """The studio behind its gate.

    Args:
        shelf: the projects that it shows.
        keys: what lets somebody in.
        team: who may come in; None: whoever has the token.
    """
    routes = Routes(shelf, keys.path, Vault())
    app = Starlette(
        routes=[Mount(keys.path, routes=[way.route() for way in ways(routes, team)])],
        exception_handlers={kind: _failed(routes) for kind in (SfumatoError, Refused, HTTPException)},
    )
    return Gate(app, keys, is_upload) if team is None else TeamGate(app, keys, is_upload, team)


def ways(routes: Routes, team: Team | None) -> tuple[Way, ...]:
    """Every address with the right that it needs.

    Args:
        routes: what is answered there.
        team: who may sign in; None: nobody needs to.
    """
    waiting = Waiting(routes._shelf, routes._answer, routes._to)  # noqa: SLF001
    opening = Opening(routes.vault, routes._shelf, routes._answer, routes._to)  # noqa: SLF001
    found = (
        Way("/", "GET", routes.home, Right.ENTER),
        Way("/", "POST", routes.begin, Right.CHANGE),
        Way("/language", "POST", routes.language, Right.OPEN),
        Way("/static/{file}", "GET", _static, Right.OPEN),
        Way("/p/{project}/wait", "GET", waiting.wait, Right.SEE),
        Way("/p/{project}/events", "GET", waiting.events, Right.SEE),
        Way("/p/{project}/stop", "POST", waiting.stop, Right.CHANGE),
        Way("/p/{project}/reread", "POST", waiting.reread, Right.CHANGE),
        *(Way(f"/p/{{project}}/{PLACE}", method, opening.enter, Right.CHANGE) for method in ("GET", "POST")),
        Way("/p/{project}/runs/{number}/{file}", "GET", routes.file, Right.SEE),
        Way("/p/{project}/{page}", "GET", routes.page, right_to_see),
        Way("/p/{project}/{page}/{act}", "POST", routes.act, right_to_act),
    )
    if team is None:
        return found
    login = Login(team, routes.path, routes._answer, routes.vault)  # noqa: SLF001
    inward = (Way(LOGIN, method, login.enter, Right.OPEN) for method in ("GET", "POST"))
    return (*inward, Way("/logout", "POST", login.leave, Right.ENTER), *found)


async def _static(request: Request) -> Response:
    return await STATIC.answer(request.path_params["file"])


def _failed(routes: Routes) -> Callable[[Request, Exception], Response]:
    """A mistake that no page answers itself."""

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return routes._answer(request, "absent.html", error.status_code)  # noqa: SLF001
        status = error.status if isinstance(error, Refused) else 404
        return routes._answer(request, "failed.html", status, error=error)  # noqa: SLF001

    return answer
