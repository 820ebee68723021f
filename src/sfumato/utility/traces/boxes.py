"""Counts of persons in random boxes of space and time: what somebody who counts gets from the release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.table.cells import EARTH
from sfumato.utility.traces.apart import check_pair
from sfumato.utility.traces.keys import distinct

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

SOURCE = "V. Primault, Accio, 2018: CountQueriesDistortion"
_A_DEGREE = EARTH * np.pi / 180


@dataclass(frozen=True, slots=True)
class Boxes:
    """How random boxes are drawn: around a random original fix, sizes even between bounds.

    Args:
        n: how many, >= 1.
        metres: least and largest side, 0 < least <= largest.
        seconds: least and largest duration, likewise.

    Raises:
        ParameterError: a number outside its range.
    """

    n: int = 1000
    metres: tuple[float, float] = (500.0, 2000.0)
    seconds: tuple[float, float] = (7200.0, 14400.0)

    def __post_init__(self) -> None:
        as_whole("n", self.n, low=1)
        if not all(0 < low <= high < np.inf for low, high in (self.metres, self.seconds)):
            raise ParameterError(
                "Boxes must have sides and durations above 0, the least first; got {metres} metres and {seconds} seconds.",
                "such as 500 to 2000 metres and 7200 to 14400 seconds.",
                metres=self.metres,
                seconds=self.seconds,
            )


def box_errors(published: Traces, original: Traces, boxes: Boxes, *, rng: np.random.Generator) -> FloatArray:
    """(n,) float64: |persons after - persons before| / persons before, of each box; before, there is at least one.

    Args:
        published: fixes that are measured.
        original: of the same persons; at least one fix.
        boxes: how they are drawn.
        rng: draws them.

    Raises:
        ParameterError: other persons.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> there = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.zeros(2), np.array([0.0, 0.001]))
        >>> none = there.kept(np.zeros(2, bool))
        >>> [box_errors(one, there, Boxes(3), rng=np.random.default_rng(1)).tolist() for one in (there, none)]
        [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    """
    check_pair(published, original)
    at = rng.integers(0, len(original), boxes.n)
    side, seconds = (rng.uniform(*ends, boxes.n) for ends in (boxes.metres, boxes.seconds))
    place = np.stack((original.latitude[at], original.longitude[at], side), axis=1)
    time = original.time[at]
    half = np.rint(seconds * 500).astype(np.int64)
    before, after = (
        persons_in(one, place, np.stack((time - half, time + half), axis=1)) for one in (original, published)
    )
    return np.asarray(np.abs(after - before) / before)


def persons_in(traces: Traces, place: FloatArray, time: IntArray) -> IntArray:
    """(n,) int64: persons who have a fix in each box, ends included.

    Args:
        traces: all fixes.
        place: (n, 3) float64 latitude and longitude of the middle, and metres of a side.
        time: (n, 2) int64 first and last millisecond.
    """
    order = np.argsort(traces.time, kind="stable")
    when = traces.time[order]
    first, end = np.searchsorted(when, time[:, 0], "left"), np.searchsorted(when, time[:, 1], "right")
    fixes = traces.person[order], traces.latitude[order], traces.longitude[order]
    out = np.zeros(len(place), np.int64)
    for i, (start, stop) in enumerate(zip(first.tolist(), end.tolist(), strict=True)):
        who, latitude, longitude = (column[start:stop] for column in fixes)
        half = place[i, 2] / 2 / _A_DEGREE
        turn = np.abs((longitude - place[i, 1] + 180) % 360 - 180) * np.cos(np.radians(place[i, 0]))
        inside = (np.abs(latitude - place[i, 0]) <= half) & (turn <= half)
        out[i] = len(distinct(who[inside]))
    return out
