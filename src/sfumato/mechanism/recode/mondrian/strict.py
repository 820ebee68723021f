"""Halving where equal values stay together: all cells of a level at once.

In each round a cell looks at its widest axis first. Its tuples are sorted along that axis, and the
cut between two values that is nearest the median, and whose halves may both satisfy the criteria, is
taken; if there is none, the next widest axis is tried. A cell with no such cut is finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.mechanism.recode.partition.criteria import Sizes
from sfumato.mechanism.recode.partition.scan import first_per_segment, running, running_sum, segment_starts
from sfumato.numbers.order import order_of

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import BoolArray, IntArray

FINENESS = 2.0**30
"""Widths are compared as whole multiples of its inverse, so that ties do not hang on rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Active cells side by side.

    Args:
        order: (n_active,) int64, tuples (or pieces), cell by cell.
        starts: (n_cells,) int64.
        lengths: (n_cells,) int64.
    """

    order: IntArray
    starts: IntArray
    lengths: IntArray

    def places(self, cells: IntArray) -> tuple[IntArray, IntArray]:
        """Places in `order` of the tuples of the listed cells, and which listed cell each is in."""
        lengths = self.lengths[cells]
        owner = np.repeat(np.arange(len(cells)), lengths)
        begin = np.cumsum(lengths) - lengths
        return np.arange(len(owner)) + (self.starts[cells] - begin)[owner], owner

    def keep(self, cells: IntArray) -> Cells:
        """Only the listed cells."""
        if len(cells) == len(self.starts):
            return self
        places, _ = self.places(cells)
        lengths = self.lengths[cells]
        return Cells(self.order[places], np.cumsum(lengths) - lengths, lengths)

    def part(self, cut: IntArray) -> Cells:
        """Part every cell after its first `cut` tuples."""
        lengths = np.stack((cut, self.lengths - cut), axis=1).ravel()
        return Cells(self.order, np.cumsum(lengths) - lengths, lengths)


def halve(table: Table, watch: Watch) -> IntArray:
    """Part the tuples; every cell satisfies the criteria if the whole table does.

    Returns:
        (n,) int64, class of each tuple, 0 … n_classes-1.
    """
    n = table.ranks.shape[1]
    cells = Cells(np.arange(n), np.array([0]), np.array([n]))
    member, n_done = np.full(n, -1, np.int64), 0
    least = 2 * table.judge.least_persons()
    while len(cells.starts):
        persons = np.add.reduceat(table.sizes.persons[cells.order], cells.starts)
        alive = (cells.lengths > 1) & (persons >= least)
        watch.progress(n - len(cells.order), n, "halving the cells")
        if watch.is_over():
            alive[:] = False
        n_done = finish(cells, ~alive, member, n_done)
        cells = cells.keep(np.flatnonzero(alive))
        if not len(cells.starts):
            break
        cut = _cut(table, cells, watch)
        n_done = finish(cells, cut == 0, member, n_done)
        kept = np.flatnonzero(cut > 0)
        cells = cells.keep(kept).part(cut[kept])
    return member


def finish(cells: Cells, done: BoolArray, member: IntArray, n_done: int) -> int:
    """Give the tuples of finished cells their class; returns how many classes there are now."""
    index = np.flatnonzero(done)
    places, owner = cells.places(index)
    member[cells.order[places]] = n_done + owner
    return n_done + len(index)


def by_width(table: Table, cells: Cells) -> tuple[IntArray, IntArray]:
    """(n_cells, m) int64 axes of each cell, widest first, and (n_cells,) how many have any width."""
    covers = table.covers.take(cells.order).reduce(cells.starts)
    m = len(table.layout.axes)
    width = np.stack([table.layout.loss(covers, j) for j in range(m)], axis=1)
    whole = np.rint(width * FINENESS).astype(np.int64)
    return np.argsort(-whole, axis=1, kind="stable"), (whole > 0).sum(axis=1)


def _cut(table: Table, cells: Cells, watch: Watch) -> IntArray:
    """(n_cells,) int64: tuples in the left half of each cell, which `order` now begins with; 0: no cut."""
    axes, n_axes = by_width(table, cells)
    cut = np.zeros(len(cells.starts), np.int64)
    for turn in range(axes.shape[1]):
        pending = np.flatnonzero((cut == 0) & (n_axes > turn))
        if not len(pending):
            break
        watch.checked += len(pending)
        cut[pending] = _cut_along(table, cells, pending, axes[pending, turn])
    return cut


def _cut_along(table: Table, cells: Cells, pending: IntArray, axis: IntArray) -> IntArray:
    """(len(pending),) int64: the cut of each listed cell along its own axis; sorts the cell in place."""
    places, owner = cells.places(pending)
    tuples, code = sort_along(table, cells.order[places], owner, axis)
    cells.order[places] = tuples
    new = np.ones(len(owner), bool)
    new[1:] = (code[1:] != code[:-1]) | (owner[1:] != owner[:-1])
    starts = np.flatnonzero(new)
    cell, n_tuples = owner[starts], np.diff(np.append(starts, len(owner)))
    begin, count = segment_starts(cell)
    up_to, ok = _allowable(table, table.sizes.take(tuples), starts, begin, count)
    cut = np.zeros(len(pending), np.int64)
    some = np.flatnonzero(ok)
    if not len(some):
        return cut
    inside = cell[some]
    off = np.abs(2 * up_to.persons[some] - up_to.persons[begin + count - 1][inside])
    first, length = segment_starts(inside)
    best = some[first_per_segment(inside, off == np.repeat(np.minimum.reduceat(off, first), length))]
    cut[cell[best]] = running_sum(n_tuples, begin, count)[best]
    if not table.judge.is_exact_on_sizes:
        cut[~_both_hold(table, tuples, owner, cut)] = 0
    return cut


def sort_along(table: Table, tuples: IntArray, owner: IntArray, axis: IntArray) -> tuple[IntArray, IntArray]:
    """Sort the tuples of each cell along its axis; those of equal rank as they stood.

    Args:
        table: the tuples.
        tuples: (n,) int64.
        owner: (n,) int64, cell of each, sorted.
        axis: (n_cells,) int64, axis of each cell.

    Returns:
        (n,) int64 tuples in order, and (n,) int64 codes of what a cut may not part.
    """
    along = axis[owner]
    rank = table.ranks.ravel().take(along * table.ranks.shape[1] + tuples)
    radix = max(a.n_ranks for a in table.layout.axes)
    sort = order_of(owner * radix + rank, len(axis) * radix)
    tuples, rank = tuples[sort], rank[sort]
    nodes = [j for j in np.flatnonzero(np.bincount(axis)) if table.layout.axes[j].form is Form.NODE]
    if not nodes:  # cuts part values
        return tuples, rank
    code = rank.copy()
    starts, lengths = segment_starts(owner)
    low, high = rank[starts], rank[starts + lengths - 1]
    for j in nodes:
        here = np.flatnonzero(along == j)
        code[here] = table.layout.axes[j].group_codes(rank[here], low[owner[here]], high[owner[here]])
    return tuples, code


def _allowable(
    table: Table, sizes: Sizes, starts: IntArray, begin: IntArray, count: IntArray
) -> tuple[Sizes, BoolArray]:
    """Sizes of the first groups of each cell, and whether both halves after each may hold.

    Args:
        table: the tuples.
        sizes: of each tuple, in order.
        starts: (n_groups,) int64, where each group begins.
        begin: (n_cells,) int64, first group of each cell.
        count: (n_cells,) int64, groups of each cell.
    """

    def totals(values: IntArray | None) -> IntArray | None:
        return None if values is None else running_sum(np.add.reduceat(values, starts), begin, count)

    def rest(values: IntArray | None) -> IntArray | None:
        return None if values is None else np.repeat(values[begin + count - 1], count) - values

    rows, persons, population = totals(sizes.rows), totals(sizes.persons), totals(sizes.population)
    k_left = k_right = None
    if sizes.personal_k is not None:
        place = np.arange(len(starts)) - np.repeat(begin, count)
        k = np.maximum.reduceat(sizes.personal_k, starts)[None]
        k_left = running(np.maximum, k, place)[0]
        back = (np.repeat(count, count) - 1 - place)[::-1]
        k_right = np.append(running(np.maximum, k[:, ::-1], back)[0][::-1][1:], 0)
    assert rows is not None  # noqa: S101 - for the type checker
    assert persons is not None  # noqa: S101
    left = Sizes(rows, persons, population, k_left)
    right = Sizes(rest(rows), rest(persons), rest(population), k_right)  # type: ignore[arg-type]
    ok = table.judge.may_hold(left) & table.judge.may_hold(right)
    ok[begin + count - 1] = False
    return left, ok


def _both_hold(table: Table, tuples: IntArray, owner: IntArray, cut: IntArray) -> BoolArray:
    """(n_cells,) bool: whether both halves of each cell satisfy every criterion exactly."""
    n_cells = len(cut)
    starts, lengths = segment_starts(owner)
    place = np.arange(len(owner)) - np.repeat(starts, lengths)
    has_cut = cut[owner] > 0
    ok = np.zeros(n_cells, bool)
    if not has_cut.any():
        return ok
    number = np.cumsum(cut > 0) - 1
    half = 2 * number[owner] + (place >= cut[owner])
    tuples, half = tuples[has_cut], half[has_cut]
    by_index = np.argsort(tuples, kind="stable")
    holds = table.judge.holds_for(tuples[by_index], half[by_index], 2 * int((cut > 0).sum()))
    ok[cut > 0] = holds[::2] & holds[1::2]
    return ok
