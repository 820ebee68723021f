"""A good node of a lattice too large to hold: greedy descents, then boxes with a proved bound.

First a good solution: from several starts, walk to the neighbor that loses least until none is better.
Then a bound: a box fixes the levels of the first attributes and leaves the others free. Every node of
a box suppresses at least what the box's coarsest node does, and generalizes at least as much as its
finest; so one cheap judgement bounds them all. Boxes are split in the order of their bounds. When
none is left below the best loss, the solution is proved optimal after all; when a limit comes first,
the smallest bound of the boxes left says how far from the optimum the solution can be.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.full_domain.candidate import key_of
from sfumato.mechanism.recode.full_domain.exact import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanism.recode.full_domain.candidate import Evaluator, Key, Levels
    from sfumato.mechanism.recode.full_domain.method import Lattice, Watch

PATIENCE = 20_000
"""Most nodes that are judged when the user sets no limit."""

Box = tuple["Key", int, "Levels", int]
"""Bound, sum of the finest node's levels, that node, and how many attributes are fixed."""


class HeuristicSearch:
    """Greedy walks for a solution, best-first boxes for a proof."""

    def __init__(self, evaluator: Evaluator, lattice: Lattice, watch: Watch) -> None:
        """Order the attributes: those with most values first, for their boxes exclude most."""
        self.evaluator = evaluator
        self.lattice = lattice
        self.watch = watch
        self.judged: dict[Levels, int | None] = {}
        n_values = [a.hierarchy.n_leaves for a in evaluator.attributes]
        free = [j for j, h in enumerate(lattice.heights) if h > 0]
        self.order = sorted(free, key=lambda j: (-n_values[j], j))

    def run(self) -> Outcome:
        """Walk from each start, then split boxes until a limit is reached or nothing is left."""
        self._walk(self.lattice.top)
        for j in self.order:
            start = [*self.lattice.top]
            start[j] = 0
            if self._is_over():
                break
            self._walk(tuple(start))
        return self._split_boxes()

    def _is_over(self) -> bool:
        return self.watch.is_over() or self.evaluator.n_checked >= PATIENCE

    def _judge(self, node: Levels) -> int | None:
        """Rows that every finer node must suppress; None: no finer node can be a solution."""
        if node not in self.judged:
            verdict, _ = self.evaluator.check(node)
            self.judged[node] = None if verdict.refuses_finer else verdict.inherited
            self.watch.tick(self.evaluator.n_checked)
        return self.judged[node]

    def _walk(self, node: Levels) -> None:
        """Move to better neighbors while there are any: one level down, one up, then one for another."""
        self._judge(node)
        better = True
        while better and not self._is_over():
            better = False
            for neighbors in (self._one_down(node), self._one_up(node), self._exchanged(node)):
                before = self.evaluator.best
                for neighbor in neighbors:
                    if self._is_over():
                        return
                    self._judge(neighbor)
                if self.evaluator.best is not before and self.evaluator.best is not None:
                    node, better = self.evaluator.best.levels, True
                    break

    def _one_down(self, node: Levels) -> Iterator[Levels]:
        return (_moved(node, j, -1) for j in self.order if node[j] > 0)

    def _one_up(self, node: Levels) -> Iterator[Levels]:
        return (_moved(node, j, 1) for j in self.order if node[j] < self.lattice.heights[j])

    def _exchanged(self, node: Levels) -> Iterator[Levels]:
        """One attribute a level down, another a level up, where the bound leaves hope."""
        for down in self._one_down(node):
            for up in self._one_up(down):
                if up != node and self._can_win(self._bound(up, 0), up):
                    yield up

    def _bound(self, finest: Levels, suppressed: int) -> Key:
        """No node at or above `finest` that suppresses so many rows can lose less."""
        levels = np.array(finest)[None, :]
        return key_of(self.evaluator.loss.lower_bounds(levels, np.array([suppressed]))[0])

    def _can_win(self, bound: Key, finest: Levels) -> bool:
        best = self.evaluator.best
        return best is None or (bound, sum(finest), finest) < best.order

    def _split_boxes(self) -> Outcome:
        """Best-first search over boxes."""
        bottom = (0,) * len(self.lattice.heights)
        heap: list[Box] = [(self._bound(bottom, 0), 0, bottom, 0)]
        while heap:
            bound, _, finest, fixed = heap[0]
            if not self._can_win(bound, finest):
                break
            if self._is_over():
                n_open = self.lattice.size - len(self.judged)
                return Outcome(finished=False, n_open=n_open, bound=bound)
            heapq.heappop(heap)
            if fixed < len(self.order):
                for box in self._parts(finest, fixed):
                    heapq.heappush(heap, box)
        return Outcome(finished=True, n_open=0, bound=None)

    def _parts(self, finest: Levels, fixed: int) -> Iterator[Box]:
        """The box split by the level of the next attribute; parts that cannot win are left out."""
        j = self.order[fixed]
        free = self.order[fixed + 1 :]
        for level in reversed(range(self.lattice.heights[j] + 1)):
            low = _moved(finest, j, level)
            high = [*low]
            for i in free:
                high[i] = self.lattice.heights[i]
            suppressed = self._judge(tuple(high))
            if suppressed is None:
                return
            bound = self._bound(low, suppressed)
            if free and self._can_win(bound, low):
                yield bound, sum(low), low, fixed + 1


def _moved(node: Levels, j: int, by: int) -> Levels:
    """The node with the level of attribute j changed."""
    return (*node[:j], node[j] + by, *node[j + 1 :])
