"""What protected traces are worth: how far fixes moved, and which cells are still visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Coverage:
    """Cells visited before and after, of all persons together: each person's cells are that person's.

    Args:
        precision: visited cells of the release that were visited before.
        recall: cells visited before that the release visits.
        f1: their harmonic mean.
    """

    precision: float
    recall: float
    f1: float


def covered(before: Traces, after: Traces, region: Region) -> Coverage:
    """How many cells of each person are visited before and after.

    Args:
        before: the original.
        after: the release, persons by the same codes.
        region: the cells; what is outside counts in the nearest one.

    Source:
        Accio, `AreaCoverage`: precision and recall over cells, here added up over persons.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> one = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1]), np.array([45.0005, 45.0015]), np.full(2, 4.8005))
        >>> covered(one, one.kept(np.array([True, False])), Region(Plane(45, 4.8), 100, 9, 9)).recall
        0.5
    """
    first, last = (visited(traces, region) for traces in (before, after))
    shared = len(np.intersect1d(first, last, assume_unique=True))
    precision, recall = (shared / len(keys) if len(keys) else 0.0 for keys in (last, first))
    return Coverage(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)


def visited(traces: Traces, region: Region) -> IntArray:
    """Distinct pairs of a person and a cell, each as one number: person · cells + cell."""
    cells = region.cells_of(traces.latitude, traces.longitude)
    return np.unique(traces.person * (region.rows * region.columns) + cells[:, 0] * region.columns + cells[:, 1])


def persons_by_cell(traces: Traces, region: Region) -> IntArray:
    """(rows · columns,) int64: how many persons visit each cell, row by row from the south-west."""
    n = region.rows * region.columns
    return np.bincount(visited(traces, region) % n, minlength=n)


def moved(before: Traces, after: Traces) -> FloatArray:
    """(m,) float64 metres between each fix of the release and where its person was at that time.

    Between two fixes a person is on the straight line between them; before the first and after the last at these.

    Args:
        before: the original.
        after: the release, persons by the same codes.

    Source:
        Accio, `SpatioTemporalDistortion`.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> who, at = np.zeros(2, int), np.array([0, 2000])
        >>> true = Traces("UTC", ("a",), who, at, np.array([45.0, 45.002]), np.zeros(2))
        >>> moved(true, Traces("UTC", ("a",), who[:1], at[:1] + 1000, np.array([45.0]), np.zeros(1))).round().tolist()
        [111.0]
    """
    ahead = _places(before, after)
    starts = before.starts
    first, last = starts[after.person], starts[after.person + 1] - 1
    right = np.clip(ahead, first, last)
    left = np.clip(ahead - 1, first, last)
    span = np.maximum(before.time[right] - before.time[left], 1)
    share = np.clip((after.time - before.time[left]) / span, 0, 1)
    turn = (before.longitude[right] - before.longitude[left] + 180) % 360 - 180
    latitude = before.latitude[left] + share * (before.latitude[right] - before.latitude[left])
    longitude = (before.longitude[left] + share * turn + 180) % 360 - 180
    return distance(latitude, longitude, after.latitude, after.longitude)


def _places(before: Traces, after: Traces) -> IntArray:
    """(m,) int64: of each fix of the release, the first fix of its person that is not earlier, as a place in `before`."""
    person = np.concatenate([before.person, after.person])
    time = np.concatenate([before.time, after.time])
    is_after = np.repeat([0, 1], [len(before), len(after)])
    order = np.lexsort((1 - is_after, time, person))
    seen = np.cumsum(is_after[order] == 0)
    out = np.empty(len(after), np.int64)
    at = np.flatnonzero(is_after[order])
    out[order[at] - len(before)] = seen[at]
    return out
