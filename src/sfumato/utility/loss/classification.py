"""Classification accuracy as a loss: how badly one column can be told from the others.

A response outside the quasi-identifiers is judged class by class: rows without the majority value of
their class are wrong; a class without a single majority value is all wrong. A response among the
quasi-identifiers is judged over the classes of the other attributes, and each wrong row costs more the
more the response itself was generalized. Suppressed rows cost gs each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_rows
from sfumato.utility.loss.parts import Factors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ClassificationLoss:
    """Share of rows whose response a majority vote of their class gets wrong.

    Args:
        responses: names of the columns to predict: quasi-identifiers or sensitive columns.
        gs: cost of a suppressed row, and balance of the two other costs, in [0, 1].

    Raises:
        ParameterError: no response. Remedy: name at least one column.

    Source:
        V. Iyengar, KDD 2002, section 3.2 (classification metric); ARX 3.9, "Classification accuracy".
    """

    name = "classification"

    responses: tuple[str, ...]
    gs: float = 0.5

    def __post_init__(self) -> None:
        Factors(self.gs)
        if not self.responses:
            raise ParameterError("`responses` must name at least one column; got none.", "name the column to predict.")

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedClassification:
        """Find the responses among attributes and histograms."""
        return PreparedClassification(self, finest, attributes)


class PreparedClassification:
    """Classification accuracy bound to a table."""

    __slots__ = (
        "_attributes",
        "_cost_suppressed",
        "_cost_tied",
        "_cost_wrong",
        "_inside",
        "_most",
        "_n",
        "_outside",
        "_rows",
    )

    def __init__(self, loss: ClassificationLoss, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Find the responses."""
        names = [a.name for a in attributes]
        sensitive = [h.attribute.name for h in finest.histograms]
        absent = [r for r in loss.responses if r not in names and r not in sensitive]
        if absent:
            raise ParameterError(
                "Each response must be a quasi-identifier or a sensitive column; {absent} are neither.",
                "correct the name, or declare the column sensitive.",
                absent=absent,
            )
        factors = Factors(loss.gs)
        self._attributes = tuple(attributes)
        self._rows = finest.n_rows
        self._n = max(finest.n_rows, 1)
        self._inside = [names.index(r) for r in loss.responses if r in names]
        self._outside = [sensitive.index(r) for r in loss.responses if r not in names]
        self._cost_suppressed = loss.gs
        self._cost_wrong = factors.generalization
        self._cost_tied = factors.suppression
        self._most = max(self._cost_suppressed, self._cost_wrong, self._cost_tied)

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: what the suppressed rows cost, and every row whose response gave up all its labels."""
        all_wrong = np.zeros(len(levels))
        for j in self._inside:
            given_up = [self._loss_of_labels(j, x) for x in range(self._attributes[j].hierarchy.height + 1)]
            all_wrong += self._most * (np.array(given_up)[levels[:, j]] == 1.0)
        gone = (len(self._inside) + len(self._outside)) * self._cost_suppressed
        n_gone = np.zeros(len(levels)) if suppressed is None else suppressed.astype(np.float64)
        cost = n_gone * gone + (self._rows - n_gone) * np.minimum(all_wrong, gone)
        out: FloatArray = cost * ((1 - 1e-11) / (self._most * self._n))
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        gone = int(classes.rows[~kept].sum())
        cost = gone * (len(self._inside) + len(self._outside)) * self._cost_suppressed
        for h in self._outside:
            histogram = classes.histograms[h]
            inside = kept[histogram.owner]
            cost += self._errors(histogram.owner[inside], histogram.count[inside], 0.0)
        published = np.flatnonzero(kept & (classes.rows > 0))
        for j in self._inside:
            others = np.delete(classes.codes[published], j, axis=1)
            cost += self._errors(
                distinct_rows(others)[1], classes.rows[published], self._loss_of_labels(j, int(levels[j]))
            )
        return cost / (self._most * self._n)

    def _loss_of_labels(self, j: int, level: int) -> float:
        """Share of the labels of the response that its level gave up, in [0, 1]."""
        labels = self._attributes[j].hierarchy.labels
        return 0.0 if len(labels[0]) == 1 else 1.0 - (len(labels[level]) - 1) / (len(labels[0]) - 1)

    def _errors(self, owner: IntArray, count: IntArray, given_up: float) -> float:
        """Cost of the rows that a majority vote gets wrong; entries are (class, value, count)."""
        if len(owner) == 0:
            return 0.0
        if given_up == 1.0:
            return float(count.sum()) * self._most
        order = np.lexsort((-count, owner))
        owner, count = owner[order], count[order]
        first = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
        total = np.add.reduceat(count, first)
        second = np.where(np.diff(np.r_[first, len(owner)]) > 1, count[np.minimum(first + 1, len(count) - 1)], -1)
        tied = count[first] == second
        wrong = self._cost_wrong * (1 - given_up) + self._most * given_up
        without = self._cost_tied * (1 - given_up) + self._most * given_up
        return float(np.where(tied, total * without, (total - count[first]) * wrong).sum())
