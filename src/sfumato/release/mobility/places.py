"""What is counted in places: visits by cell and hour, stays and the minutes of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.release.mobility.how import Counting, How
from sfumato.summary.contributions import Contributions
from sfumato.table.clock import DAY
from sfumato.table.trips import middles

if TYPE_CHECKING:
    from sfumato.release.mobility.unit import Seen
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray

_HOUR = DAY // 24
_MINUTE = _HOUR // 60


def cell_names(region: Region, places: IntArray) -> list[str]:
    """What cells are called: row from the south and column from the west, both from 0.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> cell_names(Region(Plane(45.7, 4.78), 100, rows=120, columns=100), np.array([0, 101]))
        ['0:0', '1:1']
    """
    return [f"{row}:{column}" for row, column in zip(*np.divmod(places, region.columns), strict=True)]


def places_in(region: Region, latitude: FloatArray, longitude: FloatArray) -> IntArray:
    """(n,) int64 cell of each position; -1 outside the region.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> lyon = Region(Plane(45.70, 4.78), 100, rows=120, columns=100)
        >>> places_in(lyon, np.array([45.7009, 0.0]), np.array([4.7813, 0.0])).tolist()
        [101, -1]
    """
    inside = region.holds(latitude, longitude)
    return np.where(inside, region.codes_of(latitude, longitude), -1)


def added(seen_persons: IntArray, groups: IntArray, size: int, amounts: IntArray | None = None) -> Contributions:
    """Contributions to the groups that are declared; a group of -1 is none.

    Example:
        >>> added(np.array([0, 0]), np.array([-1, 2]), 3).totals().tolist()
        [0, 0, 1]
    """
    kept = np.flatnonzero(groups >= 0)
    amount = np.ones(len(kept), np.int64) if amounts is None else amounts[kept]
    return Contributions(seen_persons[kept], groups[kept], amount, size)


@dataclass(frozen=True, slots=True)
class Visits(Counting):
    """Who is where, and when: by cell and hours of the day.

    A visit is a run of fixes of a person in one cell, on one local day, in one of the declared spans of hours. Fixes
    outside the region or the hours count nowhere.

    Args:
        region: its cells.
        hours: where the spans begin and end, rising whole hours of local clocks from 0 to 24: (0, 24) is the whole day.
        how: how visits become public numbers.

    Raises:
        ParameterError: hours that do not rise within 0 and 24. Remedy: give such as (0, 6, 12, 18, 24).

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.plane import Plane, Region
        >>> how = How(PureDP(Fraction(1)), most=4, once=True)
        >>> Visits(Region(Plane(45.70, 4.78), 100, rows=120, columns=100), (0, 12, 24), how).shape
        (12000, 2)
    """

    region: Region
    hours: tuple[int, ...]
    how: How

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in pairwise(self.hours))
        if len(self.hours) < 2 or not rises or not 0 <= self.hours[0] <= self.hours[-1] <= 24:
            raise ParameterError(
                "`hours` must be two or more whole hours that rise from 0 to 24; got {hours}.",
                "such as (0, 6, 12, 18, 24), or (0, 24) for the whole day.",
                hours=self.hours,
            )

    @property
    def title(self) -> str:
        """What it is."""
        return "visits by cell and hour"

    @property
    def by(self) -> tuple[str, ...]:
        """Cells and hours."""
        return "cell", "hours"

    @property
    def noun(self) -> str:
        """What is counted."""
        return "visits"

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells, and spans of hours."""
        return self.region.rows * self.region.columns, len(self.hours) - 1

    def contributions(self, seen: Seen) -> Contributions:
        """The visits of each unit."""
        traces = seen.traces
        clock, slots = traces.clock, self.shape[1]
        slot = np.searchsorted(np.array(self.hours) * _HOUR, clock % DAY, side="right") - 1
        cell = places_in(self.region, traces.latitude, traces.longitude)
        group = np.where((cell >= 0) & (slot >= 0) & (slot < slots), cell * slots + slot, -1)
        begins = np.ones(len(traces), bool)
        begins[1:] = (np.diff(group) != 0) | (np.diff(clock // DAY) != 0) | ~traces.same
        return added(traces.person[begins], group[begins], self.shape[0] * slots)

    def names(self, axis: int, places: IntArray) -> list[str]:
        """Cells and hours."""
        if axis == 0:
            return cell_names(self.region, places)
        spans = [f"{a:02}-{b:02}" for a, b in pairwise(self.hours)]
        return [spans[i] for i in places.tolist()]


@dataclass(frozen=True, slots=True)
class StaysByCell(Counting):
    """Where people stay: how many, or how many minutes, by cell.

    A stay is a run of fixes that are pairwise near each other and last long enough (`attack.traces.stays`); it counts in the cell
    of its middle.

    Args:
        region: its cells.
        seconds: a stay lasts at least so long.
        metres: largest distance between two of its fixes.
        minutes: the longest stay in whole minutes, a public bound, to which longer ones are cut; then minutes are added up.
            None: stays are counted.
        how: how stays become public numbers.

    Raises:
        ParameterError: a number outside its range; minutes of persons who count once. Remedy: in the message.
    """

    region: Region
    seconds: float
    metres: float
    minutes: int | None
    how: How

    def __post_init__(self) -> None:
        if self.minutes is not None:
            whole(self.minutes, "minutes", 1, 2**24)
            if self.how.once:
                raise ParameterError("Minutes are those of all stays that count.", "set `once` = False.")

    @property
    def title(self) -> str:
        """What it is."""
        return "stays by cell" if self.minutes is None else "minutes of stays by cell"

    @property
    def by(self) -> tuple[str, ...]:
        """Cells."""
        return ("cell",)

    @property
    def noun(self) -> str:
        """What is counted."""
        return "stays" if self.minutes is None else "minutes"

    @property
    def cut(self) -> int:
        """The longest stay."""
        return self.minutes or 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells."""
        return (self.region.rows * self.region.columns,)

    def contributions(self, seen: Seen) -> Contributions:
        """The stays of each unit."""
        found = seen.stays(self.seconds, self.metres)
        group = stay_cells(self.region, seen, found.first, found.last)
        time = seen.traces.time
        whole_minutes = np.minimum((time[found.last] - time[found.first]) // _MINUTE, self.cut)
        return added(found.person, group, self.shape[0], None if self.minutes is None else whole_minutes)

    def names(self, axis: int, places: IntArray) -> list[str]:
        """Cells."""
        del axis
        return cell_names(self.region, places)


def stay_cells(region: Region, seen: Seen, first: IntArray, last: IntArray) -> IntArray:
    """(s,) int64 cells of the middles of stays; -1 outside the region.

    Args:
        region: its cells.
        seen: the traces.
        first: (s,) int64 place of the first fix of each stay.
        last: (s,) int64 place of the last.
    """
    latitude, longitude = (x / 10**7 for x in middles(seen.traces, first, last))
    return places_in(region, latitude, longitude)
