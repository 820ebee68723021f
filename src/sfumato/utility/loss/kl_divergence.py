"""How far is the release's distribution from the original one? Kullback-Leibler divergence, in bits.

The release is read as spreading the rows of each class evenly over the leaf combinations that it
covers. loss = sum over the rows of p log2(p / q), with p the share of rows that have the row's original
tuple, and q = rows of its class / (n · combinations covered); the suppressed rows are one class that
covers all combinations. (Summed over rows, not over distinct tuples, as ARX does.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.keys import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class KLDivergenceLoss:
    """Divergence of the release, read as uniform within its classes, from the original.

    Source:
        A. Machanavajjhala et al., "l-diversity", ACM TKDD 1(1), 2007, section 6.2; ARX 3.9, "KL divergence".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([2, 2]), alone=np.array([2, 2]))
        >>> KLDivergenceLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, True]))
        0.0
    """

    @property
    def name(self) -> str:
        """`kl_divergence`."""
        return "kl_divergence"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedKLDivergence:
        """Weigh the tuples once."""
        return PreparedKLDivergence(finest, attributes)


class PreparedKLDivergence:
    """KL divergence bound to a table."""

    __slots__ = ("_area", "_attributes", "_finest", "_fixed", "_largest", "_log_all", "_n", "_weight")

    def __init__(self, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Weigh each tuple by rows · share of rows."""
        self._finest = finest
        self._attributes = tuple(attributes)
        self._n = max(finest.n_rows, 1)
        self._weight = finest.rows.astype(np.float64) ** 2 / self._n
        present = np.flatnonzero(finest.rows)
        self._fixed = float(self._weight[present] @ np.log2(finest.rows[present] / self._n))
        self._log_all = float(sum(np.log2(a.hierarchy.n_leaves) for a in attributes))
        weighed = [np.bincount(finest.codes[:, j], weights=self._weight) for j in range(len(attributes))]
        self._largest = [
            np.array([np.log2(a.hierarchy.leaf_counts(x).max()) for x in range(a.hierarchy.height + 1)])
            for a in attributes
        ]
        self._area = [
            np.array(
                [
                    w @ np.log2(a.hierarchy.leaf_counts(level))[a.hierarchy.ancestors[level][: len(w)]]
                    for level in range(a.hierarchy.height + 1)
                ]
            )
            for a, w in zip(attributes, weighed, strict=True)
        ]

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: every class as if it held all rows; suppressed ones cover all leaves."""
        area = sum((a[levels[:, j]] for j, a in enumerate(self._area)), np.zeros(len(levels)))
        if suppressed is not None:  # a row weighs at least 1/n
            largest = sum((a[levels[:, j]] for j, a in enumerate(self._largest)), np.zeros(len(levels)))
            area = area + suppressed / self._n * np.maximum(self._log_all - largest, 0.0)
        out: FloatArray = self._fixed + area - 1e-10 * (abs(self._fixed) + area)
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        member = members(self._finest, self._attributes, levels, classes)
        weight = np.bincount(member, weights=self._weight, minlength=classes.n_classes)
        gone = max(int(classes.rows[~kept].sum()), 1)
        rows = np.where(kept, np.maximum(classes.rows, 1), gone)
        area = np.zeros(classes.n_classes)
        for j, level in enumerate(levels.tolist()):
            area += np.log2(self._attributes[j].hierarchy.leaf_counts(level))[classes.codes[:, j]]
        spread = np.where(kept, area, self._log_all) - np.log2(rows / self._n)
        return self._fixed + float(weight @ spread)
