"""Work that goes on, as a page sees it: how far it is, its end, and what comes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.studio import jobs
from sfumato.studio.pages.base import Turn
from sfumato.studio.reread import fields_again, read_again
from sfumato.studio.shelf import COMPARED
from sfumato.studio.words import words
from sfumato.web.pages.events import until_over
from sfumato.web.pages.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from sfumato.studio.shelf import Project, Shelf

_AFTER = {
    "draft": Turn("table"), "risk": Turn("risk"), "sweep": Turn("explore"), "lattice": Turn("lattice"),
    "node": Turn("lattice", {"node": "last"}, "opened"), "estimate": Turn("promise", place="estimate"),
}  # fmt: skip
"""Where to go when a job is done that is no run."""
_OFTEN = 0.2
"""Seconds between two events of a job."""


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """Pages of work that goes on.

    Args:
        shelf: the projects of whoever asks.
        answer: makes a page of a request, a template, a status and what is shown.
        to: goes somewhere else.
    """

    shelf: Callable[[Request], Shelf]
    answer: Callable[..., Response]
    to: Callable[[Project, Turn], Response]

    async def wait(self, request: Request) -> Response:
        """A job that is going on; what comes after it once it is done."""
        return await run_in_threadpool(self._wait, request)

    async def events(self, request: Request) -> Response:
        """How a job stands, as server-sent events, until it is over."""
        project = self.shelf(request).project(request.path_params["project"])
        folder = self._job(project, request.query_params.get("job", ""))
        say = words(language_of(request.headers)).say

        def look() -> Mapping[str, Any] | None:
            found = jobs.state(folder)
            if found is None or not found.is_going:
                return None
            return {"percent": found.percent, "message": say(found.message)}

        return until_over(request, look, _OFTEN)

    async def stop(self, request: Request) -> Response:
        """A job is asked to stop."""
        form = await request.form()
        project, name = self.shelf(request).project(request.path_params["project"]), str(form.get("job", ""))
        await run_in_threadpool(jobs.stop, self._job(project, name))
        await run_in_threadpool(jobs.wait, self._job(project, name), 5)
        return self.to(project, Turn("wait", {"job": name}))

    def _wait(self, request: Request) -> Response:
        project, name = (
            self.shelf(request).project(request.path_params["project"]),
            request.query_params.get("job", ""),
        )
        found = jobs.wait(self._job(project, name), 2.5 if request.query_params.get("now") is None else 0)
        if found is not None and found.name == "done" and (name != "draft" or "again" not in request.query_params):
            return self.to(project, _after(name))
        again = fields_again(self._job(project, name), found)
        return self.answer(
            request,
            "wait.html",
            200,
            project=project,
            job=name,
            state=found,
            after=_after(name),
            again=again,
            error=None,
        )

    async def reread(self, request: Request) -> Response:
        """A file that could not be read is read again, as the form says."""
        project = self.shelf(request).project(request.path_params["project"])
        form = await request.form(max_files=0, max_fields=20)
        posted, folder = {name: text for name, text in form.items() if isinstance(text, str)}, project.hidden / "draft"
        try:
            await run_in_threadpool(read_again, folder, posted)
        except SfumatoError as error:
            found = jobs.state(folder)
            again = fields_again(folder, found)
            return self.answer(
                request,
                "wait.html",
                422,
                project=project,
                job="draft",
                state=found,
                after=Turn("table"),
                again=again,
                error=error,
            )
        return self.to(project, Turn("wait", {"job": "draft"}))

    def _job(self, project: Project, name: str) -> Path:
        """The folder of a job: its name, or the number of a run."""
        if name.isdecimal():
            return project.run(name).folder
        if name.startswith(COMPARED):
            return project.comparison(name.removeprefix(COMPARED)).folder
        if name not in _AFTER:
            raise HTTPException(404)
        return project.hidden / name


def _after(job: str) -> Turn:
    """Where to go when a job is done."""
    if job.startswith(COMPARED):
        return Turn("compare", {"release": job.removeprefix(COMPARED)})
    return _AFTER.get(job, Turn("result", {"run": job}))
