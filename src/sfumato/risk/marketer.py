"""What share of the table could an intruder name who tries to match every row? (1/n) sum of f/F."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import IntArray

SOURCE = "F. Dankar, K. El Emam, PAIS 2010, section 2"


def marketer(sizes: IntArray, population: IntArray) -> float:
    """Expected share of the published persons that a match at random within each class names rightly.

    A class of f published persons that counts F in the population yields f/F right matches. Where the
    table is the population this is classes / persons.

    Args:
        sizes: (n_classes,) int64, published persons of each class, >= 1.
        population: (n_classes,) int64, persons of the population in each class, >= sizes.

    Returns:
        A share in [0, 1]; 0 without a class.

    Source:
        F. Dankar and K. El Emam, "A method for evaluating marketer re-identification risk", PAIS 2010,
        section 2.

    Example:
        >>> import numpy as np
        >>> round(marketer(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])), 12)
        0.22
    """
    return float((sizes / population).sum()) / int(sizes.sum()) if len(sizes) else 0.0
