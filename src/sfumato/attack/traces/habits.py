"""Home and work: where somebody is at night, and where on the days of work.

The hours are those of local clocks, by the declared time zone: night elsewhere is noon here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.clock import local

if TYPE_CHECKING:
    from sfumato.table.hours import Hours
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """How long, or how often, persons were at places by night and at work.

    Args:
        persons: how many; codes are below.
        person: (n,) int64 codes, one line for each time at a place.
        place: (n,) int64 codes of places, from 0.
        night: (n,) float64 seconds, or 1 for a fix; 0: not by night.
        work: (n,) float64.
        point: (places, d) float64 where each place is, in metres.
    """

    persons: int
    person: IntArray
    place: IntArray
    night: FloatArray
    work: FloatArray
    point: FloatArray


def presence_at(
    traces: Traces, ends: tuple[IntArray, IntArray], place: IntArray, point: FloatArray, hours: tuple[Hours, Hours]
) -> Presence:
    """Times at places, from fixes of traces.

    Args:
        traces: of all persons.
        ends: (n,) int64 the first and the last fix of each time at a place. Where they are one fix, it counts 1.
        place: (n,) int64 codes; -1: at none, left out.
        point: where each place is.
        hours: of night and of work.
    """
    first, last = (fix[place >= 0] for fix in ends)
    begin, end = (local(traces.time[fix], traces.zone) for fix in (first, last))
    both = [np.where(first == last, one.inside(begin), one.within(begin, end)).astype(np.float64) for one in hours]
    return Presence(len(traces.persons), traces.person[first], place[place >= 0], both[0], both[1], point)


@dataclass(frozen=True, slots=True)
class HomeAndWork:
    """The place where a person is most at night, and the one where the person is most during work that is not home."""

    attack: ClassVar[str] = "home and work"

    def guess(self, view: Presence, _knowledge: None, _rng: np.random.Generator, /) -> FloatArray:
        """(2, persons, d) float64: homes and places of work; NaN where there is none."""
        home = _most(view, view.night)
        at_home = view.place == home[view.person]
        work = _most(view, np.where(at_home, 0.0, view.work))
        out = np.full((2, view.persons, view.point.shape[1]), np.nan)
        for i, chosen in enumerate((home, work)):
            out[i, chosen >= 0] = view.point[chosen[chosen >= 0]]
        return out


def _most(view: Presence, weight: FloatArray) -> IntArray:
    """(persons,) int64: the place of most weight, the lower code of equal ones; -1: none has any."""
    key, of = np.unique(np.stack([view.person, view.place]), axis=1, return_inverse=True)
    total = np.bincount(of.ravel(), weight, key.shape[1])
    order = np.lexsort((key[1], -total, key[0]))
    first = order[np.flatnonzero(np.diff(key[0][order], prepend=-1))]
    out = np.full(view.persons, -1, np.int64)
    good = first[total[first] > 0]
    out[key[0][good]] = key[1][good]
    return out


def found_near(guess: FloatArray, truth: FloatArray, metres: float) -> BoolArray:
    """(n,) bool: whether guessed points are near the true ones; a point that is NaN is never near.

    Example:
        >>> found_near(np.array([[0.0], [np.nan]]), np.array([[5.0], [5.0]]), 10).tolist()
        [True, False]
    """
    return np.asarray(np.linalg.norm(guess - truth, axis=1) <= metres)
