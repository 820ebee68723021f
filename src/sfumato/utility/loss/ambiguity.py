"""Ambiguity: how many original tuples could stand behind each row.

loss = sum over the rows of prod over attributes of the number of leaves below the published value; a
suppressed row counts all combinations of leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.parts import rows_by_node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class AmbiguityLoss:
    """Sum over the rows of the number of leaf combinations that the published row covers.

    Source:
        J. Goldberger and T. Tassa, "Efficient anonymizations with enhanced utility", Transactions on
        Data Privacy 3(2), 2010, section 2 (ambiguity metric).

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> AmbiguityLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        5.0
    """

    @property
    def name(self) -> str:
        """`ambiguity`."""
        return "ambiguity"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedAmbiguity:
        """Average the logarithms of the leaf counts of every level."""
        return PreparedAmbiguity(finest, attributes)


class PreparedAmbiguity:
    """Ambiguity bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ("_all", "_attributes", "_log_largest", "_log_mean", "_n")

    def __init__(self, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Average the logarithms of the leaf counts of every level."""
        self._attributes = tuple(attributes)
        self._n = finest.n_rows
        self._all = float(prod(a.hierarchy.n_leaves for a in attributes))
        rows = rows_by_node(finest, attributes)
        trees = [a.hierarchy for a in attributes]
        logs = [[np.log(t.leaf_counts(level)) for level in range(t.height + 1)] for t in trees]
        n = max(self._n, 1)
        self._log_mean = [
            np.array([(counts @ log) / n for counts, log in zip(r, by_level, strict=True)])
            for r, by_level in zip(rows, logs, strict=True)
        ]
        self._log_largest = [np.array([log.max() for log in by_level]) for by_level in logs]

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: n exp(mean log) by Jensen; a suppressed row is the largest product or more."""
        mean = sum((log[levels[:, j]] for j, log in enumerate(self._log_mean)), np.zeros(len(levels)))
        bounds = self._n * np.exp(mean)
        if suppressed is not None:
            largest = sum((log[levels[:, j]] for j, log in enumerate(self._log_largest)), np.zeros(len(levels)))
            bounds = bounds + suppressed * np.maximum(self._all - np.exp(largest), 0.0)
        out: FloatArray = bounds * (1 - 1e-11)
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        covered = np.where(kept, self._covered(levels, classes), self._all)
        return float(classes.rows @ covered)

    def floor(self, levels: IntArray, classes: Classes) -> float:
        """The ambiguity without suppression: generalizing makes it larger."""
        return float(classes.rows @ self._covered(levels, classes)) * (1 - 1e-12)

    def _covered(self, levels: IntArray, classes: Classes) -> FloatArray:
        """(n_classes,) float64: leaf combinations below each class."""
        out = np.ones(classes.n_classes)
        for j, level in enumerate(levels.tolist()):
            out *= self._attributes[j].hierarchy.leaf_counts(level)[classes.codes[:, j]]
        return out
