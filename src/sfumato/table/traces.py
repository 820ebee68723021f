"""Traces: where persons were, sorted by person and time, with what was wrong with their fixes told by counts.

Everything between two fixes (a step, a speed, a stay) is between two fixes of one person: nothing crosses from the last
fix of one person to the first of the next.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, SchemaError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.clock import DAY, checked_zone, local
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from sfumato.table.clock import Moments
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """Fixes sorted by person and time; a person has one fix at a time.

    Args:
        zone: IANA name of the time zone in which the persons live; what is night is decided by it.
        persons: names, one for each code.
        person: (n,) int64 code of the person, rising.
        time: (n,) int64 milliseconds since 1970 UTC, strictly rising within a person.
        latitude: (n,) float64 degrees within ±90.
        longitude: (n,) float64 degrees within ±180.

    Raises:
        ParameterError: no zone, or arrays that break these rules. Remedy: `traces_from`, which sorts and counts.

    Example:
        >>> one = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1000]), np.zeros(2), np.array([0.0, 0.001]))
        >>> one.steps()[0].round(1).tolist(), one.starts.tolist()
        ([111.2], [0, 2])
    """

    zone: str
    persons: tuple[str, ...]
    person: IntArray
    time: IntArray
    latitude: FloatArray
    longitude: FloatArray

    def __post_init__(self) -> None:
        checked_zone(self.zone)
        n = len(self.person)
        follows = (np.diff(self.person) > 0) | ((np.diff(self.person) == 0) & (np.diff(self.time) > 0))
        lengths = {len(self.time), len(self.latitude), len(self.longitude)}
        if (
            lengths != {n}
            or not follows.all()
            or (n and not 0 <= self.person[0] <= self.person[-1] < len(self.persons))
            or not is_place(self.latitude, self.longitude).all()
        ):
            raise ParameterError(
                "Fixes must be sorted by person and time, once for each person and time, at places of the Earth.",
                "make them with `traces_from`, which sorts them and counts what is wrong.",
            )

    def __len__(self) -> int:
        return len(self.person)

    @property
    def starts(self) -> IntArray:
        """(persons + 1,) int64: where the fixes of each person begin, and the end."""
        return np.searchsorted(self.person, np.arange(len(self.persons) + 1)).astype(np.int64)

    @property
    def clock(self) -> IntArray:
        """(n,) int64: what local clocks show, in milliseconds."""
        return local(self.time, self.zone)

    @property
    def week(self) -> IntArray:
        """(n,) int64: the week of each fix, from Monday to Sunday of local clocks.

        Example:
            >>> days = np.array([3, 4, 10, 11]) * DAY  # 1970-01-04 was a Sunday
            >>> Traces("UTC", ("a",), np.zeros(4, int), days, np.zeros(4), np.zeros(4)).week.tolist()
            [0, 1, 1, 2]
        """
        return np.asarray((self.clock + 3 * DAY) // (7 * DAY), np.int64)

    @property
    def same(self) -> BoolArray:
        """(n - 1,) bool: whether a fix and the next belong to one person."""
        return np.asarray(np.diff(self.person) == 0)

    def steps(self) -> tuple[FloatArray, FloatArray]:
        """Metres and seconds of each step between two fixes of one person, in order."""
        at = np.flatnonzero(self.same)
        lat, lon = self.latitude, self.longitude
        return distance(lat[at], lon[at], lat[at + 1], lon[at + 1]), (self.time[at + 1] - self.time[at]) / 1000

    def kept(self, which: BoolArray) -> Traces:
        """Some of the fixes; persons keep their codes."""
        place = self.latitude[which], self.longitude[which]
        return Traces(self.zone, self.persons, self.person[which], self.time[which], *place)

    def present(self) -> tuple[Traces, IntArray]:
        """The same fixes without persons who have none, and the old code of each person who is left.

        Example:
            >>> one = Traces("UTC", ("a", "b"), np.ones(1, int), np.zeros(1, int), np.zeros(1), np.zeros(1))
            >>> [part.persons if isinstance(part, Traces) else part.tolist() for part in one.present()]
            [('b',), [1]]
        """
        old = distinct(self.person)
        return self.only(old), old

    def only(self, persons: IntArray) -> Traces:
        """The traces of some persons, who are numbered from 0 in the order given.

        Args:
            persons: (k,) int64 rising codes.

        Example:
            >>> two = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.array([1.0, 2.0]), np.zeros(2))
            >>> two.only(np.array([1])).persons, two.only(np.array([1])).latitude.tolist()
            (('b',), [2.0])
        """
        some = self.kept(np.isin(self.person, persons))
        names = tuple(self.persons[i] for i in persons.tolist())
        return replace(some, persons=names, person=np.searchsorted(persons, some.person))


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What was wrong with the rows of a table of fixes, by counts; never a person, a place or a time.

    Args:
        rows: of the table.
        kept: fixes that are left.
        without_person: rows left out: nobody is named.
        without_time: rows left out: no time, or one that cannot be read.
        skipped_times: rows left out: a clock time that never was (the clock was put forward).
        twofold_times: rows kept at the first of two moments (the clock was put back).
        impossible_places: rows left out: no coordinates, or none of the Earth (such as both in the wrong order).
        at_zero: rows kept at exactly 0, 0, which devices report without a fix.
        repeated: rows left out: the same person, time and place again.
        contradicting: rows left out: the same person and time at another place; the most southern, then western, is kept.
        too_fast: steps between kept fixes of a person faster than the stated speed. None: no speed was stated.
    """

    rows: int
    kept: int
    without_person: int
    without_time: int
    skipped_times: int
    twofold_times: int
    impossible_places: int
    at_zero: int
    repeated: int
    contradicting: int
    too_fast: int | None


def is_place(latitude: FloatArray, longitude: FloatArray) -> BoolArray:
    """(n,) bool: whether degrees are those of a place.

    Example:
        >>> is_place(np.array([45.0, 121.5, np.nan]), np.array([4.8, 31.2, 0.0])).tolist()
        [True, False, False]
    """
    return np.asarray((np.abs(latitude) <= 90) & (np.abs(longitude) <= 180))


def traces_from(
    persons: tuple[str, ...],
    person: IntArray,
    moments: Moments,
    place: tuple[FloatArray, FloatArray],
    *,
    zone: str,
    fastest: float | None,
) -> tuple[Traces, Cleaning]:
    """Sorted traces of rows in any order, and what was wrong with the rows.

    Args:
        persons: names; a blank one is nobody's.
        person: (n,) int64 place in `persons`, -1: nobody.
        moments: when, of each row.
        place: latitudes and longitudes in degrees.
        zone: in which the persons live.
        fastest: metres per second above which a step is counted as too fast; None: none is.

    Raises:
        SchemaError: no row is left. Remedy: check columns, the order of coordinates and how times are written.
        ParameterError: no such zone, or a speed that is not above 0.

    Example:
        >>> from sfumato.table.clock import read_times
        >>> when = read_times(["1970-01-01 00:00:02", "1970-01-01 00:00:01", "soon"], "UTC", "utc")
        >>> traces, found = traces_from(("a",), np.zeros(3, int), when, (np.zeros(3), np.zeros(3)), zone="UTC", fastest=None)
        >>> traces.time.tolist(), found.without_time
        ([1000, 2000], 1)
    """
    if fastest is not None and not fastest > 0:
        raise ParameterError("`fastest` must be a speed above 0 in metres per second.", "such as 70, or leave it out.")
    latitude, longitude = place
    is_named = np.array([bool(name.strip()) for name in persons] + [False])
    named, timed, placed = is_named[person], moments.is_read, is_place(latitude, longitude)
    good = np.flatnonzero(named & timed & placed)
    if not len(good):
        raise SchemaError(
            "A table of traces must have a row with a person, a time and a place; none of its {rows} rows has.",
            "check the names of the columns, which coordinate comes first, and `written`.",
            rows=len(person),
        )
    order = good[_by_person_and_time(person[good], moments.time[good], latitude[good], longitude[good])]
    who, when, lat, lon = person[order], moments.time[order], latitude[order], longitude[order]
    again = np.zeros(len(order), bool)
    again[1:] = (np.diff(who) == 0) & (np.diff(when) == 0)
    equal = np.zeros(len(order), bool)
    equal[1:] = again[1:] & (np.diff(lat) == 0) & (np.diff(lon) == 0)
    who = who[~again]
    is_first = np.diff(who, prepend=-1) != 0
    names = tuple(persons[i] for i in who[is_first].tolist())
    traces = Traces(zone, names, np.cumsum(is_first, dtype=np.int64) - 1, when[~again], lat[~again], lon[~again])
    return traces, Cleaning(
        rows=len(person),
        kept=len(traces),
        without_person=int((~named).sum()),
        without_time=int((named & ~timed & ~moments.is_skipped).sum()),
        skipped_times=int((named & moments.is_skipped).sum()),
        twofold_times=int(moments.is_twofold[order[~again]].sum()),
        impossible_places=int((named & timed & ~placed).sum()),
        at_zero=int(((traces.latitude == 0) & (traces.longitude == 0)).sum()),
        repeated=int(equal.sum()),
        contradicting=int((again & ~equal).sum()),
        too_fast=None if fastest is None else _too_fast(traces, fastest),
    )


def _too_fast(traces: Traces, fastest: float) -> int:
    """Steps that are faster."""
    metres, seconds = traces.steps()
    return int((metres > fastest * seconds).sum())


def _by_person_and_time(person: IntArray, time: IntArray, latitude: FloatArray, longitude: FloatArray) -> IntArray:
    """The order of rows by person, time, latitude and longitude; most tables are nearly in it."""
    first = int(time.min())
    span = int(time.max()) - first + 1
    if span * (int(person.max()) + 1) >= 2**62:
        return np.lexsort((longitude, latitude, time, person))
    key = person * span + (time - first)
    order = np.arange(len(key)) if (key[1:] > key[:-1]).all() else np.argsort(key, kind="stable")
    tie = np.zeros(len(order), bool)
    tie[1:] = np.diff(key[order]) == 0
    tie[:-1] |= tie[1:]
    at = order[tie]
    order[tie] = at[np.lexsort((longitude[at], latitude[at], key[at]))]
    return order


def pieces(traces: Traces, gap: float, *, by_day: bool = True) -> IntArray:
    """(n,) int64, rising from 0: the piece of each fix; a new one begins with a person, a local day, or after a gap.

    Args:
        traces: sorted fixes.
        gap: seconds; infinite: gaps do not matter.
        by_day: whether days matter.

    Example:
        >>> hours = np.array([22, 23, 24, 29]) * 3_600_000
        >>> pieces(Traces("UTC", ("a",), np.zeros(4, int), hours, np.zeros(4), np.zeros(4)), gap=2 * 3600).tolist()
        [0, 0, 1, 2]
    """
    begins = ~traces.same | (np.diff(traces.time) > gap * 1000)
    if by_day:
        begins |= np.diff(traces.clock // DAY) != 0
    return np.concatenate([np.zeros(min(len(traces), 1), np.int64), np.cumsum(begins, dtype=np.int64)])


def positions_at(traces: Traces, person: IntArray, time: IntArray) -> tuple[FloatArray, FloatArray]:
    """Latitude and longitude of persons at times: between two fixes on the line between them, in degrees.

    Before the first fix of a person and after the last, there.

    Args:
        traces: where persons were; each of `person` has a fix.
        person: (n,) int64 codes.
        time: (n,) int64 milliseconds.

    Example:
        >>> way = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1000]), np.array([45.0, 46.0]), np.zeros(2))
        >>> positions_at(way, np.zeros(2, int), np.array([250, 5000]))[0].tolist()
        [45.25, 46.0]
    """
    n = len(traces)
    asked = np.repeat([0, 1], [n, len(person)])
    order = np.lexsort((asked, np.append(traces.time, time), np.append(traces.person, person)))
    before = np.empty(n + len(person), np.int64)
    before[order] = np.cumsum(asked[order] == 0) - 1
    starts = traces.starts
    last = np.clip(before[n:], starts[person], starts[person + 1] - 1)
    following = np.minimum(last + 1, starts[person + 1] - 1)
    span = np.maximum(traces.time[following] - traces.time[last], 1)
    share = np.clip((time - traces.time[last]) / span, 0.0, 1.0)
    turn = (traces.longitude[following] - traces.longitude[last] + 180) % 360 - 180
    latitude = traces.latitude[last] + share * (traces.latitude[following] - traces.latitude[last])
    return latitude, (traces.longitude[last] + share * turn + 180) % 360 - 180
