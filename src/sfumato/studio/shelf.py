"""The folder that a studio shows: its projects, their plans and their runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.studio.plan_file import PlanFile

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAN, DATA_FILE, COLLECTION_FILE, STRINGS_FILE = "plan.toml", "data.toml", "collection.toml", "collection.json"
_DOCUMENTS = {"plan": PLAN, "data": DATA_FILE, "collection": COLLECTION_FILE, "strings": STRINGS_FILE}
OWNERS = "owners.txt"
"""Names of the users of a team who see a project, one a line."""
HIDDEN = ".studio"
"""Folder of a project that holds what can be made again, and earlier plans."""
COMPARED = "compared-"
"""The job of a comparison is called so, and by its number."""
_MOST_BYTES, _MOST_DIGITS = 160, 15
_NAME = re.compile(r"[\w][\w .\-]{0,80}")


@dataclass(frozen=True, slots=True)
class Numbered:
    """One of several folders of a kind in a project, numbered from 1.

    Args:
        folder: where it is.
    """

    folder: Path

    @property
    def number(self) -> int:
        """Which of them."""
        return int(self.folder.name)


class Run(Numbered):
    """One run of a project: a folder `runs/NNN` with the plan as it was, the release, its result and its report."""

    __slots__ = ()

    @property
    def result(self) -> Path:
        """Its result, once it is done."""
        return self.folder / "result.json"

    @property
    def report(self) -> Path:
        """Its report, once it is done."""
        return self.folder / "report.html"


class Comparison(Numbered):
    """A release made elsewhere beside the table: a folder `compared/NNN` with the release, where it was dropped, and what came out."""

    __slots__ = ()

    @property
    def dropped(self) -> Path:
        """Folder of a release that was dropped; its name cannot be that of another file of the comparison."""
        return self.folder / "release"

    @property
    def result(self) -> Path:
        """What was measured, once it is."""
        return self.folder / "comparison.json"


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a plan, a data document or a collection.

    Args:
        folder: where it is.
    """

    folder: Path

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.name

    @property
    def hidden(self) -> Path:
        """What can be made again."""
        return self.folder / HIDDEN

    @property
    def plan_path(self) -> Path:
        """Its plan."""
        return self.folder / PLAN

    def is_of(self, name: str) -> bool:
        """Whether a user of a team sees it: nobody does where the file of owners is absent, a link or no text."""
        return bool(name) and name in self.owners()

    def owners(self) -> set[str]:
        """The users of a team who see it."""
        path = self.folder / OWNERS
        try:
            lines = path.read_text("utf-8").splitlines() if path.is_file() and not path.is_symlink() else []
        except (OSError, UnicodeDecodeError):
            return set()
        return {line.strip() for line in lines}

    def has(self, document: str) -> bool:
        """Whether its plan, its data document or one of its collections is there.

        Args:
            document: "plan", "data", "collection" or "strings".
        """
        return (self.folder / _DOCUMENTS[document]).is_file()

    def plan_file(self) -> PlanFile:
        """Its plan as it is now."""
        return PlanFile.at(self.plan_path)

    def runs(self) -> list[Run]:
        """Its runs, the newest first."""
        return [Run(one) for one in _numbered(self.folder / "runs")]

    def run(self, text: str) -> Run:
        """One run.

        Args:
            text: its number, as an address or a form says it.

        Raises:
            SourceError: there is none of this number.
        """
        for found in self.runs():
            if found.number == whole(text):
                return found
        raise SourceError("A run must be one of the history; there is none of this number.", "open the history.")

    def new_run(self) -> Run:
        """The folder of the next run, made."""
        return Run(_next_of(self.folder / "runs"))

    def comparisons(self) -> list[Comparison]:
        """Its comparisons, the newest first."""
        return [Comparison(one) for one in _numbered(self.folder / "compared")]

    def comparison(self, text: str) -> Comparison:
        """One comparison.

        Args:
            text: its number, as an address or a form says it.

        Raises:
            SourceError: there is none of this number.
        """
        for found in self.comparisons():
            if found.number == whole(text):
                return found
        raise SourceError(
            "A comparison must be one of the list; there is none of this number.", "open the page `Compare`."
        )

    def new_comparison(self) -> Comparison:
        """The folder of the next comparison, made."""
        return Comparison(_next_of(self.folder / "compared"))


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder that a studio was started on.

    Args:
        folder: its projects are folders in it, and itself where it has a plan.
        roots: folders from which tables may be read, beside it.
        user: of a team, who sees only projects of which he or she is an owner; "": the only user, who sees all.
    """

    folder: Path
    roots: tuple[Path, ...] = ()
    user: str = ""

    def projects(self) -> list[Project]:
        """All projects of the user, by name."""
        return [one for one in self._all() if not self.user or (one.folder != self.folder and one.is_of(self.user))]

    def _all(self) -> list[Project]:
        """All projects, of whomever they are."""
        own = [self.folder] if _is_project(self.folder) else []
        inner = [one for one in self.folder.iterdir() if one.is_dir() and not one.is_symlink() and _is_project(one)]
        return [Project(one) for one in (*own, *sorted(inner))]

    def project(self, name: str) -> Project:
        """A project by its name.

        Raises:
            SourceError: there is none.
        """
        for found in self.projects():
            if found.name == name:
                return found
        raise SourceError(
            "A project must be a folder with a plan; there is none of this name.", "open the list of projects."
        )

    def new(self, stem: str) -> Project:
        """A folder for a new project, made; a number is added where the name is taken.

        Args:
            stem: the name of the table without suffix.
        """
        name = stem.strip(" .") if _NAME.fullmatch(stem.strip(" .")) else "table"
        name = _shortened(name)
        for i in range(1, 10_000):
            folder = self.folder / (name if i == 1 else f"{name}-{i}")
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            if self.user:
                (folder / OWNERS).write_text(f"{self.user}\n", "utf-8")
            (folder / HIDDEN).mkdir()
            return Project(folder)
        raise SourceError("A project needs a name that is free.", "rename the table.")

    def allowed(self, text: str) -> Path:
        """A file that somebody named, if it lies in the folder of the studio or in another that was allowed.

        Raises:
            SourceError: it is not there, or lies elsewhere; links are followed first.
        """
        try:
            path = (self.folder / text).resolve()
            is_there = path.is_file()
        except (OSError, ValueError):  # longer than a name may be, or with a character that none may have
            raise SourceError("This is no path of a file.", "correct the path.") from None
        if not self._may_read(path):
            raise SourceError(
                "A table must lie in the folder of the studio or in one given by --root; this one does not.",
                "move it there, drop it on the page, or start the studio with --root FOLDER.",
            )
        if not is_there:
            raise SourceError("There must be a file at this place; there is none.", "correct the path.")
        return path

    def _may_read(self, path: Path) -> bool:
        """Whether a resolved path lies where the user may read: of the folder of a team only in projects of one's own."""
        folder = self.folder.resolve()
        if self.user and path.is_relative_to(folder):
            return any(path.is_relative_to(one.folder.resolve()) for one in self.projects())
        return any(path.is_relative_to(root.resolve()) for root in (folder, *self.roots))


def _numbered(folder: Path) -> list[Path]:
    """The numbered folders in a folder, the newest first."""
    found = [one for one in folder.glob("[0-9]*") if one.name.isdecimal() and one.is_dir()]
    return sorted(found, key=lambda one: -int(one.name))


def _next_of(folder: Path) -> Path:
    """The next numbered folder in a folder, made."""
    number = max((int(one.name) for one in _numbered(folder)), default=0) + 1
    while True:
        made = folder / f"{number:03}"
        try:
            made.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return made


def _is_project(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _DOCUMENTS.values()) or (folder / HIDDEN).is_dir()


def safe_name(text: str) -> str:
    r"""The name under which an upload is kept: the last part of what the browser says, without what a path could mean.

    Example:
        >>> safe_name("../../etc/passwd"), safe_name("C:\\data\\Séjours 2024.xlsx"), safe_name(".plan")
        ('passwd', 'Séjours 2024.xlsx', 'plan')

    What a project reads as its own document gets another name, so that no upload becomes one:

        >>> safe_name("Plan.toml"), safe_name("owners.txt")
        ('Plan.toml.csv', 'owners.txt.csv')
    """
    last = re.split(r"[/\\]", text)[-1]
    kept = "".join(c for c in last if c.isprintable() and c not in '<>:"|?*').strip(" .")
    if kept.lower().endswith((".toml", ".db")) or kept.lower() == OWNERS:
        kept += ".csv"
    stem, dot, suffix = kept.rpartition(".")
    return (_shortened(stem) + dot + suffix[:10] if dot else _shortened(kept)) or "table.csv"


def _shortened(text: str) -> str:
    """As many characters as a name of a file may have, with room for a suffix."""
    return text.encode()[:_MOST_BYTES].decode(errors="ignore")


def whole(text: str) -> int | None:
    """A whole number that an address or a form names; None: it names none.

    Example:
        >>> whole("12"), whole("-1"), whole("²"), whole("9" * 5000)
        (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def columns_of_role(plan: object, roles: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns of a parsed plan that have one of these roles."""
    columns = plan.get("columns", {}) if isinstance(plan, dict) else {}
    return tuple(name for name, said in columns.items() if isinstance(said, dict) and said.get("role") in roles)
