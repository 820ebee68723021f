"""How does each known column become coarser? Its levels, with an editor for every form that a plan knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_args

from sfumato.document.codec import write
from sfumato.document.hierarchy import HierarchyTable
from sfumato.document.hierarchy_spec import spec_from, table_of
from sfumato.document.spec import form_of
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.groups import MOST, NEW, TOP, all_groups, balanced, groups_of, moved, named, placed, shown
from sfumato.studio.leveled import FOLDER, bound, column_of, declared, free_place
from sfumato.studio.look import values_of
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.shelf import columns_of_role, whole
from sfumato.studio.upload import kept
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.spec import Class
    from sfumato.studio.groups import Shown
    from sfumato.studio.plan_file import PlanFile
    from sfumato.table.values import Table

FORMS: Mapping[str, Class] = {form_of(cls) or "": cls for cls in get_args(HierarchyTable)}
"""Every form of a hierarchy, by the key that only it has."""
BY_HAND = ("groups", "tree")
"""Forms of which values and groups may be moved."""
_MOST = 200
"""Values shown in the preview."""
_FIRST = {
    "width": "5",
    "intervals": "[[0, 10, 20]]",
    "bins": "10",
    "dates": "month, year",
    "mask": "right",
    "balanced": "2",
}
"""What the first field of a form holds before somebody filled it in."""


@dataclass(frozen=True, slots=True)
class Levels:
    """A preview: how values become coarser.

    Args:
        n_labels: labels of each level, the finest first.
        rows: for some values, the label at each level.
        values: how many values there are.
    """

    n_labels: tuple[int, ...]
    rows: tuple[tuple[str | None, ...], ...]
    values: int


@dataclass(frozen=True, slots=True)
class View:
    """The hierarchy of one column.

    Args:
        seen: of the plan.
        columns: every known column, with a word on its hierarchy.
        column: the one that is shown; "": there is none.
        forms: every form.
        form: the one that is shown; "": only to `*`.
        fields: its keys.
        levels: the preview; None: it cannot be made.
        problem: why not; None: nothing is wrong.
        groups: its values and groups, to be moved; (): its form is another one, or there are too many.
        into: place and text of every group.
        is_ordered: whether its values have an order of their own.
    """

    seen: str
    columns: tuple[tuple[str, bool], ...]
    column: str
    forms: tuple[str, ...]
    form: str
    fields: tuple[Field, ...]
    levels: Levels | None
    problem: SfumatoError | None
    groups: tuple[Shown, ...]
    into: tuple[tuple[str, str], ...]
    is_ordered: bool


def view(asked: Asked) -> View:
    """The column that the address names, else the first."""
    file = asked.project.plan_file()
    said = cast("Mapping[str, Table]", file.tables.get("columns", {}))
    known = columns_of_role(file.tables, [Role.QUASI_IDENTIFYING.value])
    chosen = asked.wanted("column") if asked.wanted("column") in known else next(iter(known), "")
    there = cast("Table", said.get(chosen, {}).get("hierarchy") or {})
    asked_for = asked.query.get("form", "")
    form = asked_for if asked_for in FORMS else next((name for name in FORMS if name in there), "")
    given = there if form in there or not form else _first(form)
    fields = _filled(fields_of(FORMS[form], given), asked.posted) if form else ()
    levels, problem = _levels(asked, file, chosen, given if form else {})
    groups = _groups(asked, file, chosen, given) if form in BY_HAND else ()
    return View(
        seen=file.seen,
        columns=tuple((name, bool(said[name].get("hierarchy"))) for name in known),
        column=chosen,
        forms=tuple(FORMS),
        form=form,
        fields=fields,
        levels=levels,
        problem=problem,
        groups=groups,
        into=tuple((one.place, one.text) for one in all_groups(groups)),
        is_ordered=bool(chosen) and declared(file, chosen).kind.is_ordered,
    )


def _first(form: str) -> Table:
    """What a form says before somebody filled it in."""
    return read_fields(FORMS[form], {form: _FIRST[form]}) if form in _FIRST else {}


def _groups(asked: Asked, file: PlanFile, column: str, given: Table) -> tuple[Shown, ...]:
    """Values and groups of a column, as they may be moved; () where the plan's are none, or too many."""
    try:
        found = groups_of(asked.project, file, column, given)
    except SfumatoError:
        return ()
    return shown(asked.project, column, found) if len(values_of(asked.project, column)) <= MOST else ()


def _filled(fields: Sequence[Field], posted: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields with what was typed, where it was not saved."""
    return tuple(replace(one, value=posted.get(one.name, one.value)) for one in fields)


def _levels(asked: Asked, file: PlanFile, column: str, given: Table) -> tuple[Levels | None, SfumatoError | None]:
    """The preview, made by the code that recodes; or why there is none."""
    values = values_of(asked.project, column)
    if not column or not values:
        return None, None
    try:
        tree = bound(asked.project, file, column, given).hierarchy
    except SfumatoError as error:
        return None, error
    rows = tuple(
        tuple(tree.labels[level][int(tree.ancestors[level][leaf])] for level in range(tree.height + 1))
        for leaf in range(min(_MOST, len(tree.labels[0])))
    )
    return Levels(tuple(len(labels) for labels in tree.labels), rows, len(tree.labels[0])), None


def save(asked: Asked) -> Turn:
    """The hierarchy of a column as the form says."""
    column, form = _known(asked), asked.posted.get("form", "")
    table = read_fields(FORMS[form], asked.posted) if form in FORMS else {}
    if asked.shelf is not None and isinstance(table.get("file"), str):
        asked.shelf.allowed(str(asked.project.folder / str(table["file"])))
    if table:
        spec_from(column, table, folder=asked.project.folder)

    _keep(asked, column, table)
    return Turn("hierarchy", {"column": column})


def move(asked: Asked) -> Turn:
    """Values and groups that were ticked or dragged are put elsewhere, and groups get their names."""
    file, column = asked.project.plan_file(), _known(asked)
    there = cast("Mapping[str, Mapping[str, Table]]", file.tables["columns"])[column].get("hierarchy", {})
    labels = {placed(key[6:]): text for key, text in asked.posted.items() if key.startswith("label-")}
    found = named(groups_of(asked.project, file, column, there), labels)
    if asked.posted.get("do") != "names":
        into = asked.posted.get("into", NEW)
        taken = [placed(key[5:]) for key in asked.posted if key.startswith("take-")]
        found = moved(found, taken, into if into in {NEW, TOP} else placed(into), asked.posted.get("label", "").strip())
    table = write(table_of(found))
    bound(asked.project, file, column, table)
    _keep(asked, column, table)
    return Turn("hierarchy", {"column": column, "form": "groups"}, "groups")


def balance(asked: Asked) -> Turn:
    """Groups of about equal counts, in order or by frequency."""
    column, fanout = _known(asked), whole(asked.posted.get("fanout", ""))
    by = asked.posted.get("by", "")
    _keep(asked, column, balanced(asked.project, asked.project.plan_file(), column, by, fanout or 0))
    return Turn("hierarchy", {"column": column}, "preview")


def _known(asked: Asked) -> str:
    """The column that a form is about."""
    column = asked.posted.get("column", "")
    if column not in columns_of_role(asked.project.plan_file().tables, [Role.QUASI_IDENTIFYING.value]):
        raise PlanError("A hierarchy must be one of a column of the plan.", "choose a column of the list.")
    return column


def _keep(asked: Asked, column: str, table: Table) -> None:
    """Give a column a hierarchy; none: it has no levels."""
    import tomlkit

    def edit(document: Any) -> None:
        document["columns"][column].pop("hierarchy", None)
        if table:
            inline = tomlkit.inline_table()
            inline.update(table)
            document["columns"][column]["hierarchy"] = inline

    asked.edited(edit)


def take(asked: Asked) -> Turn:
    """Files of hierarchies that were dropped: each becomes that of the column whose values it knows.

    Raises:
        PlanError: none was given, or the plan on disk is another one.
        SfumatoError: a file knows all values of no column, or of several.
    """
    import tomlkit

    if not asked.uploads:
        raise PlanError("A hierarchy must stand in a file.", "drop one, or several.")
    file = asked.project.plan_file()
    left, found, places = list(columns_of_role(file.tables, [Role.QUASI_IDENTIFYING.value])), {}, []
    (asked.project.folder / FOLDER).mkdir(exist_ok=True)
    try:
        for upload in asked.uploads:
            places.append(kept(upload, free_place(asked.project, upload.filename or "")))
            column = column_of(asked.project, file, places[-1], left)
            left.remove(column)
            found[column] = places[-1].relative_to(asked.project.folder).as_posix()

        def edit(document: Any) -> None:
            for column, name in found.items():
                inline = tomlkit.inline_table()
                inline.update({"file": name})
                document["columns"][column]["hierarchy"] = inline

        asked.edited(edit)
    except BaseException:
        for place in places:
            place.unlink(missing_ok=True)
        raise
    return Turn("hierarchy", {"column": next(iter(found))})


PAGE = Page(
    name="hierarchy",
    place=20,
    title="Hierarchies",
    command="sfumato hierarchy TABLE COLUMN",
    view=view,
    acts={"save": save, "take": take, "move": move, "balance": balance},
    uploads=("take",),
    files=100,
)
