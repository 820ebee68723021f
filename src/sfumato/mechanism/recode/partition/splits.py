"""A table parted until no cell can be cut: level by level, all cells at once."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Limits, silent
from sfumato.mechanism.recode.partition.covers import layout_of
from sfumato.mechanism.recode.partition.criteria import sizes_of
from sfumato.mechanism.recode.partition.cuts import Cuts, Table
from sfumato.mechanism.recode.partition.nodes import Nodes, cells_of, order_within
from sfumato.numbers.distinct import distinct
from sfumato.numbers.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.partition.axes import Axis
    from sfumato.mechanism.recode.partition.criteria import Judge
    from sfumato.mechanism.recode.partition.cuts import Groups
    from sfumato.types import BoolArray, IntArray

MOST_TRIES = 24
"""Cuts that a cell tries, best first, before it is left whole; only where criteria cannot be read off sizes."""


class Propose(Protocol):
    """Ranks the cuts of all active cells; the better cuts of a cell have the larger gain."""

    def __call__(self, table: Table, nodes: Nodes) -> tuple[Cuts, Sequence[Groups]]:
        """Candidate cuts and the groups along each axis that they refer to."""
        ...


@dataclass(slots=True)
class Watch:
    """The limits and the listener of one decision.

    Args:
        limits: wall-clock seconds and cuts evaluated.
        clock: seconds now; needed for a limit in seconds.
        progress: called once a round; may raise `Interrupted`.
        checked: cuts evaluated so far.
        stopped: whether a limit was reached.
    """

    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] | None = None
    progress: Progress = silent
    checked: int = 0
    stopped: bool = False
    begun: float = 0.0

    def __post_init__(self) -> None:
        if self.limits.seconds is not None and self.clock is None:
            raise ParameterError("A limit in seconds needs a clock; got none.", "pass `clock=time.monotonic`.")
        self.begun = self.clock() if self.clock else 0.0

    def is_over(self) -> bool:
        """Whether a limit is reached."""
        seconds, cuts = self.limits.seconds, self.limits.nodes
        late = self.clock is not None and seconds is not None and self.clock() - self.begun >= seconds
        self.stopped = self.stopped or late or (cuts is not None and self.checked >= cuts)
        return self.stopped


def table_of(axes: Sequence[Axis], judge: Judge) -> Table:
    """The tuples as the axes see them; where ranks are codes, as in flat hierarchies of which all values come up, no copy."""
    codes = judge.finest.codes
    layout = layout_of(axes)
    if codes.T.flags.c_contiguous and all(np.array_equal(axis.rank, np.arange(axis.n_ranks)) for axis in axes):
        return Table(layout, codes.T, sizes_of(judge.finest), judge)
    ranks = np.empty(codes.shape[::-1], np.int64)

    def fill(j: int) -> None:
        np.take(axes[j].rank, codes[:, j], out=ranks[j], mode="clip")

    in_threads(fill, range(len(axes)), ranks.size)
    return Table(layout, ranks, sizes_of(judge.finest), judge)


def divide(table: Table, propose: Propose, watch: Watch, begin: IntArray | None = None) -> IntArray:
    """Part the tuples; every cell satisfies the criteria if those it begins with do.

    Args:
        table: the tuples.
        propose: ranks the cuts of all active cells.
        watch: limits and listener.
        begin: (n,) int64, cell of each tuple to begin with, numbered from 0, -1: left out; None: one cell.

    Returns:
        (n,) int64, class of each tuple, 0 … n_classes-1, in the order in which cells were finished; -1 if left out.
    """
    n = table.ranks.shape[1]
    nodes = cells_of(table.ranks, np.zeros(n, np.int64) if begin is None else begin)
    member, n_done = np.full(n, -1, np.int64), 0
    least = 2 * table.judge.least_persons()
    while nodes.n_cells:
        persons = np.add.reduceat(table.sizes.persons[nodes.orders[0]], nodes.starts)
        alive = (nodes.lengths > 1) & (persons >= least)
        watch.progress(int((member >= 0).sum()), n, "parting the table")
        if watch.is_over():
            alive[:] = False
        n_done = _finish(nodes, ~alive, member, n_done)
        nodes = nodes.keep(alive)
        if not nodes.n_cells:
            break
        cuts, groups = propose(table, nodes)
        watch.checked += len(cuts.cell)
        chosen, left = _choose(table, nodes, cuts, groups)
        n_done = _finish(nodes, ~chosen, member, n_done)
        nodes = nodes.keep(chosen)
        if nodes.n_cells:
            nodes = nodes.part(left)
    return member


def _finish(nodes: Nodes, cells: BoolArray, member: IntArray, n_done: int) -> int:
    """Give the tuples of finished cells their class."""
    number = np.cumsum(cells) - 1 + n_done
    places = np.repeat(cells, nodes.lengths)
    member[nodes.orders[0][places]] = np.repeat(number, nodes.lengths)[places]
    return n_done + int(cells.sum())


def _choose(table: Table, nodes: Nodes, cuts: Cuts, groups: Sequence[Groups]) -> tuple[BoolArray, BoolArray]:
    """The best allowable cut of each cell: which cells have one, and which tuples go left."""
    cuts = cuts.take(best_first(cuts.cell, cuts.gain))
    count = np.bincount(cuts.cell, minlength=nodes.n_cells)
    begin = np.cumsum(count) - count
    left = np.zeros(table.ranks.shape[1], bool)
    chosen = np.zeros(nodes.n_cells, bool)
    tries = 1 if table.judge.is_exact_on_sizes else MOST_TRIES
    for turn in range(tries):
        pending = np.flatnonzero(~chosen & (count > turn))
        if not len(pending):
            break
        picked = cuts.take(begin[pending] + turn)
        _mark_left(nodes, picked, groups, left)
        chosen[pending] = table.judge.is_exact_on_sizes or _both_hold(table, nodes, pending, left)
    return chosen, left


def best_first(cell: IntArray, gain: IntArray) -> IntArray:
    """(n,) int64: places by cell, then from the largest gain on, then as they stood.

    Example:
        >>> best_first(np.array([1, 0, 1, 1]), np.array([5, 2, 7, 7])).tolist()
        [1, 2, 3, 0]
    """
    return order_within(cell, gain.max(initial=0) - gain)


def _mark_left(nodes: Nodes, picked: Cuts, groups: Sequence[Groups], left: BoolArray) -> None:
    """Mark the tuples of each cut's first half; at most one cut per cell."""
    cell_of = nodes.cell_of()
    for j in distinct(picked.axis):
        mine = np.flatnonzero(picked.axis == j)
        cut_of = np.full(nodes.n_cells, -1, np.int64)
        cut_of[picked.cell[mine]] = mine
        places = np.flatnonzero(cut_of[cell_of] >= 0)
        cut = cut_of[cell_of[places]]
        place = groups[j].place[groups[j].of_place[places]]
        left[nodes.orders[j][places]] = (place >= picked.first[cut]) & (place <= picked.last[cut])


def _both_hold(table: Table, nodes: Nodes, pending: IntArray, left: BoolArray) -> BoolArray:
    """(len(pending),) bool: whether both halves of each listed cell satisfy every criterion."""
    number = np.full(nodes.n_cells, -1, np.int64)
    number[pending] = np.arange(len(pending))
    cell = np.full(len(left), -1, np.int64)
    cell[nodes.orders[0]] = number[nodes.cell_of()]
    tuples = np.flatnonzero(cell >= 0)
    ok = table.judge.holds_for(tuples, 2 * cell[tuples] + left[tuples], 2 * len(pending))
    return ok[::2] & ok[1::2]
