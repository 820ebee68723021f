"""One node of the lattice as a solution: what it loses, and which of two is better."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.full_domain.judge import Verdict, no_way
from sfumato.mechanism.recode.full_domain.part import Parts
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.summary.loss import GrowingLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.full_domain.judge import Judge, Ways
    from sfumato.mechanism.recode.full_domain.table import Node
    from sfumato.summary.classes import Classes
    from sfumato.summary.loss import Loss
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray

Key: TypeAlias = tuple[float, ...]
"""A loss, compared entry by entry."""

Levels: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A solution: a node, its classes, which are kept, and what it loses.

    The better of two is the one with the smaller loss; at equal loss the smaller sum of levels; then
    the lexicographically smaller levels.
    """

    levels: Levels
    classes: Classes
    kept: BoolArray
    loss: Key

    @property
    def order(self) -> tuple[Key, int, Levels]:
        """Sorts candidates from best to worst."""
        return self.loss, sum(self.levels), self.levels


class Evaluator:
    """Judges nodes and keeps the best solution seen.

    Tables of coarser classes are kept as bases, so that a node is rolled up from the smallest table
    that is finer than it.
    """

    def __init__(self, finest: Classes, attributes: Sequence[Attribute], judge: Judge, loss: Loss) -> None:
        """Bind the loss to the table."""
        self.attributes = tuple(attributes)
        self.judge = judge
        self.loss = loss.prepare(finest, attributes)
        self.growing = self.loss if isinstance(self.loss, GrowingLoss) else None
        self.bases = [Table(finest, (0,) * len(attributes), attributes)]
        self.parts = Parts(self.bases[0], judge.limit)
        self.best: Candidate | None = None
        self.n_checked = 0

    @property
    def finest(self) -> Table:
        """The table of all distinct tuples."""
        return self.bases[0]

    def node(self, levels: Levels) -> Node:
        """The node, to be counted from the smallest base that is finer."""
        fitting = [b for b in self.bases if all(x <= y for x, y in zip(b.levels, levels, strict=True))]
        return min(fitting, key=lambda b: b.classes.n_classes).at(levels)

    def add_base(self, levels: Levels, *, shrink: float = 0.5) -> None:
        """Keep the table at `levels` as a base if it is at most `shrink` times what it is made from."""
        node = self.node(levels)
        if node.levels != node.table.levels and node.classes.n_classes <= shrink * node.table.classes.n_classes:
            self.bases.append(Table(node.classes, levels, self.attributes))

    def check(self, levels: Levels) -> tuple[Verdict, float]:
        """Judge a node and remember it if it is the best so far.

        Returns:
            The verdict, and the loss below which neither this node nor a coarser one can fall.
        """
        self.n_checked += 1
        node = self.node(levels)
        verdict = self._hopeless(node) or self.judge.judge(node)
        if verdict.suppressed is not None:
            self._weigh(node, verdict.ways, verdict.suppressed)
        floor = self.growing.floor(np.array(levels), node.classes) if self.growing is not None else 0.0
        return verdict, floor

    def _hopeless(self, node: Node) -> Verdict | None:
        """What some or unions of its classes say of a node that cannot be the best; None: its classes must be counted."""
        if self.growing is not None or not self.judge.reads_unions:
            return None
        gone = self.parts.refuse(node, self.judge.must_go)
        if gone is not None:
            return Verdict(None, gone, refuses_finer=True, ways=no_way, is_partial=True)
        if node.unions is None:
            return None
        inherited = self.judge.must_go(node.unions)
        refuses = inherited > self.judge.limit
        if refuses or self._is_worse(node.levels, inherited):
            return Verdict(None, inherited, refuses_finer=refuses, ways=no_way, is_partial=True)
        return None

    def _is_worse(self, levels: Levels, suppressed: int) -> bool:
        """Whether the best so far is better than any coding at these levels that suppresses so many rows."""
        return self.best is not None and (self.bound(levels, suppressed), sum(levels), levels) > self.best.order

    def _weigh(self, node: Node, ways: Ways, suppressed: int) -> None:
        """Compute the loss unless its bound already says that the best is better."""
        if self._is_worse(node.levels, suppressed):
            return
        for kept in ways():
            found = self.weighed(node, kept)
            if self.best is None or found.order < self.best.order:
                self.best = found

    def bound(self, levels: Levels, suppressed: int) -> Key:
        """No coding at these levels that suppresses so many rows loses less."""
        return key_of(self.loss.lower_bounds(np.array(levels)[None, :], np.array([suppressed]))[0])

    def weighed(self, node: Node, kept: BoolArray) -> Candidate:
        """The node with what it loses where `kept` stays."""
        value = self.loss.value(np.array(node.levels), node.classes, kept)
        key = value if isinstance(value, tuple) else (float(value),)
        return Candidate(node.levels, node.classes, kept, key)


def key_of(bound: FloatArray | np.float64) -> Key:
    """A row of `lower_bounds` as a comparable key."""
    return tuple(np.atleast_1d(bound).tolist())


def columns_of(bounds: FloatArray) -> FloatArray:
    """(n, q) float64: bounds as columns to compare from left to right."""
    return bounds[:, None] if bounds.ndim == 1 else bounds


def as_levels(row: IntArray) -> Levels:
    """One row of a matrix of levels as a tuple."""
    return tuple(row.tolist())
