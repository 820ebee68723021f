"""What does an intruder gain who only knows that the victim is in a population from which the table came?

A class of f published persons that counts F in the population bears the risk 1/F.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.risk.marketer import marketer
from sfumato.risk.prosecutor import check_threshold

if TYPE_CHECKING:
    from sfumato.types import IntArray

SOURCE = "K. El Emam, Guide to the De-Identification of Personal Health Information, CRC 2013, chapter 16"


def highest(population: IntArray) -> float:
    """Risk in the class that is smallest in the population: 1 / min F; 0 without a class.

    Args:
        population: (n_classes,) int64, persons of the population in each published class, >= 1.

    Source:
        K. El Emam, Guide to the De-Identification of Personal Health Information, CRC 2013, chapter 16.

    Example:
        >>> import numpy as np
        >>> highest(np.array([5, 4, 3, 8])) == 1 / 3
        True
    """
    return 1.0 / int(population.min()) if len(population) else 0.0


def average(sizes: IntArray, population: IntArray) -> float:
    """Mean risk: max(J / sum F, (1/n) sum of f/F), J the published classes.

    The first term is the risk of a person drawn from the population, the second of a published one.

    Example:
        >>> import numpy as np
        >>> round(average(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])), 12)
        0.22
    """
    if not len(sizes):
        return 0.0
    return max(len(sizes) / int(population.sum()), marketer(sizes, population))


def share_at_risk(sizes: IntArray, population: IntArray, threshold: float) -> float:
    """Share of the published persons with 1/F > threshold.

    Raises:
        ParameterError: the threshold lies outside [0, 1]. Remedy: pass a share.

    Example:
        >>> import numpy as np
        >>> share_at_risk(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8]), 0.24)
        0.5
    """
    check_threshold(threshold)
    return int(sizes[1.0 / population > threshold].sum()) / int(sizes.sum()) if len(sizes) else 0.0


def check_population(sizes: IntArray, population: IntArray) -> None:
    """Every class is at least as large in the population as in the table.

    Raises:
        ParameterError: some class is smaller. Remedy: count the published persons in the population.
    """
    smaller = int((population < sizes).sum())
    if smaller:
        raise ParameterError(
            "A population must hold the published persons; {smaller} classes are smaller in it than in the table.",
            "count the published persons in the population too.",
            smaller=smaller,
        )
