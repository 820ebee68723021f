"""The joint between a search and a loss measure: what a lattice search minimizes.

Measures live in `utility`; searches live in `mechanism`; they meet in `release`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


class PreparedLoss(Protocol):
    """A loss measure bound to one table: cheap to ask about many nodes of the lattice."""

    def lower_bounds(self, levels: IntArray) -> FloatArray:
        """(n_nodes,) float64: no solution at the node can lose less. `levels` is (n_nodes, m)."""
        ...

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node. `levels` (m,), its classes, and which of them are not suppressed."""
        ...


class Loss(Protocol):
    """A loss measure of a full-domain generalization."""

    name: str

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedLoss:
        """Bind to the finest classes and to the attributes."""
        ...
