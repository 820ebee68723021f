"""Fixes: who was seen when and where, read from a table whole, for traces are not summed up before they are sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.summary.ask import Ask
from sfumato.table.clock import Stamps, read_times

if TYPE_CHECKING:
    from sfumato.table.cells import Cells
    from sfumato.table.clock import Moments, Written
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Fixes:
    """The rows of a table in no particular order.

    Args:
        persons: distinct canonical texts of the column of persons.
        person: (n,) int64 place in `persons`, -1: missing.
        times: distinct canonical texts of the column of times, or what they say where all are written alike.
        time: (n,) int64 place in `times`, -1: missing; empty where `times` are numbers.
        latitude: (n,) float64, NaN: missing or no number.
        longitude: (n,) float64, likewise.
    """

    persons: tuple[str, ...]
    person: IntArray
    times: tuple[str, ...] | Stamps
    time: IntArray
    latitude: FloatArray
    longitude: FloatArray

    def moments(self, zone: str, written: Written) -> Moments:
        """When each fix was, by a zone and a way to write times.

        Raises:
            ParameterError: see `table.clock.read_times`.
        """
        if isinstance(self.times, Stamps):
            return self.times.read(zone, written)
        return read_times(self.times, zone, written).at(self.time)


@dataclass(frozen=True, slots=True)
class FixesOf(Ask[Fixes]):
    """All rows of three or four columns, for somebody who may see the table.

    Args:
        person: column that identifies a person.
        time: column of times.
        latitude: column of degrees; None: a cell says it.
        longitude: column of degrees; None likewise.
        cell: column of cells of a declared grid, whose centers are taken; None: the degrees are there.
        grid: what cells are of.
    """

    person: str
    time: str
    latitude: str | None
    longitude: str | None
    cell: str | None = None
    grid: Cells | None = None
