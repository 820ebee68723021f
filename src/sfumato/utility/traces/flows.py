"""Flows: how many trips go from each place to each other one. A trip is of one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.trips import trips_by_gap

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import IntArray

SOURCE = "M. Lenormand et al., A universal model of commuting networks, PLoS ONE 7, 2012: common part of commuters"


@dataclass(frozen=True, slots=True, eq=False)
class Flows:
    """From where to where trips go, and how many.

    Args:
        origin: (m,) int64 cell; pairs are distinct and rise.
        target: (m,) int64 cell.
        trips: (m,) int64.
        persons: (m,) int64 who made them.
    """

    origin: IntArray
    target: IntArray
    trips: IntArray
    persons: IntArray


def flows(traces: Traces, region: Region, *, gap: float, by_day: bool = True) -> Flows:
    """Trips by the cells in which they begin and end. One that ends where it began, or has one fix, is none.

    Args:
        traces: all fixes.
        region: the cells.
        gap: seconds without a fix that end a trip.
        by_day: whether a local day ends it too.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0.0, 0.01, 0.0, 0.01]), np.zeros(4))
        >>> found = flows(two, Region(Plane(0, 0), 1000, 2, 1), gap=60)
        >>> found.origin.tolist(), found.target.tolist(), found.trips.tolist(), found.persons.tolist()
        ([0], [1], [2], [2])
    """
    cell = region.codes_of(traces.latitude, traces.longitude)
    made = trips_by_gap(traces, gap, by_day=by_day)
    begin, end = made.first, made.last
    moves = cell[begin] != cell[end]
    rows = np.stack((cell[begin], cell[end], traces.person[begin]), axis=1)[moves]
    rows = rows[np.lexsort(rows.T[::-1])]
    changes = np.ones(rows.shape, bool)
    changes[1:] = np.diff(rows, axis=0) != 0
    is_pair = changes[:, :2].any(axis=1)
    at = np.flatnonzero(is_pair)
    if not len(at):
        return Flows(*(np.zeros(0, np.int64) for _ in range(4)))
    persons = np.add.reduceat((is_pair | changes[:, 2]).astype(np.int64), at)
    return Flows(rows[at, 0], rows[at, 1], np.diff(np.append(at, len(rows))), persons)


def common(published: Flows, original: Flows) -> tuple[float | None, float | None, float | None]:
    """How alike flows are.

    With b trips before and a trips after between each pair of cells:

    Returns:
        Σ min(b, a) / Σ b, the share that is kept; 2 Σ min(b, a) / (Σ b + Σ a), the common part of commuters; and
        Σ |a - b| / Σ b, the error. None without a trip before.

    Example:
        >>> one = Flows(np.array([0, 0]), np.array([1, 2]), np.array([3, 1]), np.array([1, 1]))
        >>> other = Flows(np.array([0, 5]), np.array([1, 1]), np.array([2, 4]), np.array([1, 1]))
        >>> common(other, one)
        (0.5, 0.4, 1.5)
    """
    total = int(original.trips.sum())
    if not total:
        return None, None, None
    pairs = np.concatenate([np.stack((one.origin, one.target), axis=1) for one in (original, published)])
    _, place = np.unique(pairs, axis=0, return_inverse=True)
    before, after = np.zeros((2, int(place.max()) + 1), np.int64)
    before[place.ravel()[: len(original.trips)]] = original.trips
    after[place.ravel()[len(original.trips) :]] = published.trips
    kept = int(np.minimum(before, after).sum())
    return kept / total, 2 * kept / (total + int(after.sum())), int(np.abs(after - before).sum()) / total
