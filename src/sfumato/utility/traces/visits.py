"""Visits of places: how often a cell is visited, and how long persons are in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.table.traces import pieces

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

SOURCE = "A. Kapp, dp-mobility-report, 2024: visits of places and their duration"


@dataclass(frozen=True, slots=True, eq=False)
class PlaceVisits:
    """Cells that are visited, by rising number.

    Args:
        cell: (m,) int64.
        visits: (m,) int64.
        seconds: (m,) float64 that persons were in each, over all visits.
    """

    cell: IntArray
    visits: IntArray
    seconds: FloatArray


def visits(traces: Traces, region: Region, *, gap: float, seconds: float = 0.0) -> PlaceVisits:
    """Runs of fixes of one person in one cell, without a gap; how long a run is, from its first fix to its last.

    Args:
        traces: all fixes.
        region: the cells.
        gap: seconds without a fix that end a visit.
        seconds: a visit lasts at least so long; 0: one fix is a visit.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> time = np.array([0, 60, 120, 180]) * 1000
        >>> one = Traces("UTC", ("a",), np.zeros(4, int), time, np.array([0.0, 0.0, 0.01, 0.0]), np.zeros(4))
        >>> found = visits(one, Region(Plane(0, 0), 1000, 2, 1), gap=3600)
        >>> found.cell.tolist(), found.visits.tolist(), found.seconds.tolist()
        ([0, 1], [2, 1], [60.0, 0.0])
    """
    cell = region.codes_of(traces.latitude, traces.longitude)
    begins = (np.diff(pieces(traces, gap, by_day=False), prepend=-1) != 0) | (np.diff(cell, prepend=-1) != 0)
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(cell)) - 1
    long = (traces.time[last] - traces.time[first]) / 1000 if len(cell) else np.zeros(0)
    first, long = first[long >= seconds] if len(cell) else first[:0], long[long >= seconds]
    cells, of = np.unique(cell[first], return_inverse=True)
    return PlaceVisits(
        cells,
        np.bincount(of.ravel(), minlength=len(cells)),
        np.bincount(of.ravel(), long, len(cells)).astype(np.float64),
    )


def top_kept(published: PlaceVisits, original: PlaceVisits, n: int) -> float | None:
    """The share of the n most visited cells of the original that are among those of the release; None without a visit.

    Of cells that are visited equally often the lowest number comes first. Where the original has fewer, all are taken.

    Example:
        >>> one = PlaceVisits(np.array([1, 2, 3]), np.array([5, 4, 1]), np.zeros(3))
        >>> other = PlaceVisits(np.array([1, 3]), np.array([1, 9]), np.zeros(2))
        >>> top_kept(other, one, 2)
        0.5
    """
    most = as_whole("n", n, low=1)
    before, after = (one.cell[np.lexsort((one.cell, -one.visits))][:most] for one in (original, published))
    return len(np.intersect1d(before, after)) / len(before) if len(before) else None


def errors(published: PlaceVisits, original: PlaceVisits) -> tuple[float | None, float | None]:
    """Σ |after - before| / Σ before over cells, of visits and of seconds; None where nothing was before.

    Example:
        >>> one = PlaceVisits(np.array([1, 2]), np.array([3, 1]), np.array([10.0, 0.0]))
        >>> other = PlaceVisits(np.array([1, 9]), np.array([1, 1]), np.array([5.0, 1.0]))
        >>> errors(other, one)
        (1.0, 0.6)
    """
    cells = np.union1d(original.cell, published.cell)
    out: list[float | None] = []
    for name in ("visits", "seconds"):
        before, after = np.zeros((2, len(cells)))
        before[np.searchsorted(cells, original.cell)] = getattr(original, name)
        after[np.searchsorted(cells, published.cell)] = getattr(published, name)
        total = float(before.sum())
        out.append(float(np.abs(after - before).sum()) / total if total > 0 else None)
    return out[0], out[1]
