"""The solution space of a search: every node that it judged, and what these say of the others.

Nothing here takes part in a search that decides a release: a recorder stands in for the evaluator and writes down what
the evaluator would have forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.full_domain.candidate import Evaluator
from sfumato.mechanism.recode.full_domain.method import Lattice, lattice_size, no_solution, search_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.mechanism.recode.full_domain.candidate import Candidate, Levels
    from sfumato.mechanism.recode.full_domain.judge import Judge, Verdict, Ways
    from sfumato.mechanism.recode.full_domain.method import FullDomain
    from sfumato.mechanism.recode.full_domain.table import Node
    from sfumato.summary.classes import Classes
    from sfumato.summary.loss import Loss
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

OPEN, HOLDS, FAILS, MUST_HOLD, MUST_FAIL = range(5)
"""What is known of a node: nothing; judged, anonymous or not; the same without being judged, from a finer or coarser one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a node that was judged.

    Args:
        levels: of the attributes.
        suppressed: rows that must be suppressed there; None: no solution within the limit.
        loss: what it loses; None: no solution.
        at_least: no coding at these levels that keeps the criteria loses less.
        refuses_finer: whether no finer node can be a solution.
        passes_coarser: whether every coarser node is a solution.
    """

    levels: Levels
    suppressed: int | None
    loss: float | None
    at_least: float
    refuses_finer: bool
    passes_coarser: bool


@dataclass(frozen=True, slots=True)
class Space:
    """What a search judged.

    Args:
        heights: highest level of each attribute.
        judged: every judged node, in the order of judging.
        best: levels of the node that loses least; None: none is a solution, or none was found.
        optimal: whether that is proved.
        statement: what was explored, in a sentence.
    """

    heights: Levels
    judged: tuple[Judged, ...]
    best: Levels | None
    optimal: bool
    statement: str


class Recorder(Evaluator):
    """Judges as the evaluator does, finds the same best node, and keeps what it saw."""

    def __init__(self, finest: Classes, attributes: Sequence[Attribute], judge: Judge, loss: Loss) -> None:
        """Nothing was judged yet."""
        super().__init__(finest, attributes, judge, loss)
        self.judged: dict[Levels, Judged] = {}
        self._ways: list[Candidate] = []
        self._has_population = finest.population is not None

    def check(self, levels: Levels) -> tuple[Verdict, float]:
        """Judge a node, and keep what is known of it."""
        self._ways = []
        verdict, floor = super().check(levels)
        shown = self._counted(levels) if verdict.is_partial else verdict
        least = min((way.loss for way in self._ways), default=None)
        bound = self.bound(levels, shown.inherited)[0]
        self.judged[levels] = Judged(
            levels=levels,
            suppressed=shown.suppressed,
            loss=None if least is None else least[0],
            at_least=max(bound, floor) if least is None else least[0],
            refuses_finer=shown.refuses_finer,
            passes_coarser=self.judge.passes_coarser(shown, has_population=self._has_population),
        )
        return verdict, floor

    def _counted(self, levels: Levels) -> Verdict:
        """What is shown of a node for which some or unions of its classes were enough to search on."""
        node = self.node(levels)
        verdict = self.judge.judge(node)
        self._ways.extend(self.weighed(node, kept) for kept in verdict.ways())
        return verdict

    def _weigh(self, node: Node, ways: Ways, suppressed: int) -> None:
        found = ways()
        self._ways.extend(self.weighed(node, kept) for kept in found)
        super()._weigh(node, lambda: found, suppressed)


def explore(method: FullDomain, finest: Classes, attributes: Sequence[Attribute], also: Iterable[Levels] = ()) -> Space:
    """Search as `method` does, and keep every node that is judged.

    Args:
        method: what is searched, with its limits and progress.
        finest: classes of leaf codes.
        attributes: the quasi-identifiers.
        also: nodes that are judged whether the search needs them or not.

    Raises:
        Interrupted: progress was told to stop.
    """
    recorder = Recorder(finest, attributes, method.judge(finest), method.loss)
    outcome = method.search(recorder)
    best, size, n_checked = recorder.best, lattice_size(attributes), recorder.n_checked
    for levels in also:
        if levels not in recorder.judged:
            recorder.check(levels)
    heights = tuple(a.hierarchy.height for a in attributes)
    if best is None:
        why = no_solution(method, finest, outcome, n_checked).problem
        return Space(heights, tuple(recorder.judged.values()), None, outcome.finished, why)
    search = search_of(size, n_checked, outcome, best)
    return Space(heights, tuple(recorder.judged.values()), best.levels, search.optimal, search.statement)


def judged_at(method: FullDomain, finest: Classes, attributes: Sequence[Attribute], levels: Levels) -> Judged:
    """One node, judged as a search would."""
    recorder = Recorder(finest, attributes, method.judge(finest), method.loss)
    recorder.check(levels)
    return recorder.judged[levels]


def known(heights: Levels, judged: Iterable[tuple[Levels, bool, bool]]) -> IntArray:
    """What judged nodes say of every node.

    Args:
        heights: highest level of each attribute.
        judged: levels; whether the node is a solution; whether it says so of all coarser, or else denies it of all finer
            ones.

    Returns:
        (size,) int64: one of OPEN, HOLDS, FAILS, MUST_HOLD, MUST_FAIL for each node in the order of `Lattice.levels`.

    Example:
        >>> known((1, 2), [((1, 0), True, True), ((0, 1), False, True), ((0, 2), False, False)]).tolist()
        [4, 2, 2, 1, 3, 3]
    """
    lattice = Lattice(heights)
    found = np.full(lattice.shape, OPEN, np.int64)
    flat, nodes = found.reshape(-1), list(judged)
    for levels, holds, teaches in nodes:
        if teaches and flat[lattice.index(levels)] == OPEN:
            found[lattice.above(levels) if holds else lattice.below(levels)] = MUST_HOLD if holds else MUST_FAIL
    for levels, holds, _ in nodes:
        flat[lattice.index(levels)] = HOLDS if holds else FAILS
    return flat
