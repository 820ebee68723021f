"""A document on disk: read, changed, saved beside and renamed; what somebody else changed meanwhile is not overwritten."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import tomlkit
from tomlkit.items import AoT

from sfumato.document.catalog import kind_of
from sfumato.document.codec import read
from sfumato.document.collection import CollectionDocument
from sfumato.document.graph import GraphDocument
from sfumato.document.graph_release import GraphReleaseDocument
from sfumato.document.graph_synthetic import GraphSyntheticDocument
from sfumato.document.header import COLLECTION, PLAN, without_header
from sfumato.document.plan import PlanDocument
from sfumato.document.traces import TracesDocument
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.collection import collection_from
from sfumato.release.collect.rappor import RapporCollection
from sfumato.release.plan_reader import plan_from
from sfumato.release.stage import staged
from sfumato.table.contents import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.document.header import Header
    from sfumato.document.spec import Class
    from sfumato.release.plan import Plan
    from sfumato.table.values import Table

Edit = Callable[[Any], None]
"""A change to the document, which keeps its comments."""


F = TypeVar("F", bound="DocumentFile")
_FORMS: Mapping[str, Class] = {
    "traces": TracesDocument,
    "graph": GraphDocument,
    "graph-edges": GraphReleaseDocument,
    "graph-synthetic": GraphSyntheticDocument,
}
"""Classes of plans of other things than a table."""


class Conflict(PlanError):
    """The document on disk is not the one that the form was made from."""

    theirs: str = ""
    ours: str = ""


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A document as it stood on disk when it was read.

    Args:
        path: where it is.
        text: what it says.
    """

    path: Path
    text: str
    what: ClassVar[str] = "The document"
    header: ClassVar[Header]
    form: ClassVar[Class]
    former: ClassVar[str] = "past"
    suffix: ClassVar[str] = ".toml"
    may_be_absent: ClassVar[bool] = False

    @classmethod
    def at(cls, path: Path) -> Self:
        """Read it; one that may be absent has no text then.

        Raises:
            PlanError: there is none, or it is no text.
        """
        if cls.may_be_absent and not path.is_file():
            return cls(path, "")
        try:
            return cls(path, read_bytes(path, cls.what).decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise PlanError("{what} must be TOML in UTF-8.", "save it as UTF-8.", what=cls.what) from None

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
            problem = "{what} must be TOML; {error}."
            raise PlanError(problem, "correct that place.", what=self.what, error=str(error)) from None
        title = self.what.lower()
        read(self.form_of(said), without_header(said, self.header, title), title)
        return said

    @classmethod
    def form_of(cls, said: Table) -> Class:
        """The class of what it says."""
        del said
        return cls.form

    def changed(self, edit: Edit) -> Self:
        """The same with a change, not yet saved.

        Raises:
            PlanError: a key is of the wrong form. What must hold of keys together may still be missing.
        """
        if self.text:
            self.tables  # noqa: B018  # what is none is not changed
        document = tomlkit.parse(self.text)
        edit(document)
        made = type(self)(self.path, tomlkit.dumps(document))
        made.tables  # noqa: B018  # read as the next page will read it
        return made

    def save(self, seen: str) -> None:
        """Put it at its place, and what stood there into the history.

        Args:
            seen: of the document that this one was made from.

        Raises:
            Conflict: the document on disk is another one by now.
        """
        there = type(self).at(self.path)
        if there.seen != seen:
            found = Conflict(
                "{what} must not have changed since this page was opened; it has.",
                "look at both, then make your change again on what is there now.",
                what=self.what,
            )
            found.theirs, found.ours = there.text, self.text
            raise found
        if there.text == self.text:
            return
        with staged() as stage:
            if there.text:
                stage.write(there.next_past(), there.text)
            stage.write(self.path, self.text)
            stage.commit()

    def past(self) -> list[Path]:
        """Earlier texts, the oldest first."""
        return sorted((self.path.parent / ".studio" / self.former).glob(f"[0-9]*{self.suffix}"))

    def next_past(self) -> Path:
        """Where the next earlier text goes."""
        folder = self.path.parent / ".studio" / self.former
        folder.mkdir(parents=True, exist_ok=True)
        last = self.past()
        return folder / f"{int(last[-1].stem) + 1 if last else 1:06}{self.suffix}"


@dataclass(frozen=True, slots=True)
class PlanFile(DocumentFile):
    """A plan as it stood on disk when it was read."""

    what: ClassVar[str] = "The plan"
    header: ClassVar[Header] = PLAN
    form: ClassVar[Class] = PlanDocument

    @classmethod
    def form_of(cls, said: Table) -> Class:
        """A plan of a table, of traces, or of a graph."""
        return _FORMS.get(kind_of(said) or "", cls.form)

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

    def undone(self) -> PlanFile | None:
        """The text before the last change; None: there was none."""
        past = self.past()
        return PlanFile(self.path, past[-1].read_text("utf-8")) if past else None


@dataclass(frozen=True, slots=True)
class CollectionFile(DocumentFile):
    """A collection of declared questions as it stood on disk when it was read; without text before it is first saved."""

    what: ClassVar[str] = "The collection"
    header: ClassVar[Header] = COLLECTION
    form: ClassVar[Class] = CollectionDocument
    former: ClassVar[str] = "past-collection"
    may_be_absent: ClassVar[bool] = True

    def trouble(self) -> SfumatoError | None:
        """Why nobody can answer it as it is; None: everybody can."""
        try:
            asked = collection_from(self.tables)
            asked.scheme() if asked.is_scheme else asked.oracle()
        except SfumatoError as error:
            return error
        return None


@dataclass(frozen=True, slots=True)
class StringsFile(DocumentFile):
    """The parameters of RAPPOR as they stood on disk when they were read: JSON, signed off as a whole."""

    what: ClassVar[str] = "The parameters"
    former: ClassVar[str] = "past-strings"
    suffix: ClassVar[str] = ".json"
    may_be_absent: ClassVar[bool] = True

    def collection(self) -> RapporCollection:
        """What devices and server agree on.

        Raises:
            ParameterError: the parameters are none.
        """
        return RapporCollection(RapporParams.from_json(self.text))


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


def put_entry(document: Any, key: str, place: int | None, table: Table) -> None:
    """Give the entry of a list of tables these keys, or append one where there is none at that place.

    Args:
        document: as tomlkit has it.
        key: of the list; made where it is not.
        place: of the entry, from 0; None: a new one.
        table: its keys and values.
    """
    there = document.get(key)
    if place is not None and there is not None and place < len(there):
        set_table(there[place], (), table)
        return
    made = tomlkit.table()
    made.update(table)
    if not isinstance(there, AoT) or not len(there):  # absent, left empty by the last that went, or written in one line
        _as_tables(document, key)
    document[key].append(made)


def _as_tables(document: Any, key: str) -> None:
    """A list of tables with a header each, in the place of what stood there."""
    every = tomlkit.aot()
    for one in document.pop(key, ()):
        table = tomlkit.table()
        table.update(one)
        every.append(table)
    document.add(key, every)
