"""The node that loses least, by branch and bound over the whole lattice: exact.

Every node has a lower bound of its loss, computed for all nodes at once from the marginals and from
the rows that the node must suppress for certain. That number is learned on the way: the rows that a
judged node suppresses under criteria that absorb are suppressed at every finer node too, so judging a
coarse node (a small table) tightens the bounds of the many nodes below it. A node is looked at only
while its bound does not exceed the best loss found. The next node to judge is a coarse one above the
node with the smallest bound: if it fails, everything below it is settled at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.full_domain.candidate import Key, as_levels, columns_of, key_of

if TYPE_CHECKING:
    from sfumato.mechanism.recode.full_domain.candidate import Evaluator, Levels
    from sfumato.mechanism.recode.full_domain.method import Lattice, Watch
    from sfumato.types import BoolArray, FloatArray, IntArray

ROUND = 64
"""Nodes judged before all bounds are computed again."""

COARSENESS = 0.75
"""Which of the open nodes above the most promising one is judged: this quantile by sum of levels."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search leaves behind.

    Args:
        finished: whether every node was judged or excluded.
        n_open: nodes neither judged nor excluded.
        bound: no open node can lose less; None when none is open.
    """

    finished: bool
    n_open: int
    bound: Key | None


class ExactSearch:
    """State of the branch and bound: what is still open, and what is known of every node."""

    def __init__(self, evaluator: Evaluator, lattice: Lattice, watch: Watch) -> None:
        """Open every node."""
        self.evaluator = evaluator
        self.lattice = lattice
        self.watch = watch
        self.levels = lattice.levels()
        self.sums = self.levels.sum(axis=1)
        shape = lattice.shape
        self.open: BoolArray = np.ones(shape, bool)
        self.stale: BoolArray = np.zeros(shape, bool)
        self.ranks: IntArray = (self.sums * lattice.size + np.arange(lattice.size)).reshape(shape)
        """Sums of levels, equal ones told apart by the place in the lattice."""
        self.suppressed: IntArray = np.zeros(shape, np.int64)
        self.floors: FloatArray = np.zeros(shape)
        self._known: FloatArray | None = None
        """(size, q): bounds as they were last computed, of the nodes that were open then."""

    def run(self) -> Outcome:
        """Judge nodes until none is open, or the watch says stop."""
        if self.evaluator.judge.teaches:
            self._pairs()
        while not self.watch.is_over():
            order = self._ordered_by_bound()
            if len(order) == 0:
                return Outcome(finished=True, n_open=0, bound=None)
            self._round(order)
        order = self._ordered_by_bound()
        if len(order) == 0:
            return Outcome(finished=True, n_open=0, bound=None)
        return Outcome(finished=False, n_open=len(order), bound=key_of(self._bounds(order[:1])[0]))

    def _pairs(self) -> None:
        """Judge the nodes that generalize all but two attributes to the top: tables of a few cells."""
        top = self.lattice.heights
        free = [j for j, h in enumerate(top) if h > 0]
        pairs = [(i, j) for n, i in enumerate(free) for j in free[n + 1 :]]
        n_nodes = sum(top[i] * top[j] for i, j in pairs)
        if 4 * n_nodes > self.lattice.size:
            return
        for i, j in pairs:
            bottom = [*top]
            bottom[i] = bottom[j] = 0
            self.evaluator.add_base(tuple(bottom))
            for a in reversed(range(top[i])):
                for b in reversed(range(top[j])):
                    node = [*top]
                    node[i], node[j] = a, b
                    if self.open.reshape(-1)[self.lattice.index(node)]:
                        self._judge(tuple(node))
            del self.evaluator.bases[1:]
            if self.watch.is_over():
                return

    def _ordered_by_bound(self) -> IntArray:
        """Close the nodes that cannot win; the others by bound, sum of levels and levels."""
        flat = self.open.reshape(-1)
        nodes = np.flatnonzero(flat)
        bounds = self._bounds(nodes)
        best = self.evaluator.best
        if best is not None and len(nodes):
            wins = _can_win(
                bounds, best.loss, self.sums[nodes], nodes, sum(best.levels), self.lattice.index(best.levels)
            )
            flat[nodes[~wins]] = False
            nodes, bounds = nodes[wins], bounds[wins]
        self.stale[...] = False
        order = np.lexsort((nodes, self.sums[nodes], *bounds.T[::-1]))
        return nodes[order]

    def _bounds(self, nodes: IntArray) -> FloatArray:
        """(n, q) float64: what is known of the least loss at the nodes, which are among those of the call before.

        Only where more rows must go than were known to then, a few in a hundred nodes, is it computed again.
        """
        asked = nodes if self._known is None else nodes[self.stale.reshape(-1)[nodes]]
        if self._known is None or len(asked):
            suppressed = self.suppressed.reshape(-1)[asked]
            found = columns_of(self.evaluator.loss.lower_bounds(self.levels[asked], suppressed))
            if self._known is None:
                self._known = np.empty((self.lattice.size, found.shape[1]))
            self._known[asked] = found
        bounds = self._known[nodes]
        if self.evaluator.growing is not None:
            bounds = np.maximum(bounds, self.floors.reshape(-1)[nodes, None])
        return bounds

    def _round(self, order: IntArray) -> None:
        """Judge some nodes, most promising first, until the bounds are worth computing again."""
        self._raise_base(order)
        before = self.evaluator.best
        opened, stale = self.open.reshape(-1), self.stale.reshape(-1)
        judged = 0
        for start in order.tolist():
            if not opened[start] or stale[start]:
                continue
            node = as_levels(self.levels[start])
            fine = self.evaluator.growing is not None and judged % 2 == 0
            self._judge(node if fine or not self.evaluator.judge.teaches else self._above(node))
            judged += 1
            if self.evaluator.best is not before or judged == ROUND or self.watch.is_over():
                return

    def _raise_base(self, nodes: IntArray) -> None:
        """Count from a coarser table where no open node needs the finest one."""
        floor = as_levels(self.levels[nodes].min(axis=0))
        if any(floor):
            del self.evaluator.bases[2:]
            self.evaluator.add_base(floor)

    def _above(self, node: Levels) -> Levels:
        """The node to judge for the sake of `node`: an open one above it, far up."""
        above = self.lattice.above(node)
        asks = self.open[above] & ~self.stale[above]
        ranks = self.ranks[above][asks]
        nth = min(int(len(ranks) * COARSENESS), len(ranks) - 1)
        ranks.partition(nth)
        return as_levels(self.levels[int(ranks[nth]) % self.lattice.size])

    def _judge(self, node: Levels) -> None:
        """Judge one node and write down what it teaches about the others."""
        verdict, floor = self.evaluator.check(node)
        self.open.reshape(-1)[self.lattice.index(node)] = False
        below = self.lattice.below(node)
        if verdict.refuses_finer:
            self.open[below] = False
        elif verdict.inherited > 0:
            known = self.suppressed[below]
            self.stale[below] |= known < verdict.inherited
            np.maximum(known, verdict.inherited, out=known)
        if floor > 0:
            above = self.lattice.above(node)
            np.maximum(self.floors[above], floor, out=self.floors[above])
        self.watch.tick(self.evaluator.n_checked)


def _can_win(
    bounds: FloatArray, best: Key, sums: IntArray, nodes: IntArray, best_sum: int, best_node: int
) -> BoolArray:
    """(n,) bool: which nodes could still beat the best in loss, sum of levels, then order of levels."""
    wins = np.zeros(len(nodes), bool)
    tied = np.ones(len(nodes), bool)
    for q, value in enumerate(best):
        wins |= tied & (bounds[:, q] < value)
        tied &= bounds[:, q] == value
    out: BoolArray = wins | (tied & ((sums < best_sum) | ((sums == best_sum) & (nodes < best_node))))
    return out
