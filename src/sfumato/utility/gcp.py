"""How much of each domain do the published values leave open? NCP of a cell, averaged: GCP.

GCP = (sum over cells of NCP(cell)) / (rows * attributes); a suppressed row loses 1 in every attribute.
Neighbor: `summary.cover` holds the formula of a cell, `summary.span` what a label covers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.span import Ncp

if TYPE_CHECKING:
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray

SOURCE = "G. Ghinita et al., VLDB 2007, section 2; J. Xu et al., KDD 2006, section 3"

DEFINITIONS = {
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
