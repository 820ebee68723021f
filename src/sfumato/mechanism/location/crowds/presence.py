"""Who was in which cell in which slot of time: what crowds are counted on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """Each person, slot and cell once, sorted in this order.

    Args:
        region: whose cells they are.
        seconds: of a slot; slot 0 begins with 1970 UTC.
        person: (n,) int64 codes.
        slot: (n,) int64.
        row: (n,) int64, of the cell, from the south.
        column: (n,) int64, from the west.
    """

    region: Region
    seconds: int
    person: IntArray
    slot: IntArray
    row: IntArray
    column: IntArray

    def __len__(self) -> int:
        return len(self.person)

    @property
    def first(self) -> BoolArray:
        """(n,) bool: the first cell of each person in each slot."""
        return np.asarray((np.diff(self.person, prepend=-1) != 0) | (np.diff(self.slot, prepend=0) != 0))

    def traces(self) -> Traces:
        """Fixes in the centers of cells, of each slot the first cell; persons are numbered anew, in their order."""
        once = self.first
        names, person = np.unique(self.person[once], return_inverse=True)
        place = self.region.centers_of(np.stack([self.row[once], self.column[once]], axis=1))
        time = self.slot[once] * (self.seconds * 1000)
        return Traces("UTC", tuple(map(str, names.tolist())), person.astype(np.int64), time, *place)

    def kept(self, which: BoolArray | IntArray) -> Presence:
        """Some of them, in their order."""
        part = (self.person[which], self.slot[which], self.row[which], self.column[which])
        return Presence(self.region, self.seconds, *part)


def presence(traces: Traces, region: Region, seconds: int) -> tuple[Presence, int]:
    """Cells and slots of fixes, and how many fixes lie outside the region, which are left out.

    Args:
        traces: sorted fixes.
        region: declared cells.
        seconds: of a slot, >= 1.

    Raises:
        ParameterError: no slot. Remedy: such as 1800 seconds.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> fixes = Traces("UTC", ("a",), np.zeros(3, int), np.array([0, 1, 60_000]), np.full(3, 45.001), np.full(3, 4.801))
        >>> there, outside = presence(fixes, Region(Plane(45.0, 4.8), metres=100, rows=9, columns=9), 60)
        >>> there.slot.tolist(), there.row.tolist(), there.column.tolist(), outside
        ([0, 1], [1, 1], [0, 0], 0)
    """
    if seconds < 1:
        raise ParameterError(
            "A slot must last at least 1 second; got {seconds}.", "such as 1800 seconds.", seconds=seconds
        )
    is_inside = region.holds(traces.latitude, traces.longitude)
    inside = traces.kept(is_inside)
    row, column = region.cells_of(inside.latitude, inside.longitude).T
    slot = inside.time // (seconds * 1000)
    order = np.lexsort((column, row, slot, inside.person))
    keys = np.stack([inside.person, slot, row, column])[:, order]
    first = np.ones(keys.shape[1], bool)
    first[1:] = (np.diff(keys, axis=1) != 0).any(axis=0)
    return Presence(region, seconds, *keys[:, first]), int((~is_inside).sum())


def counted_persons(block: IntArray, person: IntArray) -> IntArray:
    """(n,) int64: how many different persons share the block of each entry.

    Args:
        block: (n,) int64, any codes.
        person: (n,) int64 codes >= 0.

    Example:
        >>> counted_persons(np.array([7, 7, 7, 9]), np.array([0, 0, 1, 1])).tolist()
        [2, 2, 2, 1]
    """
    _, code = np.unique(block, return_inverse=True)
    width = int(person.max(initial=0)) + 1
    pairs = distinct(code.astype(np.int64) * width + person)
    return np.bincount(pairs // width)[code] if len(pairs) else np.zeros(0, np.int64)
