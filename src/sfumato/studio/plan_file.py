"""A plan on disk: read, changed, saved beside and renamed; a plan that somebody else changed meanwhile is not overwritten."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import tomlkit

from sfumato.document.codec import read
from sfumato.document.header import PLAN, without_header
from sfumato.document.plan import PlanDocument
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.release.plan_reader import plan_from
from sfumato.release.stage import staged
from sfumato.table.contents import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.plan import Plan
    from sfumato.table.values import Table

Edit = Callable[[Any], None]
"""A change to the document, which keeps its comments."""


class Conflict(PlanError):
    """The plan on disk is not the one that the form was made from."""

    theirs: str = ""
    ours: str = ""


@dataclass(frozen=True, slots=True)
class PlanFile:
    """A plan as it stood on disk when it was read.

    Args:
        path: where it is.
        text: what it says.
    """

    path: Path
    text: str

    @classmethod
    def at(cls, path: Path) -> PlanFile:
        """Read it.

        Raises:
            PlanError: there is none, or it is no text.
        """
        try:
            return cls(path, read_bytes(path, "The plan").decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise PlanError("The plan must be TOML in UTF-8.", "save it as UTF-8.") from None

    @property
    def seen(self) -> str:
        """What a form carries, to know later whether the plan is still the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def tables(self) -> Table:
        """What it says, as parsed.

        Raises:
            PlanError: it is no TOML, or a key is of the wrong form. What must hold of keys together may be missing.
        """
        try:
            said = tomllib.loads(self.text)
        except ValueError as error:  # no TOML, or an integer of thousands of digits
            raise PlanError("The plan must be TOML; {error}.", "correct that place.", error=str(error)) from None
        read(PlanDocument, without_header(said, PLAN, "the plan"), "the plan")
        return said

    def plan(self) -> Plan:
        """The plan, as a run reads it.

        Raises:
            SfumatoError: what must still be decided before it can be run.
        """
        return plan_from(self.tables, folder=self.path.parent)

    def trouble(self) -> SfumatoError | None:
        """Why it cannot be run as it is; None: it can."""
        try:
            self.plan()
        except SfumatoError as error:
            return error
        return None

    def changed(self, edit: Edit) -> PlanFile:
        """The same with a change, not yet saved.

        Raises:
            PlanError: a key is of the wrong form. What must hold of keys together may still be missing.
        """
        document = tomlkit.parse(self.text)
        edit(document)
        made = PlanFile(self.path, tomlkit.dumps(document))
        made.tables  # noqa: B018  # read as the next page will read it
        return made

    def save(self, seen: str) -> None:
        """Put it at its place, and what stood there into the history.

        Args:
            seen: of the plan that this one was made from.

        Raises:
            Conflict: the plan on disk is another one by now.
        """
        there = PlanFile.at(self.path)
        if there.seen != seen:
            found = Conflict(
                "The plan must not have changed since this page was opened; it has.",
                "look at both, then make your change again on the plan as it is now.",
            )
            found.theirs, found.ours = there.text, self.text
            raise found
        if there.text == self.text:
            return
        with staged() as stage:
            stage.write(there.next_past(), there.text)
            stage.write(self.path, self.text)
            stage.commit()

    def past(self) -> list[Path]:
        """Earlier texts, the oldest first."""
        return sorted((self.path.parent / ".studio" / "past").glob("[0-9]*.toml"))

    def next_past(self) -> Path:
        """Where the next earlier text goes."""
        folder = self.path.parent / ".studio" / "past"
        folder.mkdir(parents=True, exist_ok=True)
        last = self.past()
        return folder / f"{int(last[-1].stem) + 1 if last else 1:06}.toml"

    def undone(self) -> PlanFile | None:
        """The text before the last change; None: there was none."""
        past = self.past()
        return PlanFile(self.path, past[-1].read_text("utf-8")) if past else None


def set_table(document: Any, path: tuple[str, ...], table: Table) -> None:
    """Give a table of a TOML document these keys and no others; comments of keys that stay are kept.

    Args:
        document: as tomlkit has it.
        path: where the table is; made where it is not.
        table: its keys and values.
    """
    here = document
    for step in path:
        if step not in here:
            here.add(step, tomlkit.table())
        here = here[step]
    for name in [name for name in here if name not in table]:
        del here[name]
    for name, value in table.items():
        if name not in here or here[name] != value:
            here[name] = cast("Any", value)
