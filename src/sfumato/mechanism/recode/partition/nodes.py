"""The cells of a partition under way, with the tuples of each sorted along every axis.

Tuples are sorted once per axis; a split parts each order stably, so nothing is sorted again.

Source: J. Shafer et al., "SPRINT: a scalable parallel classifier for data mining", VLDB 1996, section
3 (attribute lists that keep their order through splits).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.numbers.order import order_of

if TYPE_CHECKING:
    from sfumato.types import BoolArray, IntArray

LARGEST_KEY = 2**63
"""Keys from this on do not fit in int64."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Active cells, side by side.

    Args:
        orders: for each axis the (n_active,) int64 tuples, cell by cell, sorted by rank within a cell.
        starts: (n_cells,) int64, where each cell begins in every order.
        lengths: (n_cells,) int64, tuples in each cell.
    """

    orders: tuple[IntArray, ...]
    starts: IntArray
    lengths: IntArray

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.starts)

    def cell_of(self) -> IntArray:
        """(n_active,) int64: cell of each place in the orders."""
        return np.repeat(np.arange(self.n_cells), self.lengths)

    def keep(self, cells: BoolArray) -> Nodes:
        """Only the marked cells."""
        if cells.all():
            return self
        places = np.repeat(cells, self.lengths)
        lengths = self.lengths[cells]
        return Nodes(tuple(order[places] for order in self.orders), np.cumsum(lengths) - lengths, lengths)

    def part(self, left: BoolArray) -> Nodes:
        """Part every cell in two: tuples marked in `left` (over all tuples) come first."""
        n_left = np.add.reduceat(left[self.orders[0]].astype(np.int64), self.starts)
        lengths = np.stack((n_left, self.lengths - n_left), axis=1).ravel()
        starts = np.cumsum(lengths) - lengths
        is_left = np.repeat(np.tile([True, False], self.n_cells), lengths)
        return Nodes(tuple(_parted(order, left.take(order), is_left) for order in self.orders), starts, lengths)


def _parted(order: IntArray, left: BoolArray, is_left: BoolArray) -> IntArray:
    """One order with the left tuples of each cell before the others, otherwise as it was.

    Args:
        order: (n_active,) int64, tuples, cell by cell.
        left: (n_active,) bool, whether each goes left.
        is_left: (n_active,) bool, whether each place of the new order is one of a left tuple.
    """
    out = np.empty_like(order)
    out[is_left], out[~is_left] = order[left], order[~left]  # both keep the order of cells, and that within a cell
    return out


def cells_of(ranks: IntArray, member: IntArray) -> Nodes:
    """The cells of a partition; `ranks` is (m, n) int64, `member` (n,) int64 numbers the cells from 0, -1: in none."""
    here = np.flatnonzero(member >= 0)
    cell = member[here]
    orders = tuple(here[order_within(cell, row[here])] for row in ranks)
    lengths = np.bincount(cell)
    return Nodes(orders, np.cumsum(lengths) - lengths, lengths)


def order_within(cell: IntArray, rank: IntArray) -> IntArray:
    """(n,) int64: places by cell, then rank, then place: sorted as one number where both fit in 63 bits.

    Args:
        cell: (n,) int64, each >= 0.
        rank: (n,) int64, each >= 0.

    Example:
        >>> order_within(np.array([1, 0, 1]), np.array([5, 7, 2])).tolist()
        [1, 2, 0]
    """
    n_cells, size = int(cell.max(initial=0)) + 1, int(rank.max(initial=0)) + 1
    if n_cells * size >= LARGEST_KEY:
        return np.lexsort((rank, cell))
    return order_of(cell * size + rank, n_cells * size)
