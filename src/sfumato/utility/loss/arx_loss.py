"""ARX's "Loss": how large a share of each domain the published values cover.

Per attribute, raw = sum over rows of: generalization · share for a kept row, share + suppression ·
(1 - share) for a suppressed one, where share = leaves below the published value / leaves |H| of the
hierarchy. It is normalized to (raw - g n/|H|) / (n - g n/|H|), cut at 0 and to ten decimals, and the
attributes are aggregated (geometric mean by default).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.parts import Aggregate, Cheapest, Factors, combine, cut, one, rows_by_node, shaved, weights_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ArxLoss:
    """ARX's Loss, the measure its users minimize by default. In [0, 1] for equal weights.

    Args:
        gs: balance of generalization against suppression, in [0, 1] (see `Factors`).
        aggregate: how attributes are combined.

    Source:
        V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, section 3.1; ARX 3.9
        documentation, "Loss".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> ArxLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        0.25
    """

    gs: float = 0.5
    aggregate: Aggregate = Aggregate.GEOMETRIC_MEAN

    def __post_init__(self) -> None:
        Factors(self.gs)

    @property
    def name(self) -> str:
        """`arx_loss`."""
        return "arx_loss"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedArxLoss:
        """Sum the shares of every level once."""
        return PreparedArxLoss(finest, attributes, Factors(self.gs), self.aggregate)


class PreparedArxLoss:
    """ARX's Loss bound to a table."""

    __slots__ = ("_aggregate", "_extra", "_factors", "_least", "_n", "_raw", "_shares", "_weights")

    def __init__(
        self, finest: Classes, attributes: Sequence[Attribute], factors: Factors, aggregate: Aggregate
    ) -> None:
        """Sum the shares of every level of every attribute."""
        g, s = factors.generalization, factors.suppression
        rows = rows_by_node(finest, attributes)
        self._aggregate = aggregate
        self._factors = factors
        self._n = finest.n_rows
        self._least = g * self._n / np.array([a.hierarchy.n_leaves for a in attributes])
        self._weights = weights_of(attributes)
        self._shares = [[a.hierarchy.shares(level) for level in range(a.hierarchy.height + 1)] for a in attributes]
        self._raw = [
            np.array([g * (n @ share) for n, share in zip(counts, shares, strict=True)])
            for counts, shares in zip(rows, self._shares, strict=True)
        ]
        self._extra = [
            [Cheapest(n, share + s * (1 - share) - g * share) for n, share in zip(counts, shares, strict=True)]
            for counts, shares in zip(rows, self._shares, strict=True)
        ]

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: all rows generalized, the suppressed ones where it costs least."""
        raw = np.empty(levels.shape)
        for j, least in enumerate(self._raw):
            raw[:, j] = least[levels[:, j]]
            if suppressed is not None and suppressed.any():
                for level in np.flatnonzero(np.bincount(levels[:, j])).tolist():
                    here = np.flatnonzero(levels[:, j] == level)
                    raw[here, j] += self._extra[j][level](suppressed[here])
        bounds = combine(shaved(self._normalized(raw)), self._weights, self._aggregate)
        return bounds if self._aggregate is Aggregate.RANK else bounds * (1 - 1e-13)

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node; a tuple for RANK."""
        gone = np.flatnonzero(~kept & (classes.rows > 0))
        rows = classes.rows[gone]
        g, s = self._factors.generalization, self._factors.suppression
        raw = np.empty(len(levels))
        for j, level in enumerate(levels.tolist()):
            share = self._shares[j][level][classes.codes[gone, j]]
            raw[j] = self._raw[j][level] + rows @ (share + s * (1 - share) - g * share)
        return one(cut(self._normalized(raw)), self._weights, self._aggregate)

    def _normalized(self, raw: FloatArray) -> FloatArray:
        """(…, m) float64 in [0, 1]: 0 is the original table, 1 nothing left."""
        room = np.where(self._n > self._least, self._n - self._least, np.inf)
        out: FloatArray = np.maximum((raw - self._least) / room, 0.0)
        return out
