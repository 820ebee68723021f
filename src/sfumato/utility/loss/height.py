"""Height: how many generalization steps were taken, which is the height of the node in the lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import Aggregate, Prepared, combine, one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class HeightLoss:
    """Sum of the levels; suppression costs nothing.

    Args:
        aggregate: how attributes are combined.

    Source:
        P. Samarati, IEEE TKDE 13(6), 2001, section 4 (height in the generalization hierarchy).

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> HeightLoss().prepare(finest, [sex]).lower_bounds(np.array([[0], [1]])).tolist()
        [0.0, 1.0]
    """

    name = "height"

    aggregate: Aggregate = Aggregate.SUM

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedHeight:
        """Note the weights; the rows do not matter."""
        return PreparedHeight(self, finest, attributes)


class PreparedHeight(Prepared[HeightLoss]):
    """Height bound to a table."""

    __slots__ = ()

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: the loss itself."""
        del suppressed
        return combine(levels.astype(float), self._weights, self._loss.aggregate)

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node."""
        del classes, kept
        return one(levels.astype(float), self._weights, self._loss.aggregate)
