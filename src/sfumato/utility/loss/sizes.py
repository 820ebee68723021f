"""Losses that look at classes alone: discernibility, average class size, ambiguity.

Discernibility is the number of rows from which a row cannot be told apart: DM = sum over kept classes of |E|² + n · suppressed
rows; DM* leaves suppression out: sum over all classes of |E|². Average class size (AECS), with all suppressed rows as one
more class: n / (suppression · kept classes + generalization · [some row is suppressed]), the two factors where ARX puts
them. Ambiguity: sum over the rows of prod over attributes of the number of leaves below the published value; a suppressed
row counts all combinations of leaves.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import Balanced, Prepared, most_classes, rows_by_node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class DiscernibilityLoss:
    """Sum over the rows of the number of rows that look the same; n for a suppressed row.

    Args:
        ignores_suppression: judge all classes as if none were suppressed (DM*).

    Source:
        R. Bayardo and R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005, equation 1.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> DiscernibilityLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        13.0
    """

    name = "discernibility"

    ignores_suppression: bool = False

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedDiscernibility:
        """Note the number of rows."""
        return PreparedDiscernibility(self, finest, attributes)


class PreparedDiscernibility(Prepared[DiscernibilityLoss]):
    """Discernibility bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ()

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: equal classes, as many as the labels allow; n for each suppressed row."""
        most = most_classes(self._finest, self._attributes, levels)
        n = float(self._n)
        if self._loss.ignores_suppression or suppressed is None:
            return np.floor(n**2 / most * (1 - 1e-12))
        split = (n - suppressed) ** 2 / most + n * suppressed
        out: FloatArray = np.floor(np.where(most < 2, n**2, split) * (1 - 1e-12))
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        del levels
        squares = classes.rows.astype(np.float64) ** 2
        if self._loss.ignores_suppression:
            return float(squares.sum())
        return float(squares[kept].sum()) + float(self._n) * float(classes.rows[~kept].sum())

    def floor(self, levels: IntArray, classes: Classes) -> float:
        """The sum of squares without suppression: merging classes makes it larger."""
        del levels
        return float((classes.rows.astype(np.float64) ** 2).sum())


@dataclass(frozen=True, slots=True)
class ClassSizeLoss(Balanced):
    """Average size of the equivalence classes, suppressed rows counting as one class.

    Args:
        gs: balance of generalization against suppression, in [0, 1].

    Source:
        K. LeFevre et al., "Mondrian multidimensional k-anonymity", ICDE 2006, C_avg without the division
        by k; ARX 3.9, "Average equivalence class size".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> ClassSizeLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        2.0
    """

    name = "class_size"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedClassSize:
        """Note the number of rows."""
        return PreparedClassSize(self, finest, attributes)


class PreparedClassSize(Prepared[ClassSizeLoss]):
    """Average class size bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ()

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: as many classes as the labels allow, and one of suppressed rows."""
        del suppressed
        return self._average(most_classes(self._finest, self._attributes, levels), 1.0) * (1 - 1e-12)

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node; infinite where suppression weighs nothing and no row is suppressed."""
        del levels
        real = classes.rows > 0
        n_kept = np.array([float((kept & real).sum())])
        return float(self._average(n_kept, float((real & ~kept).any()))[0])

    def floor(self, levels: IntArray, classes: Classes) -> float:
        """Coarser nodes have no more classes than this one."""
        del levels
        return float(self._average(np.array([float((classes.rows > 0).sum())]), 1.0)[0] * (1 - 1e-12))

    def _average(self, n_classes: FloatArray, n_suppressed: float) -> FloatArray:
        factors = self._loss.factors
        weighted = factors.suppression * n_classes + factors.generalization * n_suppressed
        with np.errstate(divide="ignore"):
            return np.divide(float(self._n), weighted)


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

    name = "ambiguity"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedAmbiguity:
        """Average the logarithms of the leaf counts of every level."""
        return PreparedAmbiguity(self, finest, attributes)


class PreparedAmbiguity(Prepared[AmbiguityLoss]):
    """Ambiguity bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ("_all", "_log_largest", "_log_mean")

    def __init__(self, loss: AmbiguityLoss, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Average the logarithms of the leaf counts of every level."""
        super().__init__(loss, finest, attributes)
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
