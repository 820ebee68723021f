"""How many rows can a row not be told from? DM = sum of |E|^2 over the classes + rows * suppressed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import IntArray

SOURCE = "R. Bayardo, R. Agrawal, ICDE 2005, section 2.3"


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
    counts = [int(size) for size in sizes] if sizes.max(initial=0) >= 2**28 else sizes
    squares = sum(c * c for c in counts) if isinstance(counts, list) else int((counts * counts).sum())
    return squares + suppressed * (int(sizes.sum()) + suppressed)
