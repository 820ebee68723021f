"""Hierarchies as documents declare them.

The forms, as inline tables of TOML::

    { file = "age.csv" }                                  also: delimiter, encoding, match
    { width = 5, then = [10, 20] }                        also: start, from, to (open ends)
    { intervals = [[0, 18, 65, 120], [0, 65, 120]] }      also: below, above (open ends)
    { intervals = [[{ from = 0, to = 18, label = "minor" }, { from = 18 }]] }
    { bins = 20, from = 0, to = 0.001 }                   intervals of equal width
    { dates = ["month", "quarter", "year"] }
    { mask = "right" }                                    also: width, pad, character, steps
    { groups = [["a", "b"], ["c"]] }                      also: match; groups may hold groups
    { groups = [{ label = "low", members = ["a", "b"] }, "c"] }
    { tree = { Married = ["spouse", "AF-spouse"], Widowed = [] } }      also: match
    { balanced = 2 }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from typing import Any, ClassVar, Literal, NewType, TypeAlias

from sfumato.document.spec import key
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.dates import Unit
from sfumato.table.hierarchy.match import Match

Members = NewType("Members", tuple[Any, ...])
"""A list of values, lists of members, and tables with `label` and `members`."""
Tree = NewType("Tree", Mapping[str, Any])
"""A table of tables and lists of values; an empty one is a value by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """One line for each value, with its ancestors.

    Args:
        file: a CSV file, relative to the folder of the document.
        delimiter: absent: sniffed.
        encoding: absent: sniffed.
        match: how values of the table are compared with those of the file.
    """

    form: ClassVar[str] = "file"
    file: str
    delimiter: str | None = None
    encoding: str | None = None
    match: Match = Match.EXACT


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalTable:
    """One interval.

    Args:
        low: the first value in it; absent: open.
        high: the first value beyond it; absent: open.
        label: absent: both ends.
    """

    low: int | float | date | None = field(default=None, metadata=key("from"))
    high: int | float | date | None = field(default=None, metadata=key("to"))
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalsForm:
    """Declared intervals.

    Args:
        intervals: for each level its edges, or its intervals.
        below: whether there is an interval below the first edge.
        above: whether there is one above the last.
    """

    form: ClassVar[str] = "intervals"
    intervals: tuple[tuple[int | float | date | IntervalTable, ...], ...]
    below: bool = False
    above: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BinsForm:
    """Intervals of equal width.

    Args:
        bins: how many.
        low: the first edge.
        high: the last edge.
        below: whether there is an interval below the first edge.
        above: whether there is one above the last.
    """

    form: ClassVar[str] = "bins"
    bins: int
    low: int | float = field(metadata=key("from"))
    high: int | float = field(metadata=key("to"))
    below: bool = False
    above: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DatesForm:
    """Calendar units.

    Args:
        dates: from the finest to the coarsest.
    """

    form: ClassVar[str] = "dates"
    dates: tuple[Unit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskForm:
    """Characters are hidden one after the other.

    Args:
        mask: from which side.
        width: to which values are padded; absent: that of the longest.
        pad: with what they are padded; absent: they are not.
        character: what stands for a hidden character.
        steps: how many characters each level hides in all.
    """

    form: ClassVar[str] = "mask"
    mask: Literal["right", "left"]
    width: int | None = None
    pad: str | None = None
    character: str = "*"
    steps: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsForm:
    """Declared groups of values.

    Args:
        groups: values, lists of members, and tables with `label` and `members`.
        match: how values of the table are compared with those declared.
    """

    form: ClassVar[str] = "groups"
    groups: Members
    match: Match = Match.EXACT


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeForm:
    """Declared groups by their labels.

    Args:
        tree: by label a list of values or a table of groups; an empty one is a value by itself.
        match: how values of the table are compared with those declared.
    """

    form: ClassVar[str] = "tree"
    tree: Tree
    match: Match = Match.EXACT


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedForm:
    """Groups made from frequencies.

    Args:
        balanced: how many groups become one at each level.
    """

    form: ClassVar[str] = "balanced"
    balanced: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthForm:
    """Intervals of a width.

    Args:
        width: of the first level.
        then: widths of the levels above.
        start: an edge.
        low: what lies below is one interval.
        high: what lies above is one interval.
    """

    form: ClassVar[str] = "width"
    width: int | float
    then: tuple[int | float, ...] = ()
    start: int | float = 0
    low: int | float | None = field(default=None, metadata=key("from"))
    high: int | float | None = field(default=None, metadata=key("to"))


HierarchyTable: TypeAlias = (
    FileForm | IntervalsForm | BinsForm | DatesForm | MaskForm | GroupsForm | TreeForm | BalancedForm | WidthForm
)
"""One of the forms; `width` is last because `mask` has a key of that name."""
