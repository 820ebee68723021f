"""Mix zones: nothing is seen inside, and whoever meets k others there comes out under another name.

A name changes only if k persons who change theirs are in the zone together; who passes alone keeps the name, as everybody
would recognise them. What an observer still knows is not log₂ k: entry and exit times say who is who. Measure it with
`attack.traces.matchings` on `meetings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.permutation import permutation
from sfumato.numbers.distinct import distinct
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Passings:
    """Ways through zones, from a fix before to a fix after.

    Args:
        person: (p,) int64 who.
        zone: (p,) int64 which.
        entered: (p,) int64 milliseconds of the last fix before the zone.
        left: (p,) int64 milliseconds of the first fix after it.
        changes: (p,) bool, whether the name changes.
    """

    person: IntArray
    zone: IntArray
    entered: IntArray
    left: IntArray
    changes: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """What comes out.

    Args:
        traces: fixes outside all zones, under names that are numbers in a random order.
        owner: (names,) int64 person of each name: never published.
        passings: ways through zones: never published, for measures.
        hidden: fixes inside zones, which are not published.
    """

    traces: Traces
    owner: IntArray
    passings: Passings
    hidden: int


@dataclass(frozen=True, slots=True, eq=False)
class MixZones:
    """Zones of declared cells.

    Args:
        region: whose cells they are.
        zone: (rows, columns) int64 number of the zone of each cell; -1: in none.
        k: persons who change their names together at least, >= 2.

    Raises:
        ParameterError: zones of other cells, or no crowd.

    Source:
        A. R. Beresford, F. Stajano, "Location privacy in pervasive computing", IEEE Pervasive Computing 2, 2003.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.testing.seeded_bits import SeededBits
        >>> region = Region(Plane(45.0, 4.8), metres=1000, rows=1, columns=3)
        >>> west_to_east = np.array([4.805, 4.818, 4.830])
        >>> lon, time = np.concatenate([west_to_east, west_to_east[::-1]]), np.array([0, 60, 120, 0, 60, 120]) * 1000
        >>> two = Traces("UTC", ("ann", "bob"), np.repeat([0, 1], 3), time, np.full(6, 45.005), lon)
        >>> mixed = MixZones(region, np.array([[-1, 0, -1]]), k=2).passed(two, bits=SeededBits(1))
        >>> len(mixed.traces.persons), mixed.hidden
        (4, 2)
    """

    region: Region
    zone: IntArray
    k: int

    def __post_init__(self) -> None:
        if self.zone.shape != (self.region.rows, self.region.columns):
            raise ParameterError("Every cell of the region must have a zone, or -1.", "give one number for each cell.")
        if self.k < 2:
            raise ParameterError("A mix zone needs at least 2 persons; got k = {k}.", "such as 5.", k=self.k)

    def passed(self, traces: Traces, *, bits: Bits) -> Mixed:
        """Hide what is inside, change names of those who meet.

        Args:
            traces: sorted fixes.
            bits: chance for the order of the new names.
        """
        at = self._zones_of(traces)
        inside = at >= 0
        passings, exits = _passings(traces, at, self.k)
        begins = np.concatenate([np.ones(min(len(traces), 1), bool), ~traces.same])
        begins[exits[passings.changes]] = True
        stretch = np.cumsum(begins) - 1
        left = stretch[~inside]
        _, name = np.unique(left, return_inverse=True)
        count = int(name.max(initial=-1)) + 1
        shuffled = permutation(count, bits=bits)[name.astype(np.int64)]
        kept = traces.kept(~inside)
        order = np.lexsort((kept.time, shuffled))
        names = tuple(str(i) for i in range(count))
        place = (kept.latitude[order], kept.longitude[order])
        owner = np.empty(count, np.int64)
        owner[shuffled] = kept.person
        renamed = Traces(traces.zone, names, shuffled[order], kept.time[order], *place)
        return Mixed(renamed, owner, passings, int(inside.sum()))

    def _zones_of(self, traces: Traces) -> IntArray:
        """(n,) int64 zone of each fix; -1: in none."""
        cells = self.region.cells_of(traces.latitude, traces.longitude)
        found = self.zone[cells[:, 0], cells[:, 1]]
        return np.where(self.region.holds(traces.latitude, traces.longitude), found, -1)


def meetings(passings: Passings) -> list[tuple[IntArray, IntArray]]:
    """Entry and exit times of those who change names and could be taken for each other, one pair of arrays a meeting.

    Two passings of a zone belong together if somebody who changes is inside during the whole time between them.
    """
    which = np.flatnonzero(passings.changes)
    order = which[np.lexsort((passings.entered[which], passings.zone[which]))]
    zone, entered, left = passings.zone[order], passings.entered[order], passings.left[order]
    out: list[tuple[IntArray, IntArray]] = []
    begin, end = 0, 0
    for i in range(len(order)):
        if i > begin and (zone[i] != zone[begin] or entered[i] > end):
            out.append((entered[begin:i], left[begin:i]))
            begin = i
        end = int(left[i]) if i == begin else max(end, int(left[i]))
    return [*out, (entered[begin:], left[begin:])] if len(order) else out


def _passings(traces: Traces, at: IntArray, k: int) -> tuple[Passings, IntArray]:
    """Ways through zones, and the fix after each."""
    n = len(traces)
    breaks = np.flatnonzero(~traces.same | (np.diff(at) != 0)) + 1
    begin = np.concatenate([np.zeros(min(n, 1), np.int64), breaks])
    end = np.append(breaks, n) if n else breaks
    inside = (at[begin] >= 0) & (begin > 0) & (end < n)
    begin, end = begin[inside], end[inside]
    whole = (traces.person[begin - 1] == traces.person[begin]) & (traces.person[end] == traces.person[begin])
    whole &= (at[begin - 1] < 0) & (at[end] < 0)  # from outside to outside, where an observer sees
    begin, end = begin[whole], end[whole]
    zone, entered, left = at[begin], traces.time[begin - 1], traces.time[end]
    changes = _together(zone, entered, left, k)
    return Passings(traces.person[begin], zone, entered, left, changes), end


def _together(zone: IntArray, entered: IntArray, left: IntArray, k: int) -> BoolArray:
    """(p,) bool: who is inside with k - 1 others of whom this is true too: the largest such set."""
    stays = np.ones(len(zone), bool)
    while True:
        count = np.zeros(len(zone), np.int64)
        for one in distinct(zone[stays]).tolist():
            here = np.flatnonzero(stays & (zone == one))
            came, went = np.sort(entered[here]), np.sort(left[here])
            count[here] = np.searchsorted(came, left[here], "right") - np.searchsorted(went, entered[here], "left")
        fewer = stays & (count >= k)
        if np.array_equal(fewer, stays):
            return stays
        stays = fewer
