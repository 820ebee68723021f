"""Discernibility: from how many rows a row cannot be told apart.

DM = sum over kept classes of |E|² + n · suppressed rows. DM* leaves suppression out: sum over all
classes of |E|².
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.parts import most_classes

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

    ignores_suppression: bool = False

    @property
    def name(self) -> str:
        """`discernibility`."""
        return "discernibility"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedDiscernibility:
        """Note the number of rows."""
        return PreparedDiscernibility(finest, attributes, ignores_suppression=self.ignores_suppression)


class PreparedDiscernibility:
    """Discernibility bound to a table. It grows with generalization: see `floor`."""

    __slots__ = ("_attributes", "_finest", "_ignores", "_n")

    def __init__(self, finest: Classes, attributes: Sequence[Attribute], *, ignores_suppression: bool) -> None:
        """Note the number of rows."""
        self._finest = finest
        self._attributes = tuple(attributes)
        self._n = finest.n_rows
        self._ignores = ignores_suppression

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: equal classes, as many as the labels allow; n for each suppressed row."""
        most = most_classes(self._finest, self._attributes, levels)
        n = float(self._n)
        if self._ignores or suppressed is None:
            return np.floor(n**2 / most * (1 - 1e-12))
        split = (n - suppressed) ** 2 / most + n * suppressed
        out: FloatArray = np.floor(np.where(most < 2, n**2, split) * (1 - 1e-12))
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        del levels
        squares = classes.rows.astype(np.float64) ** 2
        if self._ignores:
            return float(squares.sum())
        return float(squares[kept].sum()) + float(self._n) * float(classes.rows[~kept].sum())

    def floor(self, levels: IntArray, classes: Classes) -> float:
        """The sum of squares without suppression: merging classes makes it larger."""
        del levels
        return float((classes.rows.astype(np.float64) ** 2).sum())
