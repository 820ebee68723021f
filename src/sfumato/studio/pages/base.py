"""What every page of a project declares; each `Page` that a file of this folder holds is a page, and stands in the menu."""

from __future__ import annotations

from dataclasses import field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.studio.roles import ALONE, Person, Right
from sfumato.studio.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.datastructures import UploadFile

    from sfumato.language.words import Words
    from sfumato.studio.plan_file import Edit, PlanFile
    from sfumato.studio.shelf import Project, Shelf

V = TypeVar("V")
EVERY_KIND = ("plan", "traces", "graph", "graph-edges", "graph-synthetic")
"""Every kind of plan."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a page.

    Args:
        project: what it is about.
        words: the language.
        query: keys of the address.
        posted: what was filled in; empty where nothing was.
        uploads: the files that were dropped; (): none was, or the action takes none.
        shelf: where tables may be read that are named by their path; None: none may.
        who: asks.
        vault: passwords of databases that were typed.
    """

    project: Project
    words: Words
    query: Mapping[str, str] = field(default_factory=dict)
    posted: Mapping[str, str] = field(default_factory=dict)
    uploads: tuple[UploadFile, ...] = ()
    shelf: Shelf | None = None
    who: Person = ALONE
    vault: Vault = field(default_factory=Vault)

    @property
    def upload(self) -> UploadFile | None:
        """The file that was dropped where one may be; None: none was."""
        return next(iter(self.uploads), None)

    def wanted(self, name: str, usual: str = "") -> str:
        """What the address, or else the form, says."""
        return self.query.get(name, self.posted.get(name, usual))

    def edited(self, edit: Edit) -> PlanFile:
        """The plan with a change, saved unless somebody else changed it meanwhile.

        Raises:
            PlanError: a key is of the wrong form, or the plan on disk is another one.
        """
        file = self.project.plan_file()
        seen = self.posted.get("seen", "")
        if not seen:
            raise PlanError("A change must say which plan it was made on.", "open the page again.")
        made = file.changed(edit)
        made.save(seen)
        return made


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the browser goes after an action.

    Args:
        page: name of a page of the project; "": the list of projects.
        query: keys of the address.
        place: the part of the page.
    """

    page: str
    query: Mapping[str, str] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[V]):
    """One page of a project. The template `NAME.html` prints its view, and decides nothing.

    Args:
        name: of the template, and in the address.
        place: pages stand in the menu in the order of this number.
        title: in the menu, in English.
        document: which document it is about: "plan", "data" or "collection"; the menu has a part for each.
        command: what does the same in a shell.
        view: what is shown.
        acts: what can be done on it, by name; each says where to go then.
        uploads: names of the actions that take a file, in an input `table`.
        files: how many of them at most.
        for_analysts: whether it shows no cell of a table and no exact figure, so that those who may only ask see it and
            do what can be done on it.
        kinds: kinds of plans in whose menu it stands, as `kind_of` names them.
    """

    name: str
    place: int
    title: str
    command: str
    document: str = "plan"
    view: Callable[[Asked], V]
    acts: Mapping[str, Callable[[Asked], Turn]] = field(default_factory=dict)
    uploads: tuple[str, ...] = ()
    files: int = 1
    for_analysts: bool = False
    kinds: tuple[str, ...] = ("plan",)

    @property
    def right(self) -> Right:
        """What somebody needs to see it."""
        return Right.QUESTIONS if self.for_analysts else Right.SEE

    @property
    def right_to_act(self) -> Right:
        """What somebody needs to do what can be done on it."""
        return Right.ASK if self.for_analysts else Right.CHANGE


@cache
def all_pages() -> tuple[Page[Any], ...]:
    """Every page of a project, in the order of the menu."""
    here = __name__.rpartition(".")[0]
    names = [found.name for found in iter_modules(import_module(here).__path__)]
    found = [one for name in names for one in vars(import_module(f"{here}.{name}")).values() if isinstance(one, Page)]
    return tuple(sorted(found, key=lambda page: page.place))


def page_named(name: str) -> Page[Any] | None:
    """A page by its name."""
    return next((page for page in all_pages() if page.name == name), None)


def is_upload(path: str) -> bool:
    """Whether an address is that of an action that takes a file.

    Example:
        >>> is_upload("/drawn/p/stays/compare/add"), is_upload("/drawn/p/stays/table/roles"), is_upload("/")
        (True, False, False)
    """
    return most_files(path) > 0


def most_files(path: str) -> int:
    """How many files an action may take at most.

    Example:
        >>> most_files("/p/stays/compare/add"), most_files("/p/stays/hierarchy/take"), most_files("/p/stays/table/roles")
        (1, 100, 0)
    """
    *_, name, act = ["", "", *path.split("/")]
    page = page_named(name)
    return page.files if page is not None and act in page.uploads else 0


def mended_on(trouble: SfumatoError | None) -> str:
    """Name of the page on which what an error of a plan is about is changed; "": nobody knows.

    Example:
        >>> mended_on(PlanError("…", "…").below("columns", "age", "hierarchy"))
        'hierarchy'
    """
    path = () if trouble is None else trouble.path
    if "hierarchy" in path:
        return "hierarchy"
    if path[-1:] == ("role",):  # a role that does not fit a promise was given a moment ago
        return "promise"
    by_table = {"columns": "table", "promise": "promise", "method": "promise", "measure": "promise", "graph": "graph"}
    return by_table.get(str(next(iter(path), "")), "")
