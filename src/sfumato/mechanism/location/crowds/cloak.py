"""Each position in a box with its crowd: at least k persons are in the box while it is published.

Three ways. `by_quadtree` halves the region while crowds stay; `by_hilbert` puts persons in a row along a curve that fills
the region and takes k after k; `by_delay` keeps cells as they are and waits until k persons were there.

A box of k persons is not yet a crowd. If the persons who are *shown* by it are fewer, whoever knows where all are finds
them among these few. So a box counts only the persons who are shown by it (reciprocity); the quadtree as it was published
counts everybody inside, and `reciprocal=False` is that one, kept for comparison. None of them hides who follows whom over
several slots: a person alone on the way is followed from box to box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.crowds.boxes import Boxes
from sfumato.mechanism.location.crowds.presence import counted_persons

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.location.crowds.presence import Presence
    from sfumato.types import BoolArray, IntArray

PAYS_FROM = 50_000
"""Entries from which compiling is worth its time."""
_SIDES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Cloaked:
    """What was decided.

    Args:
        boxes: one for each entry of the presence that is published, in its order.
        kept: (n,) bool, which entries are published.
    """

    boxes: Boxes
    kept: BoolArray

    @property
    def dropped(self) -> int:
        """Entries that are not published."""
        return int((~self.kept).sum())


def unwatched(_done: int) -> None:
    """Progress that nobody watches."""


def by_quadtree(
    presence: Presence,
    k: int,
    *,
    widest: float = np.inf,
    reciprocal: bool = True,
    tick: Callable[[int], None] = unwatched,
) -> Cloaked:
    """The smallest squares, halved from one over the whole region, with k persons in the slot.

    Args:
        presence: who was where.
        k: persons, >= 1.
        widest: metres of a square's side beyond which nothing is published.
        reciprocal: a square is halved only if each of its quarters with anybody has k persons. False: as published, each
            person goes down as long as k persons are in their own quarter.
        tick: told level by level how many entries have their square; it may raise to stop the work.

    Raises:
        ParameterError: no k. Remedy: k >= 1.

    Source:
        M. Gruteser, D. Grunwald, "Anonymous usage of location-based services through spatial and temporal cloaking",
        MobiSys 2003, section 4.1; reciprocity: P. Kalnis, G. Ghinita, K. Mouratidis, D. Papadias, "Preventing
        location-based identity inference in anonymous spatial queries", TKDE 19, 2007, section 4.

    Example:
        >>> from sfumato.mechanism.location.crowds.presence import Presence
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.0, 4.8), metres=100, rows=4, columns=4)
        >>> three = Presence(region, 60, np.arange(3), np.zeros(3, int), np.array([0, 0, 3]), np.array([0, 1, 3]))
        >>> by_quadtree(three, 2, reciprocal=False).boxes.sides[:, 2:].tolist()
        [[0, 1, 0, 1], [0, 1, 0, 1], [0, 3, 0, 3]]
        >>> by_quadtree(three, 2).boxes.sides[:, 2:].tolist()
        [[0, 3, 0, 3], [0, 3, 0, 3], [0, 3, 0, 3]]
    """
    _check(k)
    height = max(presence.region.rows, presence.region.columns, 1) - 1
    top = int(height).bit_length()
    level = np.full(len(presence), -1, np.int64)  # of the square in which each entry is shown; -1: in none
    going = np.arange(len(presence))
    outer = _squares(presence, top)
    is_enough = counted_persons(outer, presence.person) >= k
    going, outer = going[is_enough], outer[is_enough]
    level[going] = top
    for low in range(top - 1, -1, -1):
        tick(len(presence) - len(going))
        inner = _squares(presence, low)[going]
        is_enough = counted_persons(inner, presence.person[going]) >= k
        if reciprocal:
            is_enough = ~np.isin(outer, outer[~is_enough])
        going, outer = going[is_enough], inner[is_enough]
        level[going] = low
    kept = (level >= 0) & (float(presence.region.side) * 2.0**level <= widest)
    return _shown(presence, kept, level)


def by_hilbert(presence: Presence, k: int, *, tick: Callable[[int], None] = unwatched) -> Cloaked:
    """Persons of a slot in the order of a Hilbert curve, k after k; the last crowd has up to 2k - 1.

    A person who was in several cells in the slot stands where the first of them is, and the box covers all of them.

    Args:
        presence: who was where.
        k: persons, >= 1.
        tick: told before and after the boxes are made; it may raise to stop the work.

    Raises:
        ParameterError: no k. Remedy: k >= 1.

    Source:
        Kalnis et al. 2007, section 5 (Hilbert Cloak).

    Example:
        >>> from sfumato.mechanism.location.crowds.presence import Presence
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.0, 4.8), metres=100, rows=4, columns=4)
        >>> four = Presence(region, 60, np.arange(4), np.zeros(4, int), np.array([0, 0, 3, 3]), np.array([0, 1, 3, 2]))
        >>> by_hilbert(four, 2).boxes.sides[:, 2:].tolist()
        [[0, 0, 0, 1], [0, 0, 0, 1], [3, 3, 2, 3], [3, 3, 2, 3]]
    """
    _check(k)
    n = len(presence)
    begins = presence.first
    visit = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    bits = max(int(max(presence.region.rows, presence.region.columns) - 1).bit_length(), 1)
    along = hilbert(presence.row[first], presence.column[first], bits)
    order = np.lexsort((presence.person[first], along, presence.slot[first]))
    slot = presence.slot[first][order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(slot) != 0])) if n else np.zeros(0, np.int64)
    sizes = np.diff(np.append(starts, len(slot)))
    rank = np.arange(len(slot)) - np.repeat(starts, sizes)
    crowd_in_slot = np.minimum(rank // k, np.repeat(np.maximum(sizes // k - 1, 0), sizes))
    crowd = np.empty(len(first), np.int64)
    crowd[order] = np.cumsum(np.concatenate([[0], (np.diff(slot) != 0) | (np.diff(crowd_in_slot) != 0)])) if n else 0
    big = np.empty(len(first), bool)
    big[order] = np.repeat(sizes >= k, sizes)
    tick(0)
    out = _covered(presence, crowd[visit], big[visit])
    tick(n)
    return out


def by_delay(presence: Presence, k: int, *, cells: int, longest: float) -> Cloaked:
    """Squares as they are; each visit is told with the others that came before k persons were there.

    In each square, in the order of time, visits are gathered until k persons are among them; then a new crowd begins. Those
    left at the end join the crowd before, if that does not become too long, or are not published.

    Args:
        presence: who was where.
        k: persons, >= 1.
        cells: side of a square, in cells, >= 1.
        longest: seconds that a box may last; a crowd that takes longer is not published.

    Raises:
        ParameterError: no k, no square. Remedy: numbers >= 1.

    Source:
        Gruteser and Grunwald 2003, section 4.2.

    Example:
        >>> from sfumato.mechanism.location.crowds.presence import Presence
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.0, 4.8), metres=100, rows=4, columns=4)
        >>> seen = Presence(region, 60, np.arange(3), np.array([0, 5, 90]), np.zeros(3, int), np.zeros(3, int))
        >>> by_delay(seen, 2, cells=1, longest=600).boxes.sides[:, :2].tolist()
        [[0, 5], [0, 5]]
    """
    _check(k)
    _check(cells)
    place = (presence.row // cells) * (presence.region.columns // cells + 1) + presence.column // cells
    order = np.lexsort((presence.person, presence.slot, place))
    most = int(longest / presence.seconds) if np.isfinite(longest) else np.iinfo(np.int64).max
    crowd = np.full(len(presence), -1, np.int64)
    latest = np.full(int(presence.person.max(initial=-1)) + 1, -1, np.int64)
    found = np.empty(len(presence), np.int64)
    loop = compiled(_gather) if pays(len(presence), PAYS_FROM) else _gather
    starts = np.append(np.unique(place[order], return_index=True)[1], len(place))
    loop(starts, presence.slot[order], presence.person[order], k, most, latest, found)
    crowd[order] = found
    kept = crowd >= 0
    last = np.zeros(int(crowd.max(initial=-1)) + 1, np.int64)
    np.maximum.at(last, crowd[kept], presence.slot[kept])
    first = np.full(len(last), np.iinfo(np.int64).max)
    np.minimum.at(first, crowd[kept], presence.slot[kept])
    of = crowd[kept]
    south, west = presence.row[kept] // cells * cells, presence.column[kept] // cells * cells
    north = np.minimum(south + cells - 1, presence.region.rows - 1)
    east = np.minimum(west + cells - 1, presence.region.columns - 1)
    sides = np.stack([first[of], last[of], south, north, west, east], axis=1)
    return Cloaked(Boxes(presence.region, presence.seconds, presence.person[kept], sides), kept)


def hilbert(row: IntArray, column: IntArray, bits: int) -> IntArray:
    """(n,) int64 place of cells along the Hilbert curve of a square of 2^bits cells a side.

    Args:
        row: (n,) int64 within 0 … 2^bits - 1.
        column: (n,) int64, likewise.
        bits: 1 to 31.

    Example:
        >>> hilbert(np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1]), 1).tolist()
        [0, 1, 2, 3]
    """
    x, y = np.array(column, np.int64), np.array(row, np.int64)
    along = np.zeros(len(x), np.int64)
    for bit in range(bits - 1, -1, -1):
        side = 1 << bit
        right, up = (x & side) > 0, (y & side) > 0
        along += side * side * np.where(up, np.where(right, 2, 1), np.where(right, 3, 0))
        x, y = x & (side - 1), y & (side - 1)
        flip, turn = right & ~up, ~up
        x, y = np.where(flip, side - 1 - x, x), np.where(flip, side - 1 - y, y)
        x, y = np.where(turn, y, x), np.where(turn, x, y)
    return along


def _check(k: int) -> None:
    if k < 1:
        raise ParameterError("A crowd and a square must have at least 1; got {k}.", "such as 10 persons.", k=k)


def _squares(presence: Presence, level: int) -> IntArray:
    """(n,) int64 code of the slot and the square of 2^level cells a side in which each entry lies."""
    wide = (presence.region.columns >> level) + 1
    high = (presence.region.rows >> level) + 1
    low = int(presence.slot.min(initial=0))
    return np.asarray(((presence.slot - low) * high + (presence.row >> level)) * wide + (presence.column >> level))


def _shown(presence: Presence, kept: BoolArray, level: IntArray) -> Cloaked:
    """The squares of the entries that are kept."""
    part, up = presence.kept(kept), level[kept]
    south, west = part.row >> up << up, part.column >> up << up
    north = np.minimum(south + (1 << up) - 1, presence.region.rows - 1)
    east = np.minimum(west + (1 << up) - 1, presence.region.columns - 1)
    sides = np.stack([part.slot, part.slot, south, north, west, east], axis=1)
    return Cloaked(Boxes(presence.region, presence.seconds, part.person, sides), kept)


def _covered(presence: Presence, crowd: IntArray, kept: BoolArray) -> Cloaked:
    """The smallest box of each crowd, for its entries."""
    part, of = presence.kept(kept), crowd[kept]
    n = int(of.max(initial=-1)) + 1
    sides = np.empty((len(part), _SIDES), np.int64)
    sides[:, 0] = sides[:, 1] = part.slot
    for j, at in ((2, part.row), (4, part.column)):
        least, most = np.full(n, np.iinfo(np.int64).max), np.full(n, -1, np.int64)
        np.minimum.at(least, of, at)
        np.maximum.at(most, of, at)
        sides[:, j], sides[:, j + 1] = least[of], most[of]
    return Cloaked(Boxes(presence.region, presence.seconds, part.person, sides), kept)


def _gather(  # noqa: PLR0913, PLR0917 - one loop, as compilers like it
    starts: Any, slot: Any, person: Any, k: Any, most: Any, latest: Any, crowd: Any
) -> None:
    """Crowds of each square, from its first visit on; -1: too few or too long. `latest`: the crowd that saw a person last."""
    number = 0
    for square in range(len(starts) - 1):
        begin, before, count = starts[square], -1, 0
        for i in range(starts[square], starts[square + 1]):
            if latest[person[i]] != number:
                latest[person[i]] = number
                count += 1
            crowd[i] = number
            if count >= k and (i + 1 == starts[square + 1] or slot[i + 1] != slot[i]):
                fits = slot[i] - slot[begin] < most
                if not fits:
                    crowd[begin : i + 1] = -1
                before = begin if fits else -1
                number, begin, count = number + 1, i + 1, 0
        end = starts[square + 1]
        if begin < end:  # what is left of the square joins the crowd before it
            crowd[begin:end] = crowd[before] if before >= 0 and slot[end - 1] - slot[before] < most else -1
            number += 1
