"""What is counted of movement: flows between cells, lengths of trips, and how far from their middle persons go."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.release.mobility.how import Counting, How
from sfumato.release.mobility.places import added, cell_names, places_in, stay_cells
from sfumato.table.trips import trips_between, trips_by_gap

if TYPE_CHECKING:
    from sfumato.release.mobility.unit import Seen
    from sfumato.summary.contributions import Contributions
    from sfumato.table.plane import Plane, Region
    from sfumato.table.trips import Trips
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ByGap:
    """A trip ends where no fix follows for longer than a gap.

    Args:
        seconds: the gap, > 0.
        by_day: whether a trip ends with each local day.
    """

    seconds: float
    by_day: bool = False

    def trips(self, seen: Seen) -> Trips:
        """The trips of each unit."""
        return trips_by_gap(seen.traces, self.seconds, by_day=self.by_day)

    def ends(self, region: Region, seen: Seen, trips: Trips) -> tuple[IntArray, IntArray]:
        """Cells in which trips begin and end: those of their first and last fix."""
        lat, lon = seen.traces.latitude, seen.traces.longitude
        first, last = (places_in(region, lat[at], lon[at]) for at in (trips.first, trips.last))
        return first, last


@dataclass(frozen=True, slots=True)
class ByStays:
    """A trip goes from one stay to the next.

    Args:
        seconds: a stay lasts at least so long.
        metres: largest distance between two of its fixes.
    """

    seconds: float
    metres: float

    def trips(self, seen: Seen) -> Trips:
        """The trips of each unit."""
        found = seen.stays(self.seconds, self.metres)
        return trips_between(found.person, found.first, found.last)

    def ends(self, region: Region, seen: Seen, trips: Trips) -> tuple[IntArray, IntArray]:
        """Cells in which trips begin and end: those of the middles of the stays."""
        del trips
        found = seen.stays(self.seconds, self.metres)
        cells = stay_cells(region, seen, found.first, found.last)
        at = np.flatnonzero(np.diff(found.person) == 0)
        return cells[at], cells[at + 1]


Split: TypeAlias = ByGap | ByStays


@dataclass(frozen=True, slots=True)
class Flows(Counting):
    """From where to where people go: trips by the cells in which they begin and end.

    A trip is one of one person; one that begins or ends outside the region counts nowhere.

    Args:
        region: its cells.
        split: what a trip is.
        how: how trips become public numbers.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.plane import Plane, Region
        >>> how = How(PureDP(Fraction(1)), most=5, once=False)
        >>> Flows(Region(Plane(45.70, 4.78), 1000, rows=12, columns=10), ByGap(1200), how).shape
        (120, 120)
    """

    region: Region
    split: Split
    how: How

    @property
    def title(self) -> str:
        """What it is."""
        return "flows between cells"

    @property
    def by(self) -> tuple[str, ...]:
        """Where trips begin and end."""
        return "origin", "destination"

    @property
    def noun(self) -> str:
        """What is counted."""
        return "trips"

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells and cells."""
        cells = self.region.rows * self.region.columns
        return cells, cells

    def contributions(self, seen: Seen) -> Contributions:
        """The trips of each unit."""
        trips = self.split.trips(seen)
        origin, destination = self.split.ends(self.region, seen, trips)
        cells = self.shape[0]
        group = np.where((origin >= 0) & (destination >= 0), origin * cells + destination, -1)
        return added(trips.person, group, cells * cells)

    def names(self, axis: int, places: IntArray) -> list[str]:
        """Cells."""
        del axis
        return cell_names(self.region, places)


def checked_edges(edges: tuple[int, ...]) -> tuple[int, ...]:
    """Edges of bins in whole metres that rise from 0 or more.

    Raises:
        ParameterError: others. Remedy: give such as (0, 1000, 5000, 20000).

    Example:
        >>> checked_edges((0, 1000))
        (0, 1000)
    """
    are_whole = all(isinstance(edge, int) and not isinstance(edge, bool) and 0 <= edge < 2**40 for edge in edges)
    if len(edges) < 2 or not are_whole or not all(a < b for a, b in pairwise(edges)):
        raise ParameterError(
            "`edges` must be two or more whole metres that rise from 0 or more; got {edges}.",
            "such as (0, 1000, 5000, 20000).",
            edges=edges,
        )
    return edges


def bins_of(edges: tuple[int, ...], millimetres: IntArray | FloatArray) -> IntArray:
    """(n,) int64 bin of each length, from its lower edge up to below the next; -1 in none.

    Example:
        >>> bins_of((0, 1, 3), np.array([0, 999, 1000, 2999, 3000])).tolist()
        [0, 0, 1, 1, -1]
    """
    found = np.searchsorted(np.array(edges, np.int64) * 1000, millimetres, side="right") - 1
    return np.where(found < len(edges) - 1, found, -1).astype(np.int64)


class _InBins(Counting):
    """What is counted in bins of lengths."""

    __slots__ = ()

    edges: tuple[int, ...]

    def __post_init__(self) -> None:
        checked_edges(self.edges)

    @property
    def by(self) -> tuple[str, ...]:
        """Bins."""
        return ("metres",)

    @property
    def shape(self) -> tuple[int, ...]:
        """Bins."""
        return (len(self.edges) - 1,)

    def names(self, axis: int, places: IntArray) -> list[str]:
        """From where to where a bin reaches, in metres."""
        del axis
        spans = [f"{a}-{b}" for a, b in pairwise(self.edges)]
        return [spans[i] for i in places.tolist()]


@dataclass(frozen=True, slots=True)
class TripLengths(_InBins):
    """How long trips are, along all their fixes: a histogram.

    Args:
        edges: of the bins, rising whole metres; what lies outside counts nowhere.
        split: what a trip is.
        how: how trips become public numbers.
    """

    edges: tuple[int, ...]
    split: Split
    how: How

    @property
    def title(self) -> str:
        """What it is."""
        return "lengths of trips"

    @property
    def noun(self) -> str:
        """What is counted."""
        return "trips"

    def contributions(self, seen: Seen) -> Contributions:
        """The trips of each unit."""
        trips = self.split.trips(seen)
        return added(trips.person, bins_of(self.edges, trips.millimetres(seen.traces)), self.shape[0])


@dataclass(frozen=True, slots=True)
class Gyration(_InBins):
    """How far from their middle persons go: a histogram of radii of gyration, √(mean squared distance from the mean).

    Each unit counts once. The mean is over fixes, on a declared plane; no fix, no radius.

    Args:
        edges: of the bins, rising whole metres; what lies outside counts nowhere.
        plane: on which metres are measured.
        how: how units become public numbers; `most` is 1.

    Source:
        M. C. González, C. A. Hidalgo, A.-L. Barabási, "Understanding individual human mobility patterns", Nature 453,
        2008.
    """

    edges: tuple[int, ...]
    plane: Plane
    how: How

    @property
    def title(self) -> str:
        """What it is."""
        return "radii of gyration"

    @property
    def noun(self) -> str:
        """What is counted."""
        return "persons"

    def contributions(self, seen: Seen) -> Contributions:
        """One radius of each unit; sums are taken unit by unit, in order, so that nobody rounds another's."""
        traces = seen.traces
        at, size = traces.person, len(traces.persons)
        place = self.plane.metres_of(traces.latitude, traces.longitude)
        fixes = np.bincount(at, minlength=size)
        seen_at = np.flatnonzero(fixes)
        square = np.zeros(size)
        for x in place:
            mean = np.bincount(at, x, size) / np.maximum(fixes, 1)
            square += np.bincount(at, (x - mean[at]) ** 2, size)
        radius = np.sqrt(square[seen_at] / fixes[seen_at]) * 1000
        return added(seen_at, bins_of(self.edges, radius), self.shape[0])
