"""Who knows whom: persons who are at one place at one time, again and again, where few others are."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from sfumato.attack.traces.heat import cells_of_earth
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

Weighing = Literal["rare places", "shared times"]


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Meetings of two persons, each once for a place and a time.

    Args:
        persons: how many; codes are below.
        one: (m,) int64 the lower code.
        other: (m,) int64 the higher code.
        popularity: (m,) float64 in (0, 1]: share of the persons who were ever in the cell of the meeting.
        times: (persons,) int64 different times at which each was seen.
    """

    persons: int
    one: IntArray
    other: IntArray
    popularity: FloatArray
    times: IntArray


def meetings(traces: Traces, *, metres: float, seconds: float) -> Meetings:
    """Pairs of fixes of two persons that are near in space and in time.

    Fixes are looked at in the order of time, each with those that follow within `seconds`: work is what happens at one
    time anywhere, whatever happens near.

    Args:
        traces: of all persons.
        metres: largest distance, >= 1; also the side of the cells whose popularity is counted.
        seconds: largest difference of times, > 0; also how long one time is.

    Raises:
        ParameterError: numbers outside their ranges.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> when, lat = np.array([0, 9_000_000, 60_000, 9_000_000]), np.array([45.0, 46.0, 45.0, 47.0])
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 0, 1, 1]), when, lat, np.zeros(4))
        >>> met = meetings(two, metres=100, seconds=300)
        >>> met.one.tolist(), met.other.tolist(), met.popularity.tolist()
        ([0], [1], [1.0])
    """
    if not (1 <= metres <= 1e6 and 0 < seconds < np.inf):
        raise ParameterError("A meeting needs a distance of at least 1 m and a time above 0.", "such as 100 and 300.")
    order = np.argsort(traces.time, kind="stable")
    who, when = traces.person[order], traces.time[order]
    first, second = _near_pairs((who, when), (traces.latitude[order], traces.longitude[order]), metres, seconds * 1000)
    cell = cells_of_earth(traces.latitude, traces.longitude, metres)[order]
    slot = when // max(1, int(seconds * 1000))
    _, kind = np.unique(cell, return_inverse=True)
    kind = kind.ravel()
    visitors = np.bincount(np.unique(np.stack([kind, who]), axis=1)[0])
    low, high = np.minimum(who[first], who[second]), np.maximum(who[first], who[second])
    met = np.unique(np.stack([low, high, kind[first], slot[first]]), axis=1)
    seen = np.unique(np.stack([who, slot]), axis=1)[0]
    n = len(traces.persons)
    return Meetings(n, met[0], met[1], visitors[met[2]] / n, np.bincount(seen, minlength=n).astype(np.int64))


def fixes_at_a_time(traces: Traces, seconds: float) -> int:
    """Pairs of fixes within so many seconds, which is the work of `meetings`.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> when = np.array([0, 1000, 9000])
        >>> fixes_at_a_time(Traces("UTC", ("a",), np.zeros(3, int), when, np.zeros(3), np.zeros(3)), 2)
        1
    """
    when = np.sort(traces.time)
    return int((np.searchsorted(when, when + seconds * 1000, "right") - np.arange(len(when)) - 1).sum())


def _near_pairs(
    fix: tuple[IntArray, IntArray], place: tuple[FloatArray, FloatArray], metres: float, span: float
) -> tuple[IntArray, IntArray]:
    """Pairs of places in the order of time: the earlier one, the later one."""
    (who, when), (lat, lon) = fix, place
    left, lag = np.arange(len(who)), 1
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    while len(left := left[left + lag < len(who)]):
        left = left[when[left + lag] - when[left] <= span]
        two = left[who[left] != who[left + lag]]
        near = two[distance(lat[two], lon[two], lat[two + lag], lon[two + lag]) <= metres]
        found.append((near, near + lag))
        lag += 1
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def scores(met: Meetings, by: Weighing) -> tuple[IntArray, IntArray, FloatArray]:
    """How surely two persons know each other: pairs that met at all, and their score.

    "rare places": Σ ln(1 / popularity) over their meetings, the log-likelihood against two strangers each of whom is
    anywhere by the popularity of places. "shared times": meetings over times at which either was seen (Jaccard).

    Example:
        >>> met = Meetings(4, np.array([0, 0]), np.array([1, 1]), np.array([0.5, 0.25]), np.array([2, 4, 0, 0]))
        >>> [scores(met, by)[2].round(2).tolist() for by in ("rare places", "shared times")]
        [[2.08], [0.5]]
    """
    pairs, of = np.unique(np.stack([met.one, met.other]), axis=1, return_inverse=True)
    one, other = pairs.astype(np.int64)
    if by == "rare places":
        return one, other, np.bincount(of.ravel(), -np.log(met.popularity), len(one)).astype(np.float64)
    shared = np.bincount(of.ravel(), minlength=len(one))
    return one, other, np.asarray(shared / np.maximum(met.times[one] + met.times[other] - shared, 1), np.float64)


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """For each person asked for, whom they most likely know.

    Args:
        by: how meetings count.

    Raises:
        ParameterError: another word.

    Source:
        D. Crandall et al., "Inferring social ties from geographic coincidences", PNAS 107(52), 2010; popularity of places
        as in J. Cranshaw et al., "Bridging the gap between physical location and online social networks", UbiComp 2010.
    """

    attack: ClassVar[str] = "acquaintance"
    by: Weighing = "rare places"

    def __post_init__(self) -> None:
        if self.by not in get_args(Weighing):
            raise ParameterError(
                "Meetings count by one of {words}; got {by!r}.",
                "choose one of them.",
                words=", ".join(get_args(Weighing)),
                by=self.by,
            )

    def guess(self, view: Meetings, knowledge: IntArray, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 codes; equal scores are drawn; -1: somebody who met nobody. `knowledge` is who is asked for."""
        one, other, score = scores(view, self.by)
        who, whom = np.concatenate([one, other]), np.concatenate([other, one])
        both = np.concatenate([score, score])
        order = np.lexsort((rng.random(len(who)), -both, who))
        first = order[np.flatnonzero(np.diff(who[order], prepend=-1))]
        out = np.full(view.persons, -1, np.int64)
        out[who[first]] = whom[first]
        return out[knowledge]
