"""What does each column say about a person? Roles by one click, with why each was guessed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.studio.databases import is_server
from sfumato.studio.look import look_at
from sfumato.studio.pages.base import Asked, Page, Turn, page_named
from sfumato.table.schema import Kind, Role
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.studio.look import ColumnLook, Look

ROLES = tuple(role.value for role in Role)
KINDS = tuple(kind.value for kind in Kind)


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """One column as a card.

    Args:
        name, role, kind: as the plan says.
        place: in the plan, from 0.
        look: what is kept of it; None: nothing.
        bars: heights in percent, of a small picture.
        other: a column that it determines; "": none.
        is_person: whether it says whose a row is.
    """

    name: str
    place: int
    role: str
    kind: str
    look: ColumnLook | None
    bars: tuple[int, ...]
    other: str
    is_person: bool


@dataclass(frozen=True, slots=True)
class View:
    """The table.

    Args:
        seen: of the plan.
        rows: rows of the table; None: not known.
        columns: its columns.
        person: the column that says whose a row is; "": a row is a person.
        unique: share of rows that are alone on the drafted quasi-identifiers.
        first: the first rows.
        roles: what a column may be.
        kinds: how its text may be understood.
        path: the table, as the plan names it.
        query: of a database, quoted for a shell; "": it is none.
        is_server: whether the database may want a password.
    """

    seen: str
    rows: int | None
    columns: tuple[ShownColumn, ...]
    person: str
    unique: float | None
    first: Sequence[Sequence[str | None]]
    roles: tuple[str, ...]
    kinds: tuple[str, ...]
    path: str
    query: str
    is_server: bool


def view(asked: Asked) -> View:
    """The columns of the plan, with what is kept of the table."""
    file, look = asked.project.plan_file(), look_at(asked.project)
    tables = file.tables
    columns = cast("Mapping[str, Mapping[str, str]]", tables.get("columns", {}))
    unit = cast("Mapping[str, str]", tables.get("unit", {}))
    source = cast("Mapping[str, str]", tables.get("source", {}))
    return View(
        seen=file.seen,
        rows=None if look is None else look.rows,
        columns=tuple(
            _shown(i, name, said, look, unit.get("person")) for i, (name, said) in enumerate(columns.items())
        ),
        person=unit.get("person", ""),
        unique=None if look is None else look.unique,
        first=() if look is None else look.first[:20],
        roles=ROLES,
        kinds=KINDS,
        path=source.get("path", source.get("url", "")),
        query=shlex.quote(source["query"]) if "query" in source else "",
        is_server=is_server(source.get("url", "")),
    )


def _shown(place: int, name: str, said: Mapping[str, str], look: Look | None, person: str | None) -> ShownColumn:
    found = None if look is None else look.column(name)
    pairs = [] if look is None else [other for column, other, _ in look.pairs if column == name]
    top = max(found.bars, default=0) if found else 0
    return ShownColumn(
        name=name,
        place=place,
        role=said.get("role", ""),
        kind=said.get("kind", Kind.TEXT.value),
        look=found,
        bars=tuple(max(2, round(100 * n / top)) for n in found.bars) if found and top else (),
        other=pairs[0] if pairs else "",
        is_person=name == person,
    )


def set_roles(asked: Asked) -> Turn:
    """Roles, kinds and the person column as the form says."""
    names = list(table_in(asked.project.plan_file().tables, "columns"))

    def edit(document: Any) -> None:
        for place, name in enumerate(names):
            for key, known in (("role", ROLES), ("kind", KINDS)):
                given = asked.posted.get(f"{key}-{place}")
                if given in known and document["columns"][name].get(key, "text" if key == "kind" else "") != given:
                    document["columns"][name][key] = given
        _set_person(document, asked.posted.get("person", ""), names)

    asked.edited(edit)
    return Turn("table", place=asked.posted.get("place", ""))


def _set_person(document: Any, person: str, names: Sequence[str]) -> None:
    """[unit]: who counts as one."""
    import tomlkit

    there = document.get("unit", {}).get("person", "")
    if person == there:
        return
    if person and person not in names:
        raise PlanError("The person column must be one of the table.", "choose one of the list.")
    if not person:
        del document["unit"]
        return
    if "unit" not in document:
        document["unit"] = tomlkit.table()
    document["unit"]["person"] = person


def undo(asked: Asked) -> Turn:
    """The plan as it was before the last change."""
    file = asked.project.plan_file()
    before = file.undone()
    if before is not None:
        before.save(asked.posted.get("seen", ""))
        for last in before.past()[-2:]:
            last.unlink()
    page = page_named(asked.posted.get("page", ""))
    return Turn(page.name if page else "table")


PAGE = Page(
    name="table",
    place=10,
    title="Table",
    command="sfumato draft TABLE",
    view=view,
    acts={"roles": set_roles, "undo": undo},
)
