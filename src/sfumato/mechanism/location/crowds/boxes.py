"""Boxes of whole cells and slots: what is published of crowds, and how many persons share it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Records of persons, each a sequence of boxes; ends are included.

    Args:
        region: whose cells they are.
        seconds: of a slot.
        person: (n,) int64 whose record a box belongs to, rising.
        sides: (n, 6) int64 first and last slot, first and last row, first and last column.
    """

    region: Region
    seconds: int
    person: IntArray
    sides: IntArray

    def __len__(self) -> int:
        return len(self.person)

    @property
    def metres(self) -> FloatArray:
        """(n,) float64 length of each box's longer side."""
        cells = np.maximum(self.sides[:, 3] - self.sides[:, 2], self.sides[:, 5] - self.sides[:, 4]) + 1
        return np.asarray(cells * float(self.region.side))

    @property
    def duration(self) -> IntArray:
        """(n,) int64 seconds that each box lasts."""
        return (self.sides[:, 1] - self.sides[:, 0] + 1) * self.seconds

    def corners(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """South, west, north and east of each box in degrees."""
        side = float(self.region.side)
        ends = (self.sides + np.array([0, 0, 0, 1, 0, 1])).astype(np.float64) * side
        south, west = self.region.plane.degrees_of(ends[:, 4], ends[:, 2])
        north, east = self.region.plane.degrees_of(ends[:, 5], ends[:, 3])
        return south, west, north, east


def sharing(boxes: Boxes) -> IntArray:
    """(persons,) int64: how many persons have the very same record as each person with one, in the order of codes.

    The smallest of them is k: whoever knows any part of a record finds at least k persons who have it.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> one, two = [0, 1, 3, 3, 4, 4], [0, 0, 3, 3, 4, 4]
        >>> region = Region(Plane(45.0, 4.8), metres=100, rows=9, columns=9)
        >>> sharing(Boxes(region, 60, np.array([0, 1, 2]), np.array([one, one, two]))).tolist()
        [2, 2, 1]
    """
    order = np.lexsort((*boxes.sides.T[::-1], boxes.person))
    return alike(boxes.person[order], *boxes.sides[order].T)


def alike(person: IntArray, *columns: FloatArray | IntArray) -> IntArray:
    """(persons,) int64: how many persons have the very same lines as each person with any, in the order of codes.

    Args:
        person: (n,) int64 codes, rising.
        columns: (n,) what a line holds, each; lines of a person are compared in the order given.

    Example:
        >>> alike(np.array([0, 0, 1, 1, 2]), np.array([5, 7, 5, 7, 5])).tolist()
        [2, 2, 1]
    """
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    ends = np.append(starts, len(person))[1:]
    parts = [np.ascontiguousarray(column) for column in columns]
    records = [
        tuple(part[a:b].tobytes() for part in parts) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    count = Counter(records)
    return np.array([count[one] for one in records], np.int64)
