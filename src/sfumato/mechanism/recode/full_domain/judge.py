"""One node of the lattice, judged: which of its classes may be published, and how many rows must go.

A class that violates a class criterion is suppressed. While the remaining ones violate a table
criterion together, the smallest of them are suppressed too. Which ones of equal size go first is open:
two ways are offered, and the one that loses less is taken: the most general first (their rows have
least left to lose), or those whose labels most of the smallest share (they go together). A class
without rows to publish is known from the population only: it cannot be suppressed, so a criterion that
judges absence and fails there refuses the node.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion, Move, Need, TableCriterion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.recode.full_domain.table import Node
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray, IntArray

    Ways = Callable[[], tuple[BoolArray, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What is known of a node after judging it.

    Args:
        suppressed: rows that must be suppressed there; None: no solution within the limit.
        inherited: rows that every finer node must suppress too.
        refuses_finer: whether no finer node can be a solution.
        ways: finds the sets of classes that may stay, (n_classes,) bool each; () without a solution. Called only where
            a node may be the best: which of equally large classes stay is dear to find.
        is_partial: whether only some or unions of the classes were counted, which say that the node is not the best:
            more rows may have to go, and there may be a solution.
    """

    suppressed: int | None
    inherited: int
    refuses_finer: bool
    ways: Ways
    is_partial: bool = False


class Judge:
    """Criteria sorted by what they cost to check and by what they teach about finer nodes."""

    def __init__(self, criteria: Sequence[Criterion | TableCriterion], limit: int, *, counts_are_enough: bool) -> None:
        """Sort the criteria.

        Args:
            criteria: class and table criteria.
            limit: most rows that may be suppressed.
            counts_are_enough: whether class sizes can be had without merging persons.
        """
        self.limit = limit
        by_class = [c for c in criteria if isinstance(c, Criterion)]
        self._table = [c for c in criteria if not isinstance(c, Criterion) and isinstance(c, TableCriterion)]
        self._cheap = [c for c in by_class if counts_are_enough and c.needs <= {Need.POPULATION}]
        self._dear = [c for c in by_class if c not in self._cheap]
        self._table_is_cheap = counts_are_enough and all(c.needs <= {Need.POPULATION} for c in self._table)
        self._table_merges = all(Move.MERGE in c.monotone_in for c in self._table)
        self._of_unions = [c for c in self._cheap if Move.ABSORB in c.monotone_in]

    @property
    def teaches(self) -> bool:
        """Whether a judged node can say something about finer ones."""
        by_class = [c.monotone_in for c in (*self._cheap, *self._dear)]
        if any(Move.ABSORB in moves for moves in by_class):
            return True
        together = [c.monotone_in for c in self._table]
        return self.limit == 0 and any(Move.MERGE in moves for moves in (*by_class, *together))

    def passes_coarser(self, verdict: Verdict, *, has_population: bool) -> bool:
        """Whether every coarser node must be a solution too.

        Where all criteria absorb, a coarser node suppresses a part of the rows that this one does. Where nothing is
        suppressed, it suffices that they hold for unions.

        Args:
            verdict: of a node.
            has_population: whether there are classes that publish nobody.
        """
        by_class = [*self._cheap, *self._dear]
        if verdict.suppressed is None or any(_judges_absence(c) for c in by_class):
            return False
        if not self._table and all(Move.ABSORB in c.monotone_in for c in by_class):
            return True
        merges = all(Move.MERGE in c.monotone_in for c in (*by_class, *self._table))
        return verdict.suppressed == 0 and merges and not has_population

    @property
    def reads_unions(self) -> bool:
        """Whether unions of classes can say that rows must go."""
        return bool(self._of_unions)

    def must_go(self, unions: Classes) -> int:
        """Rows that a node must suppress, at least: those of unions of its classes that violate a criterion.

        A class that keeps a criterion which absorbs makes every union with it keep it.
        """
        holds = np.ones(unions.n_classes, bool)
        for criterion in self._of_unions:
            holds &= criterion.holds(unions)
        return _rows_gone(unions, holds)

    def judge(self, node: Node) -> Verdict:
        """Judge a node: cheap criteria first, and no further than the limit."""
        inherited = 0
        kept: BoolArray | None = None
        absorbing: BoolArray | None = None
        for criteria, dear in ((self._cheap, False), (self._dear, True)):
            if not criteria and (dear or self._dear):
                continue
            classes = node.classes if dear else node.sizes
            real = classes.rows > 0
            kept = real if kept is None else kept
            absorbing = real if absorbing is None else absorbing
            for criterion in criteria:
                holds = criterion.holds(classes)
                if not real.all() and _judges_absence(criterion) and not holds[~real].all():
                    return Verdict(None, inherited, refuses_finer=False, ways=no_way)
                absorbs, is_one = Move.ABSORB in criterion.monotone_in, absorbing is kept
                kept = kept & holds
                if absorbs:
                    absorbing = kept if is_one else absorbing & holds
                if self.limit == 0 and Move.MERGE in criterion.monotone_in and not holds[real].all():
                    return Verdict(None, inherited, refuses_finer=True, ways=no_way)
            inherited = _rows_gone(classes, absorbing)
            gone = inherited if absorbing is kept else _rows_gone(classes, kept)
            if gone > self.limit or not kept.any():
                return Verdict(None, inherited, refuses_finer=inherited > self.limit, ways=no_way)
        if kept is None:
            kept = node.sizes.rows > 0
        return self._judge_together(node, kept, inherited)

    def _judge_together(self, node: Node, kept: BoolArray, inherited: int) -> Verdict:
        """Suppress the smallest classes until the table criteria hold."""
        if not self._table:
            gone = _rows_gone(node.sizes, kept)
            return Verdict(gone, inherited, refuses_finer=False, ways=lambda: (kept,))
        classes = node.sizes if self._table_is_cheap else node.classes
        if self._together(classes, kept):
            gone = _rows_gone(classes, kept)
            return Verdict(gone, inherited, refuses_finer=False, ways=lambda: (kept,))
        order = self._order(node, classes, kept)
        fewest = self._fewest_gone(classes, kept, order)
        if fewest is None:
            refuses = self.limit == 0 and self._table_merges
            return Verdict(None, inherited, refuses_finer=refuses, ways=no_way)
        gone = _rows_gone(classes, _without(kept, order[:fewest]))
        ways = partial(self._ways_without, node, classes, kept, fewest)
        return Verdict(gone, inherited, refuses_finer=False, ways=ways)

    def _order(self, node: Node, classes: Classes, kept: BoolArray) -> IntArray:
        """Indices of the kept classes, smallest first; those of one size in any order if only sizes are judged."""
        if self._table_is_cheap and classes.alone is classes.rows and classes.population is None:
            inside = np.flatnonzero(kept)
            return inside[np.argsort(classes.rows[inside], kind="stable")]
        return _most_general_first(node, classes, kept)

    def _fewest_gone(self, classes: Classes, kept: BoolArray, order: IntArray) -> int | None:
        """How many of the first classes must go so that the table criteria hold; None: that is beyond the limit."""
        budget = self.limit - _rows_gone(classes, kept)
        most = int(np.searchsorted(np.cumsum(classes.rows[order]), budget, side="right"))
        low, high = 0, min(most, len(order) - 1)
        if high == 0 or not self._together(classes, _without(kept, order[:high])):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self._together(classes, _without(kept, order[:middle])):
                high = middle
            else:
                low = middle
        return high

    def _ways_without(self, node: Node, classes: Classes, kept: BoolArray, fewest: int) -> tuple[BoolArray, ...]:
        """`kept` without so many of the smallest classes: the most general, and those that are alike."""
        order = _most_general_first(node, classes, kept)
        first = _without(kept, order[:fewest])
        second = _without(kept, _alike_first(node, classes, order)[:fewest])
        return (first, second) if self._together(classes, second) else (first,)

    def _together(self, classes: Classes, kept: BoolArray) -> bool:
        published = classes.select(kept)
        return all(c.holds_together(published) for c in self._table)


def no_way() -> tuple[BoolArray, ...]:
    """There is no solution, or nobody asks for one."""
    return ()


def _judges_absence(criterion: Criterion) -> bool:
    """Whether the criterion speaks of population classes that publish nobody."""
    return bool(getattr(criterion, "judges_absence", False))


def _rows_gone(classes: Classes, kept: BoolArray) -> int:
    """Rows of the classes that do not stay; a product, since picking scattered ones takes longer."""
    return int(classes.rows @ ~kept)


def _without(kept: BoolArray, gone: IntArray) -> BoolArray:
    out = kept.copy()
    out[gone] = False
    return out


def _most_general_first(node: Node, classes: Classes, kept: BoolArray) -> IntArray:
    """Indices of the kept classes: fewest rows, then most general, then first in code order."""
    inside = np.flatnonzero(kept)
    generality = np.zeros(len(inside))
    codes = node.decode(inside)
    for j, (attribute, level) in enumerate(zip(node.table.attributes, node.levels, strict=True)):
        generality += attribute.hierarchy.shares(level)[codes[:, j]]
    return inside[np.lexsort((-generality, classes.rows[inside]))]


def _alike_first(node: Node, classes: Classes, order: IntArray) -> IntArray:
    """The same sizes in the same order, but within a size those with the labels that most classes of it share."""
    rows, codes = classes.rows[order], node.decode(order)
    rarity = np.zeros(len(order))
    for column in codes.T:
        key = rows * (int(column.max(initial=0)) + 1) + column
        _, member, count = np.unique(key, return_inverse=True, return_counts=True)
        rarity -= np.log(count[member])
    return order[np.lexsort((rarity, rows))]
