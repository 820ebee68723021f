"""Precision as a loss (Sweeney's 1 - Prec): how far up its hierarchy each cell was generalized.

Per attribute, (kept rows · generalization · level/height + suppressed rows · suppression) / n; by
default the arithmetic mean over attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import Aggregate, Balanced, Prepared, combine, one, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PrecisionLoss(Balanced):
    """Share of the way up the hierarchies, in [0, 1]; 1 for a suppressed cell.

    Args:
        gs: balance of generalization against suppression, in [0, 1].
        aggregate: how attributes are combined.
        ignores_suppression: count the levels alone, as if no row were suppressed (ARX's "monotonic"
            variant).

    Source:
        L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression",
        IJUFKS 10(5), 2002, definition of Prec.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> PrecisionLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        0.25
    """

    name = "precision"

    aggregate: Aggregate = Aggregate.ARITHMETIC_MEAN
    ignores_suppression: bool = False

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedPrecision:
        """Note heights and the number of rows."""
        return PreparedPrecision(self, finest, attributes)


class PreparedPrecision(Prepared[PrecisionLoss]):
    """Precision bound to a table."""

    __slots__ = ("_heights",)

    def __init__(self, loss: PrecisionLoss, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Note the heights."""
        super().__init__(loss, finest, attributes)
        self._heights = np.array([max(a.hierarchy.height, 1) for a in attributes])

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: exact but for the rows suppressed beyond those known."""
        gone = np.zeros(len(levels), np.int64) if suppressed is None else suppressed
        factors = self._loss.factors
        if factors.suppression < factors.generalization:  # a suppressed row may cost less than a kept one
            dearest = self._losses(levels, np.zeros(len(levels), np.int64))
            losses = np.minimum(dearest, factors.suppression)
        else:
            losses = self._losses(levels, gone)
        return combine(safe(losses), self._weights, self._loss.aggregate)

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node."""
        gone = np.array([int(classes.rows[~kept].sum())])
        return one(self._losses(levels[None, :], gone)[0], self._weights, self._loss.aggregate)

    def _losses(self, levels: IntArray, gone: IntArray) -> FloatArray:
        """(n_nodes, m) float64: loss of each attribute."""
        factors = self._loss.factors
        rise: FloatArray = levels / self._heights * factors.generalization
        if self._loss.ignores_suppression or self._n == 0:
            return rise
        share = gone[:, None] / self._n
        out: FloatArray = (1 - share) * rise + share * factors.suppression
        return out
