"""What a released table loses by its labels and the sizes of its classes: GCP, precision, ARX's Loss, DM, C_avg.

GCP = (sum over cells of NCP(cell)) / (rows * attributes); a suppressed row loses 1 in every attribute (`summary.span`
holds the formula of a cell, `summary.span` what a label covers). Prec = 1 - mean of (level / height). ARX's Loss: per
attribute raw = sum over rows of leaves covered / leaves |H| (a suppressed row 1), normalized to
(raw - n/|H|) / (n - n/|H|), attributes aggregated by prod (v w + 1)^(1/d) - 1; at the node of a full-domain search it is
what `loss.arx_loss` minimizes. DM = sum of |E|^2 over the classes + rows * suppressed rows. C_avg = (rows / classes) / k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.span import Ncp
from sfumato.utility.loss.parts import Aggregate, combine, cut, weights_of

if TYPE_CHECKING:
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray

GCP_SOURCE = "G. Ghinita et al., VLDB 2007, section 2; J. Xu et al., KDD 2006, section 3"

GCP_DEFINITIONS = {
    Ncp.WIDTH: "Mean over all cells of the share of the domain left open: width / domain width for ordered columns, "
    "leaves / domain leaves for text, 0 for one value, 1 for a suppressed row.",
    Ncp.LEAVES: "Mean over all cells of leaves left open / leaves of the domain, 0 for one value, 1 for a suppressed row.",
    Ncp.NODE: "As the global certainty penalty, each label replaced by the smallest hierarchy node that holds it.",
}
"""What the number is, for reports."""


def ncp_by_attribute(published: Published, convention: Ncp) -> FloatArray:
    """Mean normalized certainty penalty of the cells of each attribute.

    Args:
        published: the released table.
        convention: how the share of the domain is counted.

    Returns:
        (m,) float64 in [0, 1]; 0 for a table without rows.

    Source:
        J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006, section 3.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.summary.span import Ncp
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["0", "5", "10"])
        >>> classes = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> ncp_by_attribute(read_published([age], [["[0, 5]", "10"]], classes), Ncp.WIDTH).tolist()
        [0.375]
    """
    n = max(published.n_rows, 1)
    lost = [published.rows_by_label(j) @ spans.ncp(convention) for j, spans in enumerate(published.spans)]
    return (np.array(lost, np.float64) + published.suppressed_rows) / n


def gcp(published: Published, convention: Ncp) -> float:
    """Global certainty penalty: the mean of the NCP of all cells, suppressed rows counting 1.

    Args:
        published: the released table, with at least one attribute.
        convention: how the share of the domain is counted.

    Returns:
        A number in [0, 1]: 0 nothing lost, 1 all lost.

    Source:
        G. Ghinita et al., "Fast Data Anonymization with Low Information Loss", VLDB 2007, section 2.
    """
    return float(ncp_by_attribute(published, convention).mean())


PRECISION_SOURCE = "L. Sweeney, IJUFKS 10(5), 2002, section 3.3"

PRECISION_DEFINITION = "1 - mean over all cells of hierarchy level / height; a suppressed row stands at the root."
"""What the number is, for reports."""


def precision(published: Published) -> float:
    """Sweeney's precision of the released table; a suppressed row stands at the root of every hierarchy.

    A label that names a node stands at the level of that node (see `summary.label_reader` for names that
    several levels share); another one, a range or a set, where the smallest node that holds it does.

    Args:
        published: the released table.

    Returns:
        A number in [0, 1]: 1 for the original table, 0 if every cell is `*`.

    Source:
        L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression",
        IJUFKS 10(5), 2002, section 3.3.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> town = bind(Column("town", Role.QUASI_IDENTIFYING), ["Blois", "Bourges"])
        >>> classes = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> precision(read_published([town], [["Blois", "*"]], classes))
        0.75
    """
    lost = []
    for j, spans in enumerate(published.spans):
        height = spans.domain.attribute.hierarchy.height
        steps = int(published.rows_by_label(j) @ spans.level) + height * published.suppressed_rows
        lost.append(steps / (max(height, 1) * max(published.n_rows, 1)))
    return 1.0 - float(np.mean(lost))


LOSS_SOURCE = "V. Iyengar, KDD 2002, section 3.1, as normalized by ARX 3.9 (Loss, geometric mean)"

LOSS_DEFINITION = (
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


DISCERNIBILITY_SOURCE = "R. Bayardo, R. Agrawal, ICDE 2005, section 2.3"

_LARGEST = 2**63
"""Sums of squares are at most the largest size times the rows; from here on they leave 64 bits."""


def discernibility(sizes: IntArray, suppressed: int) -> int:
    """Discernibility metric: each row costs the size of its class, a suppressed one the size of the table.

    Args:
        sizes: (n_classes,) int64, rows in each published class.
        suppressed: suppressed rows, >= 0.

    Returns:
        An exact integer between the number of rows and its square.

    Source:
        R. Bayardo and R. Agrawal, "Data Privacy through Optimal k-Anonymization", ICDE 2005, section 2.3.

    Example:
        >>> import numpy as np
        >>> discernibility(np.array([2, 3]), suppressed=1)
        19
    """
    n = int(sizes.sum())
    if int(sizes.max(initial=0)) * n < _LARGEST:
        squares = int((sizes * sizes).sum())
    else:
        squares = sum(size * size for size in sizes.tolist())
    return squares + suppressed * (n + suppressed)


CLASS_SIZE_SOURCE = "K. LeFevre et al., ICDE 2006, section 2.3"


def average_class_size(n_rows: int, n_classes: int, k: int) -> float | None:
    """Normalized average class size.

    Args:
        n_rows: rows, >= 0.
        n_classes: classes, >= 0.
        k: the k that was promised, >= 1.

    Returns:
        1 where every class holds exactly k rows, more where classes are larger; None without a class.

    Source:
        K. LeFevre et al., "Mondrian Multidimensional k-Anonymity", ICDE 2006, section 2.3.

    Example:
        >>> average_class_size(30, 4, 5)
        1.5
    """
    return None if n_classes == 0 else n_rows / n_classes / k
