"""Dates by day, ISO week, month, quarter, year and decade.

A coarser unit must hold each finer one whole. A week may lie in two months and in two years, so
after `week` comes `iso-year`, the year to which ISO 8601 counts the week.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import AmbiguousHierarchy, HierarchyError, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.number import leaves_of
from sfumato.table.schema import Kind, chained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column
    from sfumato.types import IntArray

Spelling: TypeAlias = Callable[[int], str]
_THURSDAY_OF_EPOCH = 3
"""1970-01-01 was a Thursday; Monday is 0."""


class Unit(Enum):
    """A span of the calendar."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    ISO_YEAR = "iso-year"
    DECADE = "decade"


_INSIDE = {
    Unit.DAY: {Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR, Unit.ISO_YEAR, Unit.DECADE},
    Unit.WEEK: {Unit.ISO_YEAR},
    Unit.MONTH: {Unit.QUARTER, Unit.YEAR, Unit.DECADE},
    Unit.QUARTER: {Unit.YEAR, Unit.DECADE},
    Unit.YEAR: {Unit.DECADE},
    Unit.ISO_YEAR: set[Unit](),
    Unit.DECADE: set[Unit](),
}
"""Units that hold a unit whole."""


@dataclass(frozen=True, slots=True)
class Dates:
    """A chain of calendar units from fine to coarse, then `*`.

    Level 0 is the cell as it stands; `day` is worth listing where cells also hold a time.

    Args:
        units: each holds the one before.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> born = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE)
        >>> Dates((Unit.MONTH, Unit.QUARTER, Unit.DECADE)).build(born, ["1999-12-31"]).labels
        (('1999-12-31',), ('1999-12',), ('1999-Q4',), ('1990s',), ('*',))
        >>> Dates((Unit.WEEK, Unit.ISO_YEAR)).build(born, ["2021-01-03"]).labels[1:3]
        (('2020-W53',), ('2020 (ISO)',))
    """

    units: tuple[Unit, ...]

    def __post_init__(self) -> None:
        if not self.units:
            raise ParameterError(
                "A chain of dates must have a unit; got none.", "choose from {known_units}.", known_units=known_units()
            )

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return "dates by " + chained([unit.value for unit in self.units])

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Put each date in its unit at each level.

        Raises:
            HierarchyError: the column is no date.
            AmbiguousHierarchy: a unit does not hold the one before whole.
        """
        if column.kind is not Kind.DATE:
            raise HierarchyError(
                "A chain of dates needs dates; {name!r} is declared as {kind}.",
                'declare `kind = "date"` and, unless it is ISO 8601, its `format`.',
                name=column.name,
                kind=column.kind.value,
            )
        _check_nested(column.name, self.units)
        leaves = leaves_of(column, values)
        days = np.floor(leaves.places).astype(np.int64)
        labels: list[tuple[str | None, ...]] = [leaves.texts]
        ancestors: list[IntArray] = [np.arange(len(days))]
        for unit in self.units:
            used, codes = np.unique(_COUNTS[unit](days), return_inverse=True)
            labels.append(tuple(map(_SPELLINGS[unit], used.tolist())))
            ancestors.append(codes.astype(np.int64))
        return Hierarchy.from_codes(column.name, labels, ancestors)


def known_units() -> list[str]:
    """The names of the units, from fine to coarse."""
    return [unit.value for unit in Unit]


def _check_nested(column: str, units: Sequence[Unit]) -> None:
    """Each unit holds the one before whole."""
    for finer, coarser in pairwise(units):
        if coarser not in _INSIDE[finer]:
            week = "after `week` write `iso-year`, or leave `week` out."
            raise AmbiguousHierarchy(
                "Each unit in the dates of {column!r} must hold the one before whole; {coarser} does not hold {finer}.",
                week if finer is Unit.WEEK else "order the units from fine to coarse: {units}.",
                column=column,
                coarser=coarser.value,
                finer=finer.value,
                units=known_units(),
            )


def _year(days: IntArray) -> IntArray:
    """(n,) int64: calendar year of each day."""
    return days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970


def _thursday(days: IntArray) -> IntArray:
    """(n,) int64: Thursday of the ISO week of each day; its year is the ISO year."""
    return (days + _THURSDAY_OF_EPOCH) // 7 * 7


def _spell_week(week: int) -> str:
    """Year and week of ISO 8601, `2020-W53`."""
    thursday = np.array([week * 7])
    year = int(_year(thursday)[0])
    first = int(np.datetime64(f"{year:04d}-01-01", "D").astype(np.int64))
    return f"{year:04d}-W{(week * 7 - first) // 7 + 1:02d}"


def _month(days: IntArray) -> IntArray:
    """(n,) int64: months since January 1970."""
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


_COUNTS: dict[Unit, Callable[[IntArray], IntArray]] = {
    Unit.DAY: lambda days: days,
    Unit.WEEK: lambda days: (days + _THURSDAY_OF_EPOCH) // 7,
    Unit.MONTH: _month,
    Unit.QUARTER: lambda days: _month(days) // 3,
    Unit.YEAR: _year,
    Unit.ISO_YEAR: lambda days: _year(_thursday(days)),
    Unit.DECADE: lambda days: _year(days) // 10,
}
"""Number of the unit that holds each day since 1970-01-01."""

_SPELLINGS: dict[Unit, Spelling] = {
    Unit.DAY: lambda day: str(np.datetime64(day, "D")),
    Unit.WEEK: _spell_week,
    Unit.MONTH: lambda month: str(np.datetime64(month, "M")),
    Unit.QUARTER: lambda quarter: f"{1970 + quarter // 4:04d}-Q{quarter % 4 + 1}",
    Unit.YEAR: lambda year: f"{year:04d}",
    Unit.ISO_YEAR: lambda year: f"{year:04d} (ISO)",
    Unit.DECADE: lambda decade: f"{decade * 10:04d}s",
}
