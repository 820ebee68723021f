"""Who was when and where: what a plan of traces says of its columns, its region and its protections, as forms of its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, get_args

from sfumato.document.catalog import kind_of
from sfumato.document.traces import (
    Protect,
    RegionTable,
    TraceMeasures,
    TracesDocument,
    TracesTable,
    TraceUnit,
)
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.pages.promise import Entry, words_of
from sfumato.studio.plan_file import put_entry, set_table
from sfumato.studio.shelf import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.spec import Class
    from sfumato.table.values import Table

TABLES: Mapping[str, Class] = {
    "traces": TracesTable, "region": RegionTable, "unit": TraceUnit, "measure": TraceMeasures,
}  # fmt: skip
"""Tables of a plan of traces that have a form."""
PROTECTIONS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(Protect)}
_KEPT = frozenset({"format", "sfumato", "source", "output", "engine"})
"""What a plan of a table keeps when it becomes one of traces or of a graph."""
_OF_FILES = frozenset({"path", "kind", "formulas", "url", "table", "report", "result"})


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table of the plan.

    Args:
        name: of the table.
        fields: its keys.
    """

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A plan of traces, or what makes one of a plan of a table.

    Args:
        seen: of the plan.
        is_of_traces: whether the plan is one.
        tables: its tables; those that begin one where it is not.
        persons: what is released of who.
        protections: what is done, in order.
        adding: the protection that is being added; None: none is.
        kinds: those that may be added, with what they do.
    """

    seen: str
    is_of_traces: bool
    tables: tuple[ShownTable, ...]
    persons: Field
    protections: tuple[Entry, ...]
    adding: Entry | None
    kinds: tuple[tuple[str, str], ...]


def view(asked: Asked) -> View:
    """What the plan says; where it is one of a table, empty forms."""
    file = asked.project.plan_file()
    is_of_traces = kind_of(file.tables) == "traces"
    said: Table = file.tables if is_of_traces else {}
    wanted = asked.query.get("add", "")
    return View(
        seen=file.seen,
        is_of_traces=is_of_traces,
        tables=tuple(
            ShownTable(name, fields_of(cls, cast("Table", said.get(name, asked.posted if name in _BEGINS else {}))))
            for name, cls in TABLES.items()
            if is_of_traces or name in _BEGINS
        ),
        persons=next(one for one in fields_of(TracesDocument, said) if one.name == "persons"),
        protections=tuple(_shown(i, one) for i, one in enumerate(cast("Sequence[Table]", said.get("protect", ())))),
        adding=_shown(-1, {**asked.posted, "name": _known(wanted)}) if wanted else None,
        kinds=tuple((name, words_of(cls)) for name, cls in PROTECTIONS.items()),
    )


_BEGINS = ("traces", "region")
"""Tables without which no plan is one of traces."""


def _shown(place: int, said: Table) -> Entry:
    name = str(said.get("name", ""))
    cls = PROTECTIONS[_known(name)]
    return Entry(place, name, words_of(cls), fields_of(cls, said))


def _known(name: str) -> str:
    if name not in PROTECTIONS:
        raise PlanError("A protection must be one of those that are known.", "choose one of the list.")
    return name


def begin(asked: Asked) -> Turn:
    """The plan of a table becomes one of traces: source and places stay, columns, promises and method go."""
    tables = {name: read_fields(TABLES[name], posted_of(asked, name)) for name in _BEGINS}

    def edit(document: Any) -> None:
        emptied(document)
        for name, table in tables.items():
            set_table(document, (name,), table)

    asked.edited(edit)
    return Turn("traces")


def emptied(document: Any) -> None:
    """Leave out of a plan of a table what a plan of another kind cannot say."""
    for key in [key for key in document if key not in _KEPT]:
        del document[key]
    for key in [key for key in document.get("output", {}) if key not in _OF_FILES]:
        del document["output"][key]


def posted_of(asked: Asked, name: str) -> Mapping[str, str]:
    """What was posted for one of several tables."""
    return {key.removeprefix(f"{name}-"): text for key, text in asked.posted.items() if key.startswith(f"{name}-")}


def save(asked: Asked) -> Turn:
    """One table of the plan."""
    name = asked.posted.get("name", "")
    if name not in TABLES:
        raise PlanError("A table must be one of those that are shown.", "choose one of them.")
    table = read_fields(TABLES[name], posted_of(asked, name))
    _check(asked)
    asked.edited(lambda document: set_table(document, (name,), table))
    return Turn("traces", place=name)


def persons(asked: Asked) -> Turn:
    """What is released of who."""
    _check(asked)
    word = asked.posted.get("persons", "")
    asked.edited(lambda document: _set_word(document, "persons", word))
    return Turn("traces", place="persons")


def _set_word(document: Any, key: str, word: str) -> None:
    """Set a key above all tables, or remove it."""
    if not word:
        document.pop(key, None)
    else:
        document[key] = word


def protect(asked: Asked) -> Turn:
    """A protection more, or one with other numbers."""
    name, place = _known(asked.posted.get("kind", "")), whole(asked.posted.get("place", ""))
    table = {"name": name, **read_fields(PROTECTIONS[name], asked.posted)}
    _check(asked)
    asked.edited(lambda document: put_entry(document, "protect", place, table))
    return Turn("traces", place="protect")


def remove(asked: Asked) -> Turn:
    """A protection less."""
    place = whole(asked.posted.get("place", ""))

    def edit(document: Any) -> None:
        if place is None or place >= len(document.get("protect", ())):
            raise PlanError("A protection must be one of the plan.", "choose one of the list.")
        del document["protect"][place]

    asked.edited(edit)
    return Turn("traces", place="protect")


def _check(asked: Asked) -> None:
    """Refuse to give a plan of a table keys of traces."""
    if kind_of(asked.project.plan_file().tables) != "traces":
        raise PlanError("The plan must be one of traces; it is one of a table.", "make it one on the page of traces.")


PAGE = Page(
    name="traces", place=45, title="Traces", command="sfumato run plan.toml", kinds=("plan", "traces"), view=view,
    acts={"begin": begin, "save": save, "persons": persons, "protect": protect, "remove": remove},
)  # fmt: skip
