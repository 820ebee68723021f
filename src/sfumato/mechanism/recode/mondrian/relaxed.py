"""Halving where equal values may be parted: rows of one tuple may go to several classes.

A cell is sorted along its widest axis and cut after a whole number of smallest classes, as near the
median as that allows, so that classes are as small as the criteria permit. Where the cut falls
inside a tuple, the tuple becomes two pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.mondrian.strict import Cells, by_width, finish, sort_along
from sfumato.mechanism.recode.partition.criteria import Sizes
from sfumato.mechanism.recode.partition.pieces import Pieces
from sfumato.mechanism.recode.partition.scan import running_sum
from sfumato.recipe.steps import Splits

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import BoolArray, IntArray


def halve_rows(whole: Table, watch: Watch) -> tuple[Pieces, IntArray]:
    """Part the rows; every cell satisfies the criteria if the whole table does.

    Returns:
        The pieces, and (n_pieces,) int64 the class of each, 0 … n_classes-1.
    """
    n = whole.ranks.shape[1]
    pieces = Pieces(np.arange(n), whole.sizes.rows)
    cells = Cells(np.arange(n), np.array([0]), np.array([n]))
    member, n_done = np.full(n, -1, np.int64), 0
    least = whole.judge.least_persons()
    while len(cells.starts):
        table = pieces.table(whole)
        rows = np.add.reduceat(pieces.rows[cells.order], cells.starts)
        left = least * (rows // least // 2)
        alive = _may_part(table, rows, left)
        watch.progress(int(pieces.rows[member >= 0].sum()), int(whole.sizes.rows.sum()), "halving the cells")
        if watch.is_over():
            alive[:] = False
        axes, n_axes = by_width(table, cells)
        alive &= n_axes > 0
        n_done = finish(cells, ~alive, member, n_done)
        kept = np.flatnonzero(alive)
        cells = cells.keep(kept)
        if len(kept):
            watch.checked += len(kept)
            pieces, cells = _cut(table, pieces, cells, axes[kept, 0], left[kept])
            member = np.append(member, np.full(len(pieces.rows) - len(member), -1))
    return pieces, member


def splits_of(pieces: Pieces, member: IntArray, n_tuples: int) -> tuple[IntArray, Splits | None]:
    """The class of each tuple that stays whole, and how the rows of the others are parted."""
    n_classes = int(member.max(initial=0)) + 1
    key, inverse = np.unique(pieces.origin * n_classes + member, return_inverse=True)
    rows = np.bincount(inverse, weights=pieces.rows, minlength=len(key)).astype(np.int64)
    origin, target = key // n_classes, key % n_classes
    several = np.bincount(origin, minlength=n_tuples)[origin] > 1
    whole = np.zeros(n_tuples, np.int64)
    whole[origin[::-1]] = target[::-1]
    return whole, Splits(origin[several], rows[several], target[several]) if several.any() else None


def _may_part(table: Table, rows: IntArray, left: IntArray) -> BoolArray:
    """Whether both halves of each cell may hold."""
    right = rows - left
    judge = table.judge
    return (left > 0) & judge.may_hold(Sizes(left, left, None, None)) & judge.may_hold(Sizes(right, right, None, None))


def _cut(table: Table, pieces: Pieces, cells: Cells, axis: IntArray, left: IntArray) -> tuple[Pieces, Cells]:
    """Cut every cell along its axis after `left` rows."""
    owner = np.repeat(np.arange(len(cells.starts)), cells.lengths)
    order, _ = sort_along(table, cells.order, owner, axis)
    up_to = running_sum(pieces.rows[order], cells.starts, cells.lengths)
    inside = up_to <= left[owner]
    n_left = np.add.reduceat(inside.astype(np.int64), cells.starts)
    at = cells.starts + n_left
    before = np.where(n_left > 0, up_to[at - 1], 0)
    parted = np.flatnonzero(before < left)
    n_before = len(pieces.rows)
    more = pieces.part(order[at[parted]], (left - before)[parted])
    order = np.insert(order, at[parted] + 1, np.arange(n_before, len(more.rows)))
    lengths = cells.lengths.copy()
    lengths[parted] += 1
    n_left[parted] += 1
    return more, Cells(order, np.cumsum(lengths) - lengths, lengths).part(n_left)
