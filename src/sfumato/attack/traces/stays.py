"""Places of interest: where somebody stays, found in a trace; and persons found again by their places.

Whoever is somewhere for a quarter of an hour within 200 m stays there: home, work, a hospital.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.cells import EARTH
from sfumato.table.plane import directions

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray

PAYS_FROM = 100_000
"""Fixes from which a compiled loop is worth loading."""


@dataclass(frozen=True, slots=True, eq=False)
class Stays:
    """Stays in order of persons and times.

    Args:
        person: (s,) int64 codes.
        first: (s,) int64 place of the first fix in the traces.
        last: (s,) int64 place of the last one.
        latitude: (s,) float64 means of the fixes.
        longitude: (s,) float64.
        seconds: (s,) float64 from the first to the last.
    """

    person: IntArray
    first: IntArray
    last: IntArray
    latitude: FloatArray
    longitude: FloatArray
    seconds: FloatArray


def stays(traces: Traces, *, seconds: float, metres: float, piece: IntArray | None = None) -> Stays:
    """Runs of fixes that are pairwise at most so far apart, and last so long.

    Fix by fix, a run grows while the new fix is near all of the run. When it is not, the run is a stay if it has two
    fixes and lasts long enough, and a new run begins; else its first fixes are dropped until the new one fits.

    Args:
        traces: of all persons.
        seconds: a stay lasts at least so long, > 0.
        metres: largest distance between two of its fixes, > 0 and at most 10⁷.
        piece: (n,) int64 rising: runs do not cross from one piece to the next; None: persons.

    Raises:
        ParameterError: a number outside its range.

    Source:
        R. Hariharan, K. Toyama, "Project Lachesis: parsing and modeling location histories", GIScience 2004; as in Accio.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> lat = np.array([45.0, 45.0, 45.0, 45.1, 45.2])
        >>> there = Traces("UTC", ("a",), np.zeros(5, int), np.arange(5) * 600_000, lat, np.zeros(5))
        >>> stays(there, seconds=900, metres=200).seconds.tolist()
        [1200.0]
    """
    if not (0 < seconds < np.inf and 0 < metres <= 1e7):
        raise ParameterError("A stay has a duration and a diameter above 0.", "such as 900 seconds and 200 metres.")
    of = traces.person if piece is None else piece
    n = len(of)
    starts = np.flatnonzero(np.diff(of, prepend=-1) != 0)
    fits = _first_that_fits(traces, starts, of, metres)
    run = np.maximum.accumulate(fits)
    before = np.append(run, n)[:-1] if n else run
    ends = np.append(starts[1:], n)
    at = np.arange(1, n)
    breaks = at[(fits[1:] > before[:-1]) & (traces.time[:-1] - traces.time[before[:-1]] >= seconds * 1000)]
    found: list[tuple[int, int]] = []
    begun = 0
    for e in np.union1d(breaks, ends[ends > 0]).tolist():
        s = max(begun, int(run[e - 1]))
        if e - s > 1 and traces.time[e - 1] - traces.time[s] >= seconds * 1000 and (e == n or fits[e] > s):
            found.append((s, e - 1))
            begun = e
    return _as_stays(traces, np.array(found, np.int64).reshape(-1, 2))


def _first_that_fits(traces: Traces, starts: IntArray, of: IntArray, metres: float) -> IntArray:
    """(n,) int64: the first fix of the piece from which on all are near each fix.

    Where it lies before the run that the fix before is in, the compiled loop gives the first fix of that run instead,
    which says as much: the run goes on.
    """
    spot = directions(traces.latitude, traces.longitude)
    limit = (2 * np.sin(metres / (2 * EARTH))) ** 2
    origin = np.repeat(starts, np.diff(np.append(starts, len(of))))
    if pays(len(of), PAYS_FROM):
        out = np.empty(len(of), np.int64)
        compiled(_fit_loop)(np.ascontiguousarray(spot.T), origin, limit, out)
        return out
    return _fit_at_once(spot, origin, limit)


def _fit_at_once(spot: FloatArray, origin: IntArray, limit: float) -> IntArray:
    """Looked for backwards, for all fixes at once."""
    out, left, lag = origin.copy(), np.arange(len(origin)), 1
    while len(left := left[left - lag >= origin[left]]):
        gap = spot[:, left] - spot[:, left - lag]
        is_far: BoolArray = (gap * gap).sum(axis=0) > limit
        out[left[is_far]] = left[is_far] - lag + 1
        left, lag = left[~is_far], lag + 1
    return out


def _fit_loop(spot: Any, origin: Any, limit: Any, out: Any) -> None:
    """The same, fix by fix, no further back than the run goes."""
    run = 0
    for i in range(len(origin)):
        run = max(run, origin[i])
        x, y, z = spot[i, 0], spot[i, 1], spot[i, 2]
        j = i - 1
        while j >= run:
            a, b, c = x - spot[j, 0], y - spot[j, 1], z - spot[j, 2]
            if a * a + b * b + c * c > limit:
                break
            j -= 1
        run = max(run, j + 1)
        out[i] = run


def _as_stays(traces: Traces, runs: IntArray) -> Stays:
    """Runs of fixes with their means."""
    first, last = runs[:, 0], runs[:, 1]
    sums = [np.append(0.0, np.cumsum(x)) for x in (traces.latitude, traces.longitude)]
    latitude, longitude = ((total[last + 1] - total[first]) / (last + 1 - first) for total in sums)
    seconds = (traces.time[last] - traces.time[first]) / 1000
    return Stays(traces.person[first], first, last, latitude, longitude, seconds)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """How many of a person's places are found again in what was published.

    Args:
        precision: found places over published ones; 0 if none is published.
        recall: found places over true ones; 0 if there is none.
        f1: their harmonic mean.
    """

    precision: float
    recall: float
    f1: float


def retrieved(published: FloatArray, true: FloatArray, metres: float) -> Retrieved:
    """Places of interest that are found again: true ones that are the nearest to a published one, and near.

    Args:
        published: (m, d) float64 coordinates in metres.
        true: (n, d) float64 of the same person.
        metres: what is near.

    Source:
        Accio, `PoisRetrieval`: distinct true places over published, and over true ones.

    Example:
        >>> retrieved(np.array([[0.0], [1.0], [500.0]]), np.array([[10.0], [900.0]]), 100).recall
        0.5
    """
    if not len(published) or not len(true):
        return Retrieved(0.0, 0.0, 0.0)
    apart = np.linalg.norm(published[:, None, :] - true[None, :, :], axis=2)
    nearest = apart.argmin(axis=1)
    found = len(distinct(nearest[apart.min(axis=1) <= metres]))
    precision, recall = found / len(published), found / len(true)
    return Retrieved(precision, recall, 2 * precision * recall / (precision + recall) if found else 0.0)
