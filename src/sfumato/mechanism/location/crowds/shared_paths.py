"""Whole traces of k persons become one: a sequence of boxes, in each of which each of them was.

Persons whose ways are near each other in space and time are grouped. Within a group, time is cut into intervals, and each
interval becomes the smallest box that covers the group. Where somebody of the group was not seen, or where the box would
be too wide or too long, the fixes are suppressed. The cuts are the best ones of all (dynamic programming); the groups are
a heuristic. All persons of a group publish the same record, so every box of it is true of at least k persons.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.grouping.blocks import in_blocks
from sfumato.mechanism.location.crowds.boxes import Boxes
from sfumato.mechanism.location.crowds.ways import ways
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.location.crowds.presence import Presence
    from sfumato.types import IntArray

PAYS_FROM = 20_000
"""Entries from which compiling is worth its time."""
_AT_ONCE = 200_000
"""Entries that are cut between two words of progress, about."""


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What was decided.

    Args:
        boxes: records of all persons who keep one.
        group: (persons,) int64 group of each person of the presence, by code; -1: nothing of the person is published.
        dropped_persons: persons of whom nothing is published.
        suppressed: entries of the presence that no box covers.
        cost: Σ over entries of ½ share of the widest box + ½ share of the longest time, 1 for a suppressed one.
    """

    boxes: Boxes
    group: IntArray
    dropped_persons: int
    suppressed: int
    cost: float


@dataclass(frozen=True, slots=True)
class SharedPaths:
    """Records that k persons share.

    Args:
        k: persons who share a record at least, >= 2.
        metres: most that a box is wider and higher than a cell, together, > 0.
        seconds: most that a box lasts longer than a slot, > 0.
        rows_at_once: persons compared with each other at most, >= 4k.

    Raises:
        ParameterError: other numbers.

    Source:
        The aim is that of M. Gramaglia, M. Fiore, "Hiding mobile traffic fingerprints with GLOVE", CoNEXT 2015; they merge
        two records at a time, here a group is cut at once.

    Example:
        >>> from sfumato.mechanism.location.crowds.presence import Presence
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.0, 4.8), metres=100, rows=50, columns=50)
        >>> two = np.repeat([0, 1], 2), np.array([0, 5, 1, 5]), np.array([3, 9, 3, 9]), np.array([4, 7, 5, 7])
        >>> shared = SharedPaths(k=2, metres=500, seconds=3600).decide(Presence(region, 600, *two), lambda done: None)
        >>> shared.boxes.sides[shared.boxes.person == 0].tolist(), shared.suppressed
        ([[0, 1, 3, 3, 4, 5], [5, 5, 9, 9, 7, 7]], 0)
    """

    k: int
    metres: float
    seconds: float
    rows_at_once: int = 2000

    def __post_init__(self) -> None:
        if self.k < 2 or not (0 < self.metres < np.inf and 0 < self.seconds < np.inf) or self.rows_at_once < 4 * self.k:
            raise ParameterError(
                "A crowd must have at least 2 persons, boxes a size above 0, and 4k persons must be compared at once; got "
                "k = {k}, {metres} metres, {seconds} seconds, {rows} persons at once.",
                "such as k = 5, 2000 metres, 7200 seconds and 2000 persons.",
                k=self.k,
                metres=self.metres,
                seconds=self.seconds,
                rows=self.rows_at_once,
            )

    def decide(self, presence: Presence, tick: Callable[[int], None]) -> Shared:
        """Group persons and cut their time.

        Args:
            presence: who was where.
            tick: told how many persons have a group; it may raise to stop the work.

        Raises:
            ParameterError: fewer than k persons. Remedy: a smaller k.
        """
        codes, member = np.unique(presence.person, return_inverse=True)
        if len(codes) < self.k:
            raise ParameterError(
                "A crowd of {k} needs as many persons; the traces have too few.", "choose a smaller k.", k=self.k
            )
        near = ways(presence.traces(), presence.region.plane, self.metres, self.seconds)
        groups = in_blocks(near, self.k, self.rows_at_once, tick)[0]
        return self._cut(presence, codes, (member, groups), tick)

    def _cut(
        self, presence: Presence, codes: IntArray, crowds: tuple[IntArray, IntArray], tick: Callable[[int], None]
    ) -> Shared:
        """The best intervals of each group, as records of its persons."""
        member, groups = crowds
        of = groups[member]
        order = np.lexsort((member, presence.slot, of))
        sizes, cells = np.bincount(groups), (presence.slot, presence.row, presence.column)
        starts = np.searchsorted(of[order], np.arange(len(sizes) + 1))
        within = np.argsort(np.argsort(groups, kind="stable"), kind="stable")  # place of each person in its group
        within -= np.concatenate([[0], np.cumsum(sizes)[:-1]])[groups]
        limits = (self.metres / float(presence.region.side), self.seconds / presence.seconds)
        arrays = [part[order] for part in (*cells, within[member])]
        sides, ends = np.empty((len(order), 6), np.int64), np.full(len(order), -1, np.int64)
        cost = np.zeros(len(sizes))
        loop: Callable[..., None] = compiled(_cut_loop) if pays(len(order), PAYS_FROM) else _cut_loop
        for begin, end in _parts(starts):
            loop(starts[begin : end + 1], sizes[begin:end], *arrays, *limits, sides, ends, cost[begin:end])
            tick(int(sizes[:end].sum()))
        begins = np.flatnonzero(ends >= 0)
        covered = int((ends[begins] - begins).sum())
        per_group = np.bincount(of[order][begins], minlength=len(sizes))
        is_kept = per_group[groups] > 0
        record = _records(groups, is_kept, per_group)
        boxes = Boxes(presence.region, presence.seconds, codes[record[0]], sides[begins][record[1]])
        by_code = np.full(int(codes.max()) + 1, -1, np.int64)
        by_code[codes[is_kept]] = groups[is_kept]
        return Shared(boxes, by_code, int((~is_kept).sum()), len(order) - covered, float(cost.sum()))


def _parts(starts: IntArray) -> list[tuple[int, int]]:
    """Groups that are cut at once: some hundred thousand entries, so that progress is told and work can be stopped."""
    ends = np.searchsorted(starts, np.arange(_AT_ONCE, starts[-1] + _AT_ONCE, _AT_ONCE), "left")
    marks = distinct(np.append(0, np.minimum(ends, len(starts) - 1))).tolist()
    return list(pairwise(marks))


def _records(groups: IntArray, is_kept: Any, per_group: IntArray) -> tuple[IntArray, IntArray]:
    """Person and number of the box for each line of all records."""
    persons = np.flatnonzero(is_kept)
    length = per_group[groups[persons]]
    first = np.concatenate([[0], np.cumsum(per_group)])[groups[persons]]
    begin = np.repeat(np.cumsum(length) - length, length)
    return np.repeat(persons, length), np.repeat(first, length) + np.arange(int(length.sum())) - begin


def _cut_loop(  # noqa: C901, PLR0912, PLR0913, PLR0917 - one loop, as compilers like it
    starts: Any,
    sizes: Any,
    slot: Any,
    row: Any,
    column: Any,
    member: Any,
    widest: Any,
    longest: Any,
    sides: Any,
    ends: Any,
    cost: Any,
) -> None:
    """For each group the cheapest partition of its slots into boxes with all members and suppressed slots.

    `least[i]` is the cost of the entries before i, `back[i]` where the last part before i begins, negative (-1 - start) if
    it is suppressed. A box's `sides` and its end stand at the entry with which it begins.
    """
    for g in range(len(sizes)):
        a, b = starts[g], starts[g + 1]
        n = b - a
        least, back = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
        seen = np.full(sizes[g], -1, np.int64)
        least[0] = 0.0
        for i in range(n):
            if i > 0 and slot[a + i] == slot[a + i - 1]:
                continue
            south, north, west, east, present, is_alone = row[a + i], row[a + i], column[a + i], column[a + i], 0, True
            for j in range(i, n):
                at = a + j
                if slot[at] - slot[a + i] > longest:
                    break
                south, north = min(south, row[at]), max(north, row[at])
                west, east = min(west, column[at]), max(east, column[at])
                if seen[member[at]] != i:
                    seen[member[at]] = i
                    present += 1
                if j + 1 < n and slot[at + 1] == slot[at]:
                    continue
                if is_alone:
                    is_alone = False
                    if least[i] + (j + 1 - i) < least[j + 1]:
                        least[j + 1], back[j + 1] = least[i] + (j + 1 - i), -1 - i
                wide = north - south + east - west
                if wide > widest:
                    break
                if present == sizes[g]:
                    price = (j + 1 - i) * (0.5 * wide / widest + 0.5 * (slot[at] - slot[a + i]) / longest)
                    if least[i] + price <= least[j + 1]:
                        least[j + 1], back[j + 1] = least[i] + price, i
        cost[g] = least[n]
        j = n
        while j > 0:
            i = back[j]
            if i < 0:
                j = -1 - i
                continue
            sides[a + i, 0], sides[a + i, 1] = slot[a + i], slot[a + j - 1]
            sides[a + i, 2], sides[a + i, 3] = row[a + i : a + j].min(), row[a + i : a + j].max()
            sides[a + i, 4], sides[a + i, 5] = column[a + i : a + j].min(), column[a + i : a + j].max()
            ends[a + i] = a + j
            j = i
