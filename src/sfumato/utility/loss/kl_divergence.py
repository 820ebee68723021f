"""Kullback-Leibler divergence of the release's distribution from the original one, in bits.

The release is read as spreading the rows of each class evenly over the leaf combinations that it
covers. loss = sum over the rows of p log2(p / q), with p the share of rows that have the row's original
tuple, and q = rows of its class / (n · combinations covered); the suppressed rows are one class that
covers all combinations. (Summed over rows, not over distinct tuples, as ARX does.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import members, rows_by_node

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

    name = "kl_divergence"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedKLDivergence:
        """Weigh the tuples once."""
        return PreparedKLDivergence(finest, attributes)


class PreparedKLDivergence:
    """KL divergence bound to a table."""

    __slots__ = (
        "_apart",
        "_area",
        "_attributes",
        "_finest",
        "_fixed",
        "_largest",
        "_log_all",
        "_logs",
        "_n",
        "_weight",
    )

    def __init__(self, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Weigh each tuple by rows · share of rows."""
        self._finest = finest
        self._attributes = tuple(attributes)
        self._n = max(finest.n_rows, 1)
        self._weight = finest.rows.astype(np.float64) ** 2 / self._n
        present = np.flatnonzero(finest.rows)
        self._fixed = float(self._weight[present] @ np.log2(finest.rows[present] / self._n))
        self._log_all = float(sum(np.log2(a.hierarchy.n_leaves) for a in attributes))
        weighed: list[FloatArray] = [
            np.bincount(finest.codes[:, j], weights=self._weight).astype(np.float64, copy=False)
            for j in range(len(attributes))
        ]
        self._logs = [[np.log2(a.hierarchy.leaf_counts(x)) for x in range(a.hierarchy.height + 1)] for a in attributes]
        self._largest = [np.array([log.max() for log in logs]) for logs in self._logs]
        self._area = [
            np.array([w @ log[upward[: len(w)]] for log, upward in zip(logs, a.hierarchy.ancestors, strict=True)])
            for a, w, logs in zip(attributes, weighed, self._logs, strict=True)
        ]
        rows = rows_by_node(finest, attributes)
        apart = [
            np.array([_apart(w, *level, self._n) for level in zip(a.hierarchy.ancestors, counts, logs, strict=True)])
            for a, w, counts, logs in zip(attributes, weighed, rows, self._logs, strict=True)
        ]
        self._apart = [_least_above(area + more) - area for area, more in zip(self._area, apart, strict=True)]

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: the larger of two bounds.

        A class holds at most the rows with its label in one attribute, whichever says most, at the level from here up where
        that is least: coarser labels cover more leaves, but may hold so many more rows that they lose less. Or a class holds
        all rows, and the suppressed ones cover all leaves.
        """
        area = sum((a[levels[:, j]] for j, a in enumerate(self._area)), np.zeros(len(levels)))
        more = np.zeros(len(levels))
        for j, apart in enumerate(self._apart):
            np.maximum(more, apart[levels[:, j]], out=more)
        if suppressed is not None:  # a row weighs at least 1/n
            largest = sum((a[levels[:, j]] for j, a in enumerate(self._largest)), np.zeros(len(levels)))
            np.maximum(more, suppressed / self._n * np.maximum(self._log_all - largest, 0.0), out=more)
        area = area + more
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
            log = self._logs[j][level]
            if log.any():  # else every label is one leaf
                area += log if len(log) == 1 else log[classes.codes[:, j]]
        spread = np.where(kept, area, self._log_all) - np.log2(rows / self._n)
        return self._fixed + float(weight @ spread)


def _apart(weight: FloatArray, upward: IntArray, rows: IntArray, log: FloatArray, n_rows: int) -> float:
    """What the rows lose at least because a class holds no more than the rows with its label, in bits.

    A suppressed row covers all leaves of the attribute, and loses no less than their number over those of its label.
    """
    least = np.minimum(np.log2(n_rows / np.maximum(rows, 1)), np.log2(len(upward)) - log)
    return float(weight @ least[upward[: len(weight)]])


def _least_above(bits: FloatArray) -> FloatArray:
    """(height + 1,) float64: the least at each level and all above it."""
    out: FloatArray = np.minimum.accumulate(bits[::-1])[::-1]
    return out
