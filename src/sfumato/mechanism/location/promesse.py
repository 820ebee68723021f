"""Promesse: traces at constant speed, on which no stay is left.

Places where somebody stays show as many fixes near each other. Here fixes are put at equal distances along the way and at
equal times, so that an hour at home looks like an hour's walk. It hides stays, not the way: who knows the street knows
the street, and whoever hardly moves in a piece still stays. No formal promise is made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.cells import EARTH
from sfumato.table.plane import distance
from sfumato.table.traces import Traces, pieces

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

PAYS_FROM = 100_000
"""Fixes from which a compiled loop is worth loading."""


@dataclass(frozen=True, slots=True)
class Promesse:
    """Constant speed.

    Each piece of a trace (a day, without a gap) becomes the points at every `metres` from the one before, on straight
    lines between fixes; the first and the last are dropped, where trips begin and end; times are even between the times
    at which the rest begins and ends, t_0 + ⌈i (t_last - t_0) / (n - 1)⌉ in milliseconds. A piece that never goes twice
    that far disappears.

    Args:
        metres: between points, > 0; 100 hides stays of 200 m.
        gap: seconds without a fix after which a new piece begins, > 0; infinite: gaps do not matter.
        by_day: whether a new piece begins with each local day. A piece of months has one speed: that of the months.

    Raises:
        ParameterError: a number that is not above 0.

    Source:
        V. Primault, S. Ben Mokhtar, C. Lauradoux, L. Brunie, "Time distortion anonymization for the publication of
        mobility data with high utility", TrustCom 2015; the steps are those of its authors' program Accio.

    Example:
        >>> n = 100
        >>> walk = Traces("UTC", ("a",), np.zeros(n, int), np.arange(n) * 60_000, np.linspace(45, 45.02, n), np.full(n, 4.8))
        >>> smooth = Promesse(metres=100, gap=3600).smooth(walk)
        >>> len(smooth), set((smooth.steps()[0] / 100).round(3).tolist())
        (21, {1.0})
    """

    metres: float
    gap: float
    by_day: bool = True

    def __post_init__(self) -> None:
        if not (0 < self.metres < np.inf and self.gap > 0):
            raise ParameterError(
                "A distance and a gap must be above 0; got {metres} metres and {gap} seconds.",
                "such as 100 metres and 3600 seconds.",
                metres=self.metres,
                gap=self.gap,
            )

    def smooth(self, traces: Traces) -> Traces:
        """The traces at constant speed; persons keep their codes."""
        piece = pieces(traces, self.gap, by_day=self.by_day)
        of, lat, lon, time = _resampled(traces, piece, self.metres)
        inner = np.zeros(len(of), bool)
        inner[1:-1] = (of[1:-1] == of[:-2]) & (of[1:-1] == of[2:])
        of, lat, lon, even = of[inner], lat[inner], lon[inner], _even(of[inner], time[inner])
        person = traces.person[np.searchsorted(piece, of)] if len(of) else of
        once = np.ones(len(of), bool)
        once[1:] = (np.diff(person) > 0) | (np.diff(even) > 0)
        return Traces(traces.zone, traces.persons, person[once], even[once], lat[once], lon[once])


def _resampled(traces: Traces, piece: IntArray, metres: float) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Piece, latitude, longitude and time of points at equal distances, by piece and in order."""
    spot = np.stack([traces.latitude, traces.longitude, traces.time.astype(np.float64)], axis=1)
    if pays(len(piece), PAYS_FROM):
        of, found = _walked(spot, piece, metres)
    else:
        of, found = _walked_at_once(spot, piece, metres)
    return of, found[:, 0], (found[:, 1] + 180) % 360 - 180, found[:, 2]


def _walked(spot: FloatArray, piece: IntArray, metres: float) -> tuple[IntArray, FloatArray]:
    """Points and their pieces, fix by fix in a compiled loop: counted first, then written."""
    count = np.zeros(1, np.int64)
    walk = compiled(_walk_loop)
    walk(spot, piece, metres, np.zeros((0, 4)), count)
    out = np.empty((count[0], 4))
    walk(spot, piece, metres, out, count)
    return out[:, 3].astype(np.int64), out[:, :3]


def _walk_loop(spot: Any, piece: Any, metres: Any, out: Any, count: Any) -> None:
    """From the last point straight towards the next fix, as far as points fit; distances as in `table.plane.distance`.

    Columns of `out`: latitude, longitude, time, piece; without a row, points are counted only.
    """
    k, lat, lon, time, turn, is_written = 0, 0.0, 0.0, 0.0, math.pi / 180, len(out) > 0
    for i in range(len(piece)):
        if i == 0 or piece[i] != piece[i - 1]:
            lat, lon, time = spot[i, 0], spot[i, 1], spot[i, 2]
            if is_written:
                out[k, 0], out[k, 1], out[k, 2], out[k, 3] = lat, lon, time, piece[i]
            k += 1
            continue
        y = spot[i, 0]
        x = lon + (spot[i, 1] - lon + 180) % 360 - 180
        half = math.sin((y - lat) * turn / 2) ** 2
        half += math.cos(lat * turn) * math.cos(y * turn) * math.sin((x - lon) * turn / 2) ** 2
        far = 2 * EARTH * math.asin(min(math.sqrt(half), 1.0))
        n = int(far / metres)
        north, east, later = y - lat, x - lon, spot[i, 2] - time
        if is_written:
            for j in range(1, n + 1):
                share = j * metres / far
                out[k, 0], out[k, 1] = lat + share * north, lon + share * east
                out[k, 2], out[k, 3] = time + share * later, piece[i]
                k += 1
        else:
            k += n
        if n > 0:
            share = n * metres / far
            lat, lon, time = lat + share * north, lon + share * east, time + share * later
    count[0] = k


def _walked_at_once(spot: FloatArray, piece: IntArray, metres: float) -> tuple[IntArray, FloatArray]:
    """The same for all pieces at once, fix by fix: the points between the last one and the next fix lie on one line."""
    first = np.flatnonzero(np.diff(piece, prepend=-1) != 0)
    end = np.append(first[1:], len(piece))
    last, out = spot[first], [(piece[first], np.zeros(len(first)), spot[first])]
    at, going = first + 1, np.arange(len(first))
    while len(going := going[at[going] < end[going]]):
        ahead = _over_the_meridian(last[going], spot[at[going]])
        far = distance(last[going, 0], last[going, 1], ahead[:, 0], ahead[:, 1])
        n = (far / metres).astype(np.int64)
        who = np.repeat(going, n)
        share = (np.arange(len(who)) - np.repeat(np.cumsum(n) - n, n) + 1) * metres / np.repeat(far, n)
        step = np.repeat(ahead - last[going], n, axis=0)
        points = last[who] + share[:, None] * step
        out.append((piece[first[who]], at[who].astype(np.float64), points))
        moved = n > 0
        last[going[moved]] = points[np.cumsum(n)[moved] - 1]
        at[going] += 1
    of, order, all_points = (np.concatenate(part) for part in zip(*out, strict=True))
    sorting = np.lexsort((np.arange(len(of)), order, of))
    return of[sorting], all_points[sorting]


def _over_the_meridian(last: FloatArray, ahead: FloatArray) -> FloatArray:
    """The next fixes, with longitudes on the shorter way from the last points."""
    out = ahead.copy()
    out[:, 1] = last[:, 1] + (ahead[:, 1] - last[:, 1] + 180) % 360 - 180
    return out


def _even(of: IntArray, time: FloatArray) -> IntArray:
    """(n,) int64: times of each piece at even distances from its first to its last, rounded up."""
    if not len(of):
        return np.zeros(0, np.int64)
    begins = np.flatnonzero(np.diff(of, prepend=-1) != 0)
    n = np.diff(np.append(begins, len(of)))
    start, span = np.ceil(time[begins]), np.floor(time[begins + n - 1]) - np.ceil(time[begins])
    place = np.arange(len(of)) - np.repeat(begins, n)
    even = np.ceil(place * np.repeat(np.maximum(span, 0), n) / np.repeat(np.maximum(n - 1, 1), n))
    return np.asarray(np.repeat(start, n) + even, np.int64)
