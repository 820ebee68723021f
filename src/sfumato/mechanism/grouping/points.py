"""Rows in space: numbers and places in trees of categories, between which there are distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Rows in space.

    Args:
        numbers: (n, p) float64, scaled.
        nodes: (n, q) int64, node of each row at each level of each category; small codes from 0.
        weights: (q,) float64, squared distance of two rows that differ there.
    """

    numbers: FloatArray
    nodes: IntArray
    weights: FloatArray

    def take(self, rows: IntArray | BoolArray) -> Points:
        """Some of the rows, by number or by mark."""
        return Points(self.numbers[rows], self.nodes[rows], self.weights)
