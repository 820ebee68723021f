"""Non-uniform entropy, in bits: how much harder it is to guess a cell's original value.

Per attribute, generalization · sum over the rows of log2(rows with the published value / rows with
the original value), over the whole table; plus suppression · sum over the suppressed rows of
log2(suppressed rows / suppressed rows with the same generalized value). Cut to ten decimals and by
default summed over attributes. As a measure of a release, a cell whose label leaves the set C of original values open loses
the entropy of the original distribution within C: sum over v in C of (p_v/p_C) log2(p_C/p_v).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.loss.parts import Aggregate, Balanced, Prepared, combine, cut, one, rows_by_node, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class NonUniformEntropyLoss(Balanced):
    """Information lost per cell under the table's own distributions, in bits.

    Args:
        gs: balance of generalization against suppression, in [0, 1].
        aggregate: how attributes are combined.
        ignores_suppression: leave the suppressed rows out (ARX's "monotonic" variant).
        normalized: divide each attribute by what it loses at the top of its hierarchy.

    Source:
        A. Gionis and T. Tassa, "k-Anonymization with minimal loss of information", IEEE TKDE 21(2), 2009,
        section 4 (non-uniform entropy); ARX 3.9 for the suppressed rows.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([2, 2]), alone=np.array([2, 2]))
        >>> NonUniformEntropyLoss().prepare(finest, [sex]).lower_bounds(np.array([[0], [1]])).round(6).tolist()
        [0.0, 4.0]
    """

    aggregate: Aggregate = Aggregate.SUM
    ignores_suppression: bool = False
    normalized: bool = False

    @property
    def name(self) -> str:
        """`non_uniform_entropy`, or `normalized_entropy`."""
        return "normalized_entropy" if self.normalized else "non_uniform_entropy"

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedEntropy:
        """Sum the entropies of every level once."""
        return PreparedEntropy(self, finest, attributes)


class PreparedEntropy(Prepared[NonUniformEntropyLoss]):
    """Non-uniform entropy bound to a table."""

    __slots__ = ("_base", "_scale")

    def __init__(self, loss: NonUniformEntropyLoss, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Sum the entropies of every level of every attribute."""
        super().__init__(loss, finest, attributes)
        weight = loss.factors.generalization
        rows = rows_by_node(finest, attributes)
        self._base = [
            weight
            * np.array([_bits(r[0], r[level][a.hierarchy.ancestors[level]]) for level in range(a.hierarchy.height + 1)])
            for a, r in zip(attributes, rows, strict=True)
        ]
        n = np.array([finest.n_rows])
        tops = [weight * _bits(r[0], np.broadcast_to(n, r[0].shape)) for r in rows]
        scale = cut(np.array(tops)) if loss.normalized else np.ones(len(attributes))
        self._scale = np.where(scale > 0, scale, 1.0)

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: what generalization alone loses."""
        del suppressed
        losses = np.stack([base[levels[:, j]] for j, base in enumerate(self._base)], axis=1)
        return combine(cut(safe(losses)) / self._scale, self._weights, self._loss.aggregate) * (1 - 1e-13)

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node."""
        losses = np.array([base[level] for base, level in zip(self._base, levels.tolist(), strict=True)])
        gone = np.flatnonzero(~kept & (classes.rows > 0))
        if len(gone) and not self._loss.ignores_suppression:
            for j in range(len(losses)):
                counts = np.bincount(classes.codes[gone, j], weights=classes.rows[gone]).astype(np.int64)
                total = np.broadcast_to(counts.sum(), counts.shape)
                losses[j] += self._loss.factors.suppression * _bits(counts, total)
        return one(cut(losses) / self._scale, self._weights, self._loss.aggregate)


def _bits(rows: IntArray, of: IntArray) -> float:
    """Sum of rows · log2(of / rows) over the entries with rows."""
    present = np.flatnonzero(rows)
    return float(rows[present] @ np.log2(of[present] / rows[present]))


SOURCE = "A. Gionis, T. Tassa, IEEE TKDE 21(2), 2009, section 4"

DEFINITION = (
    "Mean over attributes of bits lost / bits of the original marginal; a cell loses the entropy of the original "
    "distribution within its label."
)
"""What the number is, for reports."""


def bits_lost(spans: Spans, counts: FloatArray) -> FloatArray:
    """Bits that each label of one column leaves open.

    With C the leaves of the label and n_v the rows of the original that hold v: log2(n_C) minus
    sum n_v log2(n_v) / n_C.

    Args:
        spans: what the labels stand for.
        counts: (n,) float64, rows of the original table with each leaf, in the order of the domain.

    Returns:
        (n_labels,) float64 >= 0; 0 where no row of the original lies under the label.

    Source:
        A. Gionis and T. Tassa, "k-Anonymization with Minimal Loss of Information", IEEE TKDE 21(2),
        2009, section 4.
    """
    inside = spans.total(counts)
    own = spans.total(counts * np.log2(np.maximum(counts, 1.0)))
    safe = np.maximum(inside, 1.0)
    return np.where(spans.n_leaves <= 1, 0.0, np.maximum(np.log2(safe) - own / safe, 0.0))


def non_uniform_entropy(published: Published, original: Classes) -> FloatArray:
    """Mean bits lost by a cell of each attribute; a suppressed row loses all its bits.

    For full-domain generalization without suppression this is exactly the measure of Gionis and Tassa;
    it needs no alignment of released and original rows.

    Args:
        published: the released table.
        original: finest classes of the original table, on the same attributes.

    Returns:
        (m,) float64, bits for each cell of each attribute.

    Source:
        A. Gionis and T. Tassa, IEEE TKDE 21(2), 2009, section 4.
    """
    out = []
    for j, spans in enumerate(published.spans):
        counts = leaf_rows(spans, original, j)
        lost = published.rows_by_label(j) @ bits_lost(spans, counts)
        out.append((lost + published.suppressed_rows * marginal_bits(counts)) / max(published.n_rows, 1))
    return np.array(out)


def share_of_bits_lost(published: Published, original: Classes) -> float:
    """Bits lost over the bits of the original marginals, averaged over the attributes that have any.

    Returns:
        A number in [0, 1]; 0 if no attribute has more than one value.
    """
    lost = non_uniform_entropy(published, original)
    whole = np.array([marginal_bits(leaf_rows(s, original, j)) for j, s in enumerate(published.spans)])
    told = whole > 0
    return float((lost[told] / whole[told]).mean()) if told.any() else 0.0


def leaf_rows(spans: Spans, original: Classes, j: int) -> FloatArray:
    """(n,) float64: rows of the original with each leaf of attribute j, in the order of the domain."""
    counts = original.rows_by_code(j, len(spans.domain.rank))
    return np.asarray(counts[spans.domain.order], np.float64)


def marginal_bits(counts: FloatArray) -> float:
    """Entropy of a marginal, in bits.

    Example:
        >>> marginal_bits(np.array([2.0, 2.0, 0.0]))
        1.0
    """
    shares = counts[counts > 0] / max(counts.sum(), 1.0)
    return float(-(shares * np.log2(shares)).sum()) if len(shares) > 1 else 0.0
