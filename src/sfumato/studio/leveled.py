"""Files of hierarchies that were dropped: each finds the column whose values it knows, and becomes a file of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sfumato.document.hierarchy_spec import spec_from
from sfumato.errors import PlanError, SfumatoError
from sfumato.studio.look import values_of
from sfumato.studio.shelf import safe_name
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from sfumato.studio.plan_file import PlanFile
    from sfumato.studio.shelf import Project
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import HierarchySpec
    from sfumato.table.values import Table

FOLDER = "hierarchies"
"""Where the files lie, in the folder of the project."""


def bound(project: Project, file: PlanFile, column: str, given: Table) -> Attribute:
    """A column with its kept values and a hierarchy, as a run would have it.

    Args:
        project: whose values are kept.
        file: its plan.
        column: of the plan.
        given: the table of the hierarchy; {}: none.

    Raises:
        SfumatoError: the hierarchy does not hold every value, or is none.
    """
    spec = spec_from(column, given, folder=file.path.parent) if given else None
    values, codes = values_of(project, column), missing_codes(file, column)
    return bind(declared(file, column, spec), [None if value in codes else value for value in values])


def declared(file: PlanFile, column: str, spec: HierarchySpec | None = None) -> Column:
    """A known column as the plan says it is, with a hierarchy."""
    said = cast("Mapping[str, Mapping[str, str]]", file.tables["columns"])[column]
    return Column(
        column, Role.QUASI_IDENTIFYING, Kind(said.get("kind", "text")), hierarchy=spec, format=said.get("format"),
        pivot=cast("int | None", said.get("pivot")),
    )  # fmt: skip


def missing_codes(file: PlanFile, column: str) -> frozenset[str]:
    """Texts that mean missing in a column."""
    source = cast("Mapping[str, Sequence[str]]", file.tables.get("source", {}))
    inner = cast("Mapping[str, Sequence[str]]", source.get("missing_in", {}))
    return frozenset([*source.get("missing", ()), *inner.get(column, ())])


def free_place(project: Project, name: str, inside: str = FOLDER) -> Path:
    """Where a file that was dropped goes: under its own name, or with a number where that is taken."""
    folder, plain = project.folder / inside, safe_name(name)
    stem, dot, suffix = plain.rpartition(".")
    names = (plain, *(f"{stem or plain}-{i}{dot}{suffix if dot else ''}" for i in range(2, 10_000)))
    return next(folder / one for one in names if not (folder / one).exists())


def column_of(project: Project, file: PlanFile, place: Path, columns: Iterable[str]) -> str:
    """The column whose values a file knows.

    Args:
        project: whose values are kept.
        file: its plan.
        place: the file, in the project.
        columns: that may have it; one of whose name the file's name speaks comes first, the longest name before others.

    Raises:
        SfumatoError: it knows all values of none of them, or of several of which its name says nothing.
    """
    known = [name for name in columns if values_of(project, name)]
    named = sorted((name for name in known if name.lower() in place.name.lower()), key=len, reverse=True)
    given, reasons = {"file": place.relative_to(project.folder).as_posix()}, []
    fitting = []
    for name in (*named, *(one for one in known if one not in named)):
        try:
            bound(project, file, name, given)
        except SfumatoError as error:
            reasons.append(error)
        else:
            if name in named:
                return name
            fitting.append(name)
    if len(fitting) == 1:
        return fitting[0]
    if named and not fitting:
        raise reasons[0]
    raise PlanError(
        "The file {name!r} must know every value of one known column; it does so of {columns}.",
        "give it the name of its column, or choose the form `file` for it.", name=place.name, columns=fitting or "none",
    )  # fmt: skip
