"""The joint between a search and a loss measure: what a lattice search minimizes.

Measures live in `utility`; searches live in `mechanism`; they meet in `release`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


class PreparedLoss(Protocol):
    """A loss measure bound to one table: cheap to ask about many nodes of the lattice."""

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: no solution at the node can lose less, rounding of `value` included.

        Nor can a solution at any coarser node that suppresses at least as many rows.

        Args:
            levels: (n_nodes, m) int64.
            suppressed: (n_nodes,) int64, rows that every solution at the node suppresses at least;
                None: possibly none.

        Returns:
            (n_nodes,) float64; or (n_nodes, q) where losses are compared column by column.
        """
        ...

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node. `levels` (m,), its classes, and which of them are not suppressed.

        A tuple of q numbers is compared entry by entry; the first entry is what people are shown.
        """
        ...


@runtime_checkable
class GrowingLoss(PreparedLoss, Protocol):
    """A measure that cannot fall below what coarser classes lose by their size alone."""

    def floor(self, levels: IntArray, classes: Classes) -> float:
        """No solution at this node, nor at any coarser one, can lose less."""
        ...


class Loss(Protocol):
    """A loss measure of a full-domain generalization."""

    @property
    def name(self) -> str:
        """Stable identifier for plans and scripts."""
        ...

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedLoss:
        """Bind to the finest classes and to the attributes."""
        ...
