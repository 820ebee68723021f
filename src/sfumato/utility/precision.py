"""How far up its hierarchy does each cell stand? Prec = 1 - mean of (level / height)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.summary.published import Published

SOURCE = "L. Sweeney, IJUFKS 10(5), 2002, section 3.3"

DEFINITION = "1 - mean over all cells of hierarchy level / height; a suppressed row stands at the root."
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
