"""Non-uniform entropy: how many bits of each original value the release no longer tells.

A cell whose label leaves the set C of original values open loses the entropy of the original
distribution within C: sum over v in C of (p_v/p_C) log2(p_C/p_v).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import FloatArray

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
