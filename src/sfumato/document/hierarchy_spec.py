"""What the declarations of hierarchies mean, and how a hierarchy is declared."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.codec import read_part
from sfumato.document.hierarchy import (
    BalancedForm,
    BinsForm,
    DatesForm,
    FileForm,
    GroupsForm,
    HierarchyTable,
    IntervalsForm,
    IntervalTable,
    MaskForm,
    Members,
    TreeForm,
    WidthForm,
)
from sfumato.errors import ParameterError, PlanError
from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.dates import Dates
from sfumato.table.hierarchy.groups import Group, Groups, Member
from sfumato.table.hierarchy.intervals import Interval, Intervals, from_edges
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.number import equal_edges

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.table.schema import HierarchySpec
    from sfumato.table.values import Table

_LARGEST = 1e300
"""Numbers below this have a width and a sum."""


def spec_from(column: str, table: Table, *, folder: Path) -> HierarchySpec:
    """Read the declaration of a hierarchy by itself.

    Args:
        column: name of the column, for messages.
        table: the inline table.
        folder: what the path of a file is relative to.

    Raises:
        PlanError: no form or two, an unknown key, a value of the wrong type or out of range.

    Example:
        >>> from pathlib import Path
        >>> spec_from("age", {"width": 5, "then": [10, 20]}, folder=Path()).then
        (10, 20)
    """
    cls, path = cast("type[HierarchyTable]", HierarchyTable), ("columns", column, "hierarchy")
    said: HierarchyTable = read_part(cls, table, path, "the plan")
    return spec_of(column, said, folder)


def spec_of(column: str, said: HierarchyTable, folder: Path) -> HierarchySpec:
    """The hierarchy that a table declares.

    Args:
        column: name of the column, for messages.
        said: the declaration.
        folder: what the path of a file is relative to.

    Raises:
        PlanError: a value out of range.
    """
    try:
        return _spec(said, folder)
    except ParameterError as error:
        raise PlanError(
            "The hierarchy of {column!r}: {problem}", error.remedy, column=column, problem=error.problem
        ) from error
    except _Unfit as error:
        raise PlanError(
            "`{key}` in the hierarchy of {column!r} must be {must}.",
            "correct the plan.",
            key=error.key,
            column=column,
            must=error.must,
        ).below(error.key) from None


class _Unfit(Exception):
    """A value that no hierarchy can have."""

    def __init__(self, key: str, must: str) -> None:
        super().__init__(key, must)
        self.key, self.must = key, must


def _spec(said: HierarchyTable, folder: Path) -> HierarchySpec:
    """The same, without the name of the column."""
    spec: HierarchySpec
    match said:
        case FileForm():
            spec = CsvFile(folder / said.file, said.delimiter, said.encoding, said.match)
        case IntervalsForm():
            spec = _intervals(said)
        case BinsForm():
            edges = equal_edges(_number("from", said.low), _number("to", said.high), said.bins)
            exact = [int(edge) if edge == int(edge) else float(edge) for edge in edges]
            spec = from_edges([exact], below=said.below, above=said.above)
        case DatesForm():
            spec = Dates(said.dates)
        case MaskForm():
            spec = Masking(said.mask, said.width, said.pad, said.character, said.steps)
        case GroupsForm():
            spec = Groups(tuple(_member(item) for item in said.groups), said.match)
        case TreeForm():
            spec = Groups(_branches(said.tree), said.match)
        case BalancedForm():
            spec = Balanced(said.balanced)
        case WidthForm():
            then = tuple(_number("then", width) for width in said.then)
            ends = [
                None if end is None else _number(name, end) for name, end in (("from", said.low), ("to", said.high))
            ]
            spec = FixedWidths(_number("width", said.width), then, _number("start", said.start), *ends)
    return spec


def _number(key: str, number: float) -> float:
    """A number that has a width and a sum."""
    if not abs(number) < _LARGEST:
        raise _Unfit(key, "a number")
    return number


def _intervals(said: IntervalsForm) -> Intervals:
    """Edges, or intervals with labels."""
    levels = said.intervals
    if all(isinstance(item, IntervalTable) for level in levels for item in level):
        if said.below or said.above:
            raise _Unfit("below", "used with edges only; leave out `from` or `to` of an interval instead")
        whole = [[item for item in level if isinstance(item, IntervalTable)] for level in levels]
        return Intervals(tuple(tuple(_interval(item) for item in level) for level in whole))
    return from_edges([[_edge(item) for item in level] for level in levels], below=said.below, above=said.above)


def _interval(said: IntervalTable) -> Interval:
    low, high = (None if end is None else _edge(end) for end in (said.low, said.high))
    return Interval(low, high, said.label)


def _edge(value: float | date | IntervalTable) -> float | date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return date(value.year, value.month, value.day)
    if not isinstance(value, (int, float)) or not abs(value) < _LARGEST:
        raise _Unfit("intervals", "numbers or dates")
    return value


def _member(item: object) -> Member:
    """A value, a list of members, or a table with `label` and `members`."""
    if isinstance(item, str):
        return item
    if isinstance(item, (list, tuple)):
        return Group(tuple(_member(inner) for inner in item))
    if not isinstance(item, Mapping):
        raise _Unfit("groups", "made of items of one kind")
    label, members = item.get("label"), item.get("members")
    if not isinstance(label, str) or not isinstance(members, (list, tuple)) or len(item) > 2:
        raise _Unfit("groups", "made of texts, lists, and tables with `label` and `members`")
    return Group(tuple(_member(inner) for inner in members), label)


def _branches(item: object) -> tuple[Member, ...]:
    """The members of a table or list of a tree; an empty one is a value by itself."""
    if isinstance(item, str):
        return (item,)
    if isinstance(item, (list, tuple)):
        return tuple(member for inner in item for member in _branches(inner))
    if not isinstance(item, Mapping):
        raise _Unfit("tree", "tables and lists of texts")
    return tuple(Group(_branches(inner), str(label)) if inner else str(label) for label, inner in item.items())


def table_of(spec: HierarchySpec) -> HierarchyTable:
    """The declaration of a hierarchy; `spec_of` gives an equal one back.

    Raises:
        PlanError: the hierarchy was made in Python and has no form in a plan. Remedy: write it to a
            file with `to_csv`.

    Example:
        >>> table_of(Balanced(2))
        BalancedForm(balanced=2)
    """
    said: HierarchyTable
    match spec:
        case CsvFile():
            said = FileForm(file=str(spec.path), delimiter=spec.delimiter, encoding=spec.encoding, match=spec.match)
        case FixedWidths():
            said = WidthForm(width=spec.width, then=spec.then, start=spec.start, low=spec.low, high=spec.high)
        case Intervals():
            said = IntervalsForm(intervals=tuple(tuple(_interval_table(one) for one in level) for level in spec.levels))
        case Dates():
            said = DatesForm(dates=spec.units)
        case Masking():
            said = MaskForm(mask=spec.side, width=spec.width, pad=spec.pad, character=spec.mask, steps=spec.steps)
        case Groups():
            said = GroupsForm(groups=Members(tuple(_written(member) for member in spec.members)), match=spec.match)
        case Balanced():
            said = BalancedForm(balanced=spec.fanout)
        case _:
            raise PlanError(
                "A hierarchy of type {name!r} has no form in a plan.",
                'write it to a file with `to_csv` and declare `{{ file = "…" }}`.',
                name=type(spec).__name__,
            )
    return said


def _interval_table(interval: Interval) -> IntervalTable:
    return IntervalTable(low=interval.low, high=interval.high, label=interval.label)


def _written(member: Member) -> str | list[Any] | dict[str, Any]:
    """A value, a list, or a table with `label` and `members`."""
    if isinstance(member, str):
        return member
    members = [_written(inner) for inner in member.members]
    return members if member.label is None else {"label": member.label, "members": members}
