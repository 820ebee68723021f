"""Entropy-based information loss: how many of the bits that tell rows apart are gone.

A kept row loses 1 + log10(prod of shares) / log10(prod of |H|), in [0, 1]; a suppressed row loses 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import Balanced, rows_by_node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray
    from sfumato.utility.loss.parts import Factors


def lost_bits(attributes: Sequence[Attribute], levels: IntArray, codes: IntArray) -> FloatArray:
    """(n_classes,) float64 in [0, 1]: share of the bits of a uniform leaf that a row of the class lost.

    Args:
        attributes: the m attributes.
        levels: (m,) int64.
        codes: (n_classes, m) int64, codes at those levels.

    Source:
        Z. Wan et al., "A game theoretic framework for analyzing re-identification risk", PLOS ONE 10(3),
        2015, equation 2.
    """
    most = sum(np.log(a.hierarchy.n_leaves) for a in attributes)
    if most == 0:
        return np.zeros(len(codes))
    out = np.zeros(len(codes))
    for j, (attribute, level) in enumerate(zip(attributes, levels.tolist(), strict=True)):
        out += np.log(attribute.hierarchy.leaf_counts(level))[codes[:, j]]
    share: FloatArray = np.clip(out / most, 0.0, 1.0)
    return share


@dataclass(frozen=True, slots=True)
class EntropyInformationLoss(Balanced):
    """Sum over the rows of the share of bits lost.

    Args:
        gs: balance of generalization against suppression, in [0, 1].

    Source:
        Z. Wan et al., PLOS ONE 10(3), 2015, equation 2; ARX 3.9, "Entropy-based information loss".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> EntropyInformationLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        1.0
    """

    name = "entropy_information_loss"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedEntropyInformation:
        """Sum the bits of every level once."""
        return PreparedEntropyInformation(BitMarginals(finest, attributes), self.factors)


class BitMarginals:
    """Bits lost at each level of each attribute: they add up over attributes."""

    __slots__ = ("attributes", "largest", "total")

    def __init__(self, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Sum over the rows, and find the largest, of the bits lost at every level."""
        self.attributes = tuple(attributes)
        trees = [a.hierarchy for a in attributes]
        most = sum(np.log(t.n_leaves) for t in trees) or 1.0
        logs = [[np.log(t.leaf_counts(level)) / most for level in range(t.height + 1)] for t in trees]
        rows = rows_by_node(finest, attributes)
        self.total = [
            np.array([counts @ log for counts, log in zip(r, by_level, strict=True)])
            for r, by_level in zip(rows, logs, strict=True)
        ]
        self.largest = [np.array([log.max() for log in by_level]) for by_level in logs]

    def totals(self, levels: IntArray) -> FloatArray:
        """(n_nodes,) float64: bits lost by all rows, none suppressed."""
        return sum((t[levels[:, j]] for j, t in enumerate(self.total)), np.zeros(len(levels)))

    def most(self, levels: IntArray) -> FloatArray:
        """(n_nodes,) float64: the most that one row can lose at the node without being suppressed."""
        return sum((t[levels[:, j]] for j, t in enumerate(self.largest)), np.zeros(len(levels)))


class PreparedEntropyInformation:
    """Entropy-based information loss bound to a table."""

    __slots__ = ("_bits", "_factors")

    def __init__(self, bits: BitMarginals, factors: Factors) -> None:
        """Keep the marginals."""
        self._bits = bits
        self._factors = factors

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: suppressed rows are those that had lost most already."""
        g, s = self._factors.generalization, self._factors.suppression
        bounds = g * self._bits.totals(levels)
        if s < g:  # a suppressed row may cost less than a kept one
            bounds = bounds * s / g
        elif suppressed is not None:
            bounds = bounds + suppressed * np.maximum(s - g * self._bits.most(levels), 0.0)
        out: FloatArray = np.maximum(bounds * (1 - 1e-11), 0.0)
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        lost = self._factors.generalization * lost_bits(self._bits.attributes, levels, classes.codes)
        return float(classes.rows @ np.where(kept, lost, self._factors.suppression))
