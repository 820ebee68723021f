"""Average class size (AECS), with all suppressed rows as one more class.

loss = n / (suppression · kept classes + generalization · [some row is suppressed]); the two factors
stand where ARX puts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.parts import Factors, most_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ClassSizeLoss:
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

    gs: float = 0.5

    def __post_init__(self) -> None:
        Factors(self.gs)

    @property
    def name(self) -> str:
        """`class_size`."""
        return "class_size"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedClassSize:
        """Note the number of rows."""
        return PreparedClassSize(finest, attributes, Factors(self.gs))


class PreparedClassSize:
    """Average class size bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ("_attributes", "_factors", "_finest", "_n")

    def __init__(self, finest: Classes, attributes: Sequence[Attribute], factors: Factors) -> None:
        """Note the number of rows."""
        self._finest = finest
        self._attributes = tuple(attributes)
        self._factors = factors
        self._n = finest.n_rows

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
        weighted = self._factors.suppression * n_classes + self._factors.generalization * n_suppressed
        with np.errstate(divide="ignore"):
            return np.divide(float(self._n), weighted)
