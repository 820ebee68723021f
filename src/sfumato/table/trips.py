"""Trips: from where a person was to where the same person was next; and traces cut into the weeks of each person.

Nothing here joins two persons, and nothing of one person depends on another: lengths are sums of whole millimetres, which
no rounding of somebody else's sums can move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.plane import distance
from sfumato.table.traces import Traces, pieces

if TYPE_CHECKING:
    from sfumato.types import IntArray

_UNIT = 10**7
"""Whole parts of a degree: about a centimetre."""


@dataclass(frozen=True, slots=True, eq=False)
class Trips:
    """Trips in order of persons and times.

    Args:
        person: (m,) int64 codes.
        first: (m,) int64 place of the fix at which each begins in the traces.
        last: (m,) int64 place of the fix at which it ends; above `first`, of the same person.
    """

    person: IntArray
    first: IntArray
    last: IntArray

    def __len__(self) -> int:
        return len(self.person)

    def millimetres(self, traces: Traces) -> IntArray:
        """(m,) int64 lengths along all fixes between, exact sums of steps in whole millimetres."""
        lat, lon = traces.latitude, traces.longitude
        steps = np.rint(distance(lat[:-1], lon[:-1], lat[1:], lon[1:]) * 1000).astype(np.int64)
        steps[~traces.same] = 0
        before = np.append(0, np.cumsum(steps))
        return np.asarray(before[self.last] - before[self.first], np.int64)


def trips_by_gap(traces: Traces, gap: float, *, by_day: bool = False) -> Trips:
    """Each stretch without a longer gap, from its first fix to its last; a fix by itself is no trip.

    Args:
        traces: sorted fixes.
        gap: seconds without a fix after which a new trip begins, > 0; infinite: gaps do not matter.
        by_day: whether a new trip begins with each local day.

    Raises:
        ParameterError: a gap that is not above 0.

    Example:
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 0, 1]), np.array([0, 60_000, 120_000]), np.zeros(3), np.arange(3.0))
        >>> found = trips_by_gap(two, gap=600)
        >>> found.first.tolist(), found.last.tolist()
        ([0], [1])
    """
    if not gap > 0:
        raise ParameterError("`gap` must be above 0 seconds.", "such as 1200, or infinite: gaps do not matter.")
    piece = pieces(traces, gap, by_day=by_day)
    starts = np.flatnonzero(np.diff(piece, prepend=-1))
    ends = np.append(starts[1:], len(piece)) - 1
    kept = ends > starts
    return Trips(traces.person[starts[kept]], starts[kept].astype(np.int64), ends[kept].astype(np.int64))


def trips_between(person: IntArray, first: IntArray, last: IntArray) -> Trips:
    """From the last fix of each stay to the first fix of the same person's next one.

    Args:
        person: (s,) int64 codes of stays, in order of persons and times.
        first: (s,) int64 place of their first fixes.
        last: (s,) int64 place of their last fixes.

    Example:
        >>> found = trips_between(np.array([0, 0, 1]), np.array([0, 9, 20]), np.array([5, 12, 25]))
        >>> found.first.tolist(), found.last.tolist()
        ([5], [9])
    """
    at = np.flatnonzero(np.diff(person) == 0)
    return Trips(person[at], last[at], first[at + 1])


def by_week(traces: Traces) -> tuple[Traces, IntArray]:
    """Traces in which each week of a person, Monday to Sunday of local clocks, is a person of its own, and whose it is.

    Names are left out: who protects weeks has no more to say of them.

    Returns:
        The traces, and (weeks,) int64 codes of the persons.

    Example:
        >>> days = np.array([3, 4, 11]) * 86_400_000  # Sunday, Monday, Monday
        >>> weeks, of = by_week(Traces("UTC", ("a",), np.zeros(3, int), days, np.zeros(3), np.zeros(3)))
        >>> weeks.person.tolist(), of.tolist()
        ([0, 1, 2], [0, 0, 0])
    """
    week = traces.week
    order = np.lexsort((traces.time, week, traces.person))
    person, own = traces.person[order], week[order]
    begins = np.ones(len(order), bool)
    begins[1:] = (np.diff(person) != 0) | (np.diff(own) != 0)
    code = np.cumsum(begins, dtype=np.int64) - 1
    names = ("",) * int(begins.sum())
    place = traces.latitude[order], traces.longitude[order]
    return Traces(traces.zone, names, code, traces.time[order], *place), person[begins]


def middles(traces: Traces, first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Mean latitudes and longitudes of runs of fixes in whole 10⁻⁷ degrees, rounded down; exact whatever stands around.

    Args:
        traces: sorted fixes.
        first: (s,) int64 place of the first fix of each run.
        last: (s,) int64 place of the last.

    Example:
        >>> one = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1]), np.array([1.0, 2.0]), np.zeros(2))
        >>> middles(one, np.array([0]), np.array([1]))[0].tolist()
        [15000000]
    """
    size = last + 1 - first
    lat, lon = (
        np.append(0, np.cumsum(np.rint(x * _UNIT).astype(np.int64))) for x in (traces.latitude, traces.longitude)
    )
    return (lat[last + 1] - lat[first]) // size, (lon[last + 1] - lon[first]) // size
