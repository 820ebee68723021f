"""What is released of protected traces: rows in an order that says nothing, under names that say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.noise.permutation import permutation
from sfumato.recipe.columns import Clocks, Coded
from sfumato.release.traces.plan import names_of
from sfumato.summary.fixes import FixesOf
from sfumato.table.clock import offsets
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from sfumato.document.traces import Persons, TracesTable
    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.table.clock import Written
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows as they are released, in that order: by number and time; by time and place where no person is told.

    Args:
        persons: how persons are told.
        names: of the column of persons, where it is kept.
        person: (n,) int64 number of each row's person from 1 on; place in `names` where they are kept; 0 where dropped.
        origin: (n,) int64 person of the original, for measuring only.
        time: (n,) int64 milliseconds since 1970.
        latitude: (n,) float64 degrees.
        longitude: (n,) float64 degrees.
    """

    persons: Persons
    names: tuple[str, ...]
    person: IntArray
    origin: IntArray
    time: IntArray
    latitude: FloatArray
    longitude: FloatArray

    def columns(self, said: TracesTable) -> dict[str, Cells]:
        """The columns of the released table."""
        _, time, latitude, longitude = names_of(said)
        out: dict[str, Cells] = {}
        if self.persons == "kept":
            out[said.person] = Coded(self.names, self.person)
        elif self.persons != "dropped":
            out[said.person] = self.person
        return out | {
            time: _times(self.time, said.zone, said.written),
            latitude: self.latitude,
            longitude: self.longitude,
        }

    def are(self, others: Rows) -> bool:
        """Whether others, in any order, are the same rows."""
        mine = (self.person, self.time, self.latitude, self.longitude)
        theirs = (others.person, others.time, others.latitude, others.longitude)
        if len(mine[0]) != len(theirs[0]):
            return False
        if all(map(np.array_equal, mine, theirs)):
            return True
        order = np.lexsort(theirs[::-1])
        return all(np.array_equal(one, other[order]) for one, other in zip(mine, theirs, strict=True))

    def traces(self, zone: str) -> Traces:
        """As an intruder sees them: by what stands in the column of persons."""
        names, first = (self.names, 0) if self.persons == "kept" else (_counted(int(self.person.max())), 1)
        return Traces(zone, names, self.person - first, self.time, self.latitude, self.longitude)

    def of(self, chosen: BoolArray) -> Rows:
        """Those of some persons of the original, who are told by (persons,) bool."""
        at = chosen[self.origin]
        place = self.latitude[at], self.longitude[at]
        return Rows(self.persons, self.names, self.person[at], self.origin[at], self.time[at], *place)

    def of_origin(self, zone: str, names: tuple[str, ...]) -> Traces:
        """By persons of the original, each fix once, for measuring only."""
        order = np.lexsort((self.time, self.origin))
        who, time = self.origin[order], self.time[order]
        first = np.ones(len(order), bool)
        first[1:] = (np.diff(who) > 0) | (np.diff(time) > 0)
        return Traces(zone, names, who[first], time[first], self.latitude[order][first], self.longitude[order][first])

    @property
    def truth(self) -> IntArray:
        """(numbers,) int64: the person of the original of each number."""
        out = np.zeros(int(self.person.max(initial=0)) + 1, np.int64)
        out[self.person] = self.origin
        return out if self.persons == "kept" else out[1:]


def _counted(n: int) -> tuple[str, ...]:
    """Numbers from 1 on as texts."""
    return tuple(map(str, range(1, n + 1)))


def read_rows(engine: Engine[Any], table: Any, said: TracesTable, rows: Rows) -> Rows | None:
    """Rows of a released table; None where it has other persons than some rows, or cells that are none.

    Args:
        engine: where the table is.
        table: as the engine holds it.
        said: [traces].
        rows: what was decided.
    """
    told = rows.persons != "dropped"
    person, time, latitude, longitude = names_of(said)
    found = engine.summarize(table, FixesOf(person if told else time, time, latitude, longitude))
    moments = found.moments(said.zone, said.written)
    names = rows.names if rows.persons == "kept" else ("", *_counted(int(rows.person.max(initial=0))))
    code = {name: place for place, name in enumerate(names)}
    codes = np.array([*(code.get(name, -1) for name in found.persons), -1], np.int64)
    number = codes[found.person] if told else np.zeros(len(found.person), np.int64)
    if not moments.is_read.all() or (number < 0).any():
        return None
    return Rows(rows.persons, rows.names, number, rows.origin, moments.time, found.latitude, found.longitude)


def rows_of(traces: Traces, piece: IntArray, persons: Persons, written: Written, *, bits: Bits) -> Rows:
    """Number persons, or pieces, in secret random order, and sort by number and time.

    Args:
        traces: protected.
        piece: (n,) int64 piece of each fix.
        persons: how persons are told.
        written: how times are; of fixes of a person in one second the first is released where they are seconds.
        bits: secret chance.
    """
    unit = unit_of(written)
    time = traces.time // unit * unit
    number = _numbers(traces, piece, persons, bits)
    keys = (traces.longitude, traces.latitude, time) if persons == "dropped" else (traces.time, number)
    order = np.lexsort(keys)
    if unit > 1 and persons != "dropped":
        again = (np.diff(number[order], prepend=-1) == 0) & (np.diff(time[order], prepend=-1) == 0)
        order = order[~again]
    place = traces.latitude[order], traces.longitude[order]
    return Rows(persons, traces.persons, number[order], traces.person[order], time[order], *place)


def _numbers(traces: Traces, piece: IntArray, persons: Persons, bits: Bits) -> IntArray:
    """(n,) int64: the number of each fix's person, drawn anew."""
    if persons == "kept":
        return traces.person
    if persons == "dropped" or not len(traces):
        return np.zeros(len(traces), np.int64)
    group = piece if persons == "renamed-by-piece" else traces.person
    found, of = np.unique(group, return_inverse=True)
    return np.asarray(permutation(len(found), bits=bits)[of.ravel()] + 1, np.int64)


def unit_of(written: Written) -> int:
    """Milliseconds in which times are told."""
    return 1000 if written == "seconds" else 1


def _times(time: IntArray, zone: str, written: Written) -> Cells:
    """Times as they are written: numbers as numbers, texts with their offset."""
    if written in {"seconds", "milliseconds"}:
        return time // unit_of(written)
    return Clocks(time, offsets(time, zone) if written == "local" else np.zeros(len(time), np.int64))
