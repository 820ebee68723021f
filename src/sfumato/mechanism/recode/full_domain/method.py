"""Full-domain generalization with record suppression: the level of each attribute that loses least.

A node of the lattice is one level per attribute. The nodes at or below (finer than) a node are a slice of the array
from the bottom, those at or above (coarser) a slice to the top; so what is learned at one node is
written to all that it concerns in one step.
"""

from __future__ import annotations

import time
from dataclasses import field
from fractions import Fraction
from math import floor, prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.shortfall import shortfall, spelled
from sfumato.mechanism.recode.decision import Decision, Limits, Progress, Search, silent
from sfumato.mechanism.recode.full_domain.candidate import Candidate, Evaluator
from sfumato.mechanism.recode.full_domain.exact import ExactSearch, Outcome
from sfumato.mechanism.recode.full_domain.heuristic import HeuristicSearch
from sfumato.mechanism.recode.full_domain.judge import Judge
from sfumato.recipe.steps import Recode, Suppress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.summary.classes import Classes
    from sfumato.summary.loss import Loss
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

LARGEST = 1_000_000
"""Most nodes of a lattice that is searched exactly: a few arrays of that length are kept."""


@dataclass(frozen=True, slots=True)
class FullDomain:
    """Generalize each attribute to one level everywhere and suppress the rows that stay exposed.

    The node returned has the least loss among all nodes at which the criteria hold for every published
    class and at most floor(limit · rows) rows are suppressed; at equal loss the one with the smallest sum of
    levels, then the lexicographically smallest. Lattices beyond a million nodes, and searches that
    meet a limit, return the best node found, and `Search.statement` says what was not explored. A
    node that publishes no row is no solution.

    Args:
        criteria: class and table criteria, all of which must hold.
        suppression_limit: most rows that may be suppressed, as a share in [0, 1]; exact.
        loss: the measure to minimize.
        limits: most seconds and nodes; without them a lattice of up to a million nodes is searched
            to the end.
        progress: told now and then how many nodes were judged; it may raise `Interrupted`.
        clock: source of seconds for the time limit.

    Raises:
        ParameterError: the suppression limit lies outside [0, 1]. Remedy: give a share.

    Source:
        L. Sweeney, IJUFKS 10(5), 2002 (the problem); K. El Emam et al., JAMIA 16(5), 2009 and
        F. Kohlmayer et al., "Flash", PASSAT 2012 (optimal search by predictive tagging).
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    suppression_limit: Fraction
    loss: Loss
    limits: Limits = field(default_factory=Limits)
    progress: Progress = silent
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if not 0 <= self.suppression_limit <= 1:
            raise ParameterError(
                "`suppression_limit` must be a share in [0, 1]; got {suppression_limit}.",
                "give 0.02 for two percent.",
                suppression_limit=self.suppression_limit,
            )

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Search the lattice.

        Args:
            finest: classes of leaf codes.
            attributes: the m quasi-identifiers, in the order of the columns of `finest.codes`.

        Raises:
            NoSolution: no node within the limit satisfies the criteria, or none was found in time.
            Interrupted: progress was told to stop.
        """
        evaluator = Evaluator(finest, attributes, self.judge(finest), self.loss)
        outcome = self.search(evaluator)
        if evaluator.best is None:
            raise no_solution(self, finest, outcome, evaluator.n_checked)
        search = search_of(lattice_size(attributes), evaluator.n_checked, outcome, evaluator.best)
        return decision_at(evaluator.best, attributes, finest.n_rows, search)

    def judge(self, finest: Classes) -> Judge:
        """What says whether a node keeps the criteria within the limit."""
        limit = floor(Fraction(self.suppression_limit) * finest.n_rows)
        return Judge(self.criteria, limit, counts_are_enough=finest.spread is None)

    def search(self, evaluator: Evaluator) -> Outcome:
        """Judge nodes until the best is known, or a limit is met; the evaluator keeps it.

        Raises:
            Interrupted: progress was told to stop.
        """
        attributes = evaluator.attributes
        size = lattice_size(attributes)
        watch = Watch(self.limits, self.clock, self.progress, size)
        lattice = Lattice(tuple(a.hierarchy.height for a in attributes))
        kind = ExactSearch if size <= LARGEST else HeuristicSearch
        return kind(evaluator, lattice, watch).run()


def no_solution(method: FullDomain, finest: Classes, outcome: Outcome, n_checked: int) -> NoSolution:
    """What was asked, and what stands against it."""
    names, why = spelled(*method.criteria), shortfall(method.criteria, finest)
    if outcome.finished:
        return NoSolution(
            "No levels keep {names} while suppressing at most {suppression_limit:g} of the rows.{why}",
            "allow more suppression, weaken a promise, or give hierarchies with more levels.",
            names=names,
            suppression_limit=float(method.suppression_limit),
            why=why,
        )
    return NoSolution(
        "No levels that keep {names} were found within the limits of the search ({n_checked} nodes judged).{why}",
        "allow more time or nodes, or more suppression; or generalize some attributes beforehand.",
        names=names,
        n_checked=n_checked,
        why=why,
    )


def search_of(size: int, n_checked: int, outcome: Outcome, best: Candidate) -> Search:
    """What was explored, in one sentence."""
    if outcome.finished:
        text = (
            f"Optimal: {n_checked} of {size} nodes were judged; each of the others is excluded by a lower "
            "bound of its loss or by a coarser node that fails."
        )
        return Search(size, n_checked, optimal=True, statement=text)
    bound = outcome.bound[0] if outcome.bound is not None else 0.0
    text = (
        f"Best found, not proved optimal: {n_checked} of {size} nodes were judged and at most {outcome.n_open} "
        f"remain open ({outcome.n_open / size:.3%} of the lattice); no node can lose less than {bound:.6g}, "
        f"the one chosen loses {best.loss[0]:.6g}."
    )
    return Search(size, n_checked, optimal=False, statement=text)


def decision_at(best: Candidate, attributes: Sequence[Attribute], n_rows: int, search: Search) -> Decision:
    """The steps that carry the candidate out."""
    real = best.classes.rows > 0
    gone = real & ~best.kept
    published = best.classes.select(best.kept & real)
    step = Suppress(tuple(attributes), best.levels, best.classes.codes[gone]) if gone.any() else None
    return Decision(
        columns=tuple(Recode(a, level) for a, level in zip(attributes, best.levels, strict=True)),
        step=step,
        published=published,
        suppressed_rows=n_rows - published.n_rows,
        levels=best.levels,
        loss=float(np.float64(best.loss[0])),
        search=search,
    )


Slices = tuple[slice, ...]


def lattice_size(attributes: Sequence[Attribute]) -> int:
    """Number of nodes, as a Python integer: it passes 2**63 at about fifty attributes."""
    return prod(a.hierarchy.height + 1 for a in attributes)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The lattice of m attributes.

    Args:
        heights: highest level of each attribute.

    Example:
        >>> lattice = Lattice((1, 2))
        >>> lattice.size, lattice.levels().tolist()[3], lattice.index((1, 0))
        (6, [1, 0], 3)
    """

    heights: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each dimension; attributes without a choice have none."""
        return tuple(h + 1 for h in self.heights if h > 0)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return prod(self.shape)

    @property
    def top(self) -> tuple[int, ...]:
        """The most general node."""
        return self.heights

    def levels(self) -> IntArray:
        """(size, m) int64: every node, in lexicographic order."""
        out = np.zeros((self.size, len(self.heights)), np.int64)
        free = [j for j, h in enumerate(self.heights) if h > 0]
        if free:
            out[:, free] = np.indices(self.shape).reshape(len(free), -1).T
        return out

    def index(self, node: Sequence[int]) -> int:
        """Position of a node in `levels`."""
        at = 0
        for level, height in zip(node, self.heights, strict=True):
            at = at * (height + 1) + int(level)
        return at

    def below(self, node: Sequence[int]) -> Slices:
        """The nodes at or below a node."""
        return tuple(slice(0, int(x) + 1) for x, h in zip(node, self.heights, strict=True) if h > 0)

    def above(self, node: Sequence[int]) -> Slices:
        """The nodes at or above a node."""
        return tuple(slice(int(x), None) for x, h in zip(node, self.heights, strict=True) if h > 0)


EVERY = 16
"""Nodes between two calls of progress."""


class Watch:
    """Limits of one search, and its progress.

    Args:
        limits: most seconds and most nodes.
        clock: seconds that only grow; passed in, so that decisions stay testable.
        progress: told now and then; it may raise `Interrupted`.
        total: nodes in the lattice.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float], progress: Progress, total: int) -> None:
        """Start the clock."""
        self._limits = limits
        self._clock = clock
        self._progress = progress
        self._total = total
        self._start = clock() if limits.seconds is not None else 0.0
        self._checked = 0

    def tick(self, n_checked: int) -> None:
        """Note how many nodes were judged.

        Raises:
            Interrupted: progress was told to stop.
        """
        self._checked = n_checked
        if n_checked % EVERY == 1:
            self._progress(n_checked, self._total, "nodes of the lattice judged")

    def is_over(self) -> bool:
        """Whether a limit is reached."""
        nodes, seconds = self._limits.nodes, self._limits.seconds
        if nodes is not None and self._checked >= nodes:
            return True
        return seconds is not None and self._clock() - self._start >= seconds
