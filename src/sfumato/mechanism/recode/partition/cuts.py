"""The cuts that a cell can take along one axis, and the loss that each saves.

Groups are what a cut may not part (values, or children of the common node). In a cell they stand in
order of rank, or, where order means nothing, by falling number of rows. Two kinds of cut are tried:
the first i groups against the others, and one group against the others. Both halves of every cut
have minimal covers in *all* attributes, so a cut is credited with what it saves elsewhere too:

    gain = rows·loss(cell) − rows₁·loss(cover₁) − rows₂·loss(cover₂)
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.mechanism.recode.partition.covers import Covers
from sfumato.mechanism.recode.partition.scan import running, running_sum, segment_starts

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.covers import Layout
    from sfumato.mechanism.recode.partition.criteria import Judge, Sizes
    from sfumato.mechanism.recode.partition.nodes import Nodes
    from sfumato.types import BoolArray, FloatArray, IntArray

UNIT = 2.0**-20
"""Gains are compared as whole multiples of this, so that ties do not hang on rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What every round reads: the tuples, and their single covers.

    Args:
        layout: axes and packing.
        ranks: (m, n) int64, rank of each tuple on each axis.
        sizes: sizes of single tuples.
        judge: the criteria.
    """

    layout: Layout
    ranks: IntArray
    sizes: Sizes
    judge: Judge
    _covers: list[Covers] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def covers(self) -> Covers:
        """Covers of single tuples, made when they are first asked for: the compiled halving needs none."""
        if not self._covers:
            self._covers.append(self.layout.covers_of(self.ranks))
        return self._covers[0]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of all cells along one axis, in scan order.

    Args:
        of_place: (n_active,) int64, group of each place of the axis's order.
        cell: (n_groups,) int64, sorted.
        place: (n_groups,) int64, place of each group within its cell.
        left: (n_groups,) int64, groups after it in its cell.
        covers: cover of each group.
        sizes: sizes of each group.
    """

    of_place: IntArray
    cell: IntArray
    place: IntArray
    left: IntArray
    covers: Covers
    sizes: Sizes


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Candidate cuts.

    Args:
        cell: (n,) int64.
        axis: (n,) int64.
        gain: (n,) int64, saved loss in units of `UNIT`.
        first: (n,) int64, first group (within the cell) of the half that is cut off.
        last: (n,) int64, its last group: `first` = 0 for a prefix, `first` = `last` for one group.
    """

    cell: IntArray
    axis: IntArray
    gain: IntArray
    first: IntArray
    last: IntArray

    def take(self, index: IntArray) -> Cuts:
        """The listed cuts."""
        every = (self.cell, self.axis, self.gain, self.first, self.last)
        return Cuts(*(one.take(index) for one in every))


def groups_of(table: Table, nodes: Nodes, cell_of: IntArray, j: int) -> Groups:
    """The groups along axis j."""
    axis, order = table.layout.axes[j], nodes.orders[j]
    code = ranks = table.ranks[j].take(order)
    if axis.form is Form.NODE:
        low = np.repeat(ranks[nodes.starts], nodes.lengths)
        high = np.repeat(ranks[nodes.starts + nodes.lengths - 1], nodes.lengths)
        code = axis.group_codes(ranks, low, high)
    new = np.ones(len(order), bool)
    new[1:] = (code[1:] != code[:-1]) | (cell_of[1:] != cell_of[:-1])
    starts = np.flatnonzero(new)
    cell = cell_of[starts]
    sizes = table.sizes.take(order).reduce(starts)
    covers = table.covers.take(order).reduce(starts)
    of_place = np.cumsum(new) - 1
    if axis.form is not Form.RANGE:
        by_rows = np.lexsort((-sizes.rows, cell))
        to_new = np.empty(len(by_rows), np.int64)
        to_new[by_rows] = np.arange(len(by_rows))
        sizes, covers, of_place = sizes.take(by_rows), covers.take(by_rows), to_new[of_place]
    begin, count = segment_starts(cell)
    place = np.arange(len(cell)) - np.repeat(begin, count)
    return Groups(of_place, cell, place, np.repeat(count, count) - 1 - place, covers, sizes)


def cuts_along(table: Table, groups: Groups, before: FloatArray, j: int) -> Cuts:
    """The cuts along axis j whose halves may both satisfy the criteria, and that save loss.

    Args:
        table: the tuples.
        groups: the groups along the axis.
        before: (n_cells,) float64, rows × loss of each cell.
        j: number of the axis.
    """
    up_to = _running(groups)
    total = up_to.take(np.arange(len(groups.cell)) + groups.left)
    prefix_ok = (groups.left > 0) & table.judge.may_hold(up_to) & _rest_may_hold(table.judge, groups, total, up_to)
    one_ok = (groups.place > 0) & (groups.left > 0) & table.judge.may_hold(groups.sizes)
    one_ok[one_ok] &= _others_may_hold(table.judge, groups, total, np.flatnonzero(one_ok))
    if not (prefix_ok.any() or one_ok.any()):
        empty = np.zeros(0, np.int64)
        return Cuts(empty, empty, empty, empty, empty)
    upward, downward = _running_covers(groups)
    i, o = np.flatnonzero(prefix_ok), np.flatnonzero(one_ok)
    half = upward.take(i), groups.covers.take(o)
    rest = downward.take(i + 1), upward.take(o - 1).join(downward.take(o + 1))
    rows = np.concatenate((up_to.rows[i], groups.sizes.rows[o]))
    at = np.concatenate((i, o))
    after = rows * table.layout.losses(_together(*half))
    after += (total.rows[at] - rows) * table.layout.losses(_together(*rest))
    cell = groups.cell[at]
    gain = np.rint((before[cell] - after) / UNIT).astype(np.int64)
    first = np.concatenate((np.zeros(len(i), np.int64), groups.place[o]))
    cuts = Cuts(cell, np.full(len(at), j), gain, first, groups.place[at])
    return cuts.take(np.flatnonzero(gain > 0))


def _together(a: Covers, b: Covers) -> Covers:
    """Two lists of covers as one."""
    return Covers(np.concatenate((a.words, b.words), axis=1), np.concatenate((a.ends, b.ends), axis=1))


def _running(groups: Groups) -> Sizes:
    """Sizes of the first i groups of each cell."""
    begin, count = segment_starts(groups.cell)
    return groups.sizes.each(
        lambda counts: running_sum(counts, begin, count), lambda k: running(np.maximum, k[None], groups.place)[0]
    )


def _running_covers(groups: Groups) -> tuple[Covers, Covers]:
    """Covers of the groups up to each, and from each on."""
    words, ends = groups.covers.words, groups.covers.ends
    upward = Covers(running(np.bitwise_or, words, groups.place), running(np.maximum, ends, groups.place))
    back = groups.left[::-1]
    downward = Covers(
        running(np.bitwise_or, words[:, ::-1], back)[:, ::-1], running(np.maximum, ends[:, ::-1], back)[:, ::-1]
    )
    return upward, downward


def _rest_may_hold(judge: Judge, groups: Groups, total: Sizes, up_to: Sizes) -> BoolArray:
    """Whether the groups after each may hold together."""
    ask = None
    if total.personal_k is not None and groups.sizes.personal_k is not None:
        downward = running(np.maximum, groups.sizes.personal_k[::-1][None], groups.left[::-1])[0][::-1]
        ask = np.where(groups.left > 0, np.roll(downward, -1), 0)
    return judge.may_hold(total.without(up_to, ask))


def _others_may_hold(judge: Judge, groups: Groups, total: Sizes, index: IntArray) -> BoolArray:
    """Whether all groups of the cell but the listed one may hold together (k asked: the cell's largest)."""
    total = total.take(index)
    return judge.may_hold(total.without(groups.sizes.take(index), total.personal_k))
