"""How many rows can a row not be told from? DM = sum of |E|^2 over the classes + rows * suppressed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import IntArray

SOURCE = "R. Bayardo, R. Agrawal, ICDE 2005, section 2.3"

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
