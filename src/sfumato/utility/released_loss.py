"""What is ARX's Loss of a released table, ours or not? From what its labels cover.

Per attribute: raw = sum over rows of leaves covered / leaves |H| (a suppressed row 1), normalized to
(raw - n/|H|) / (n - n/|H|); attributes are aggregated by prod (v w + 1)^(1/d) - 1. At the node of a
full-domain search it is the number that `loss.arx_loss` minimizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.loss.aggregate import Aggregate, combine, cut, weights_of

if TYPE_CHECKING:
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray

SOURCE = "V. Iyengar, KDD 2002, section 3.1, as normalized by ARX 3.9 (Loss, geometric mean)"

DEFINITION = (
    "Geometric mean over attributes of (raw - n/|H|) / (n - n/|H|), raw the sum over rows of leaves covered / |H|, "
    "1 for a suppressed row."
)
"""What the number is, for reports."""


def released_loss(published: Published) -> float:
    """ARX's Loss with generalization and suppression weighing alike, geometric mean.

    Args:
        published: the released table, its domains all leaves of the hierarchies.

    Returns:
        A number in [0, 1] for equal weights: 0 nothing lost, 1 all lost.

    Source:
        V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, section 3.1; ARX 3.9
        documentation, "Loss".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> classes = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> released_loss(read_published([sex], [["f", "*"]], classes))
        0.25
    """
    losses = cut(loss_by_attribute(published))[None, :]
    return float(combine(losses, weights_of(published.attributes), Aggregate.GEOMETRIC_MEAN)[0])


def loss_by_attribute(published: Published) -> FloatArray:
    """(m,) float64 in [0, 1]: the normalized loss of each attribute; 0 for a column of one leaf."""
    n, out = published.n_rows, []
    for j, spans in enumerate(published.spans):
        leaves = spans.domain.n
        covered = int(published.rows_by_label(j) @ spans.n_leaves)
        raw = covered / max(leaves, 1) + published.suppressed_rows
        least = n / max(leaves, 1)
        out.append(max(raw - least, 0.0) / (n - least) if n > least else 0.0)
    return np.array(out, np.float64)
