"""A declared hierarchy in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.dates import Dates
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.hierarchy.intervals import Intervals
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.number import exact, spell_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import HierarchySpec


def describe(spec: HierarchySpec) -> str:
    """The hierarchy in a few words, without values of the table.

    Example:
        >>> from sfumato.table.hierarchy.dates import Unit
        >>> describe(Dates((Unit.MONTH, Unit.YEAR))), describe(Masking("right")), describe(Balanced(2))
        ('dates by month, then year', 'characters hidden from the right', 'made by frequency, 2 to 1 at each level')
    """
    match spec:
        case CsvFile():
            words = f"file {spec.path.name}"
        case FixedWidths():
            words = "intervals of " + _chain([spell_number(exact(width)) for width in (spec.width, *spec.then)])
        case Intervals():
            words = "declared intervals: " + _chain([str(len(level)) for level in spec.levels])
        case Dates():
            words = "dates by " + _chain([unit.value for unit in spec.units])
        case Masking():
            words = f"characters hidden from the {spec.side}"
        case Groups():
            words = f"declared groups: {len(spec.members)} below the root"
        case Balanced():
            words = f"made by frequency, {spec.fanout} to 1 at each level"
        case _:
            words = type(spec).__name__
    return words


def _chain(words: Sequence[str]) -> str:
    """A first word, then the others."""
    return words[0] + (", then " + ", ".join(words[1:]) if len(words) > 1 else "")
