"""What an intruder gains by naming rows: the prosecutor, the journalist and the marketer.

The prosecutor knows that the victim is in the table: risk 1/f in a class of f persons. The journalist knows only that
the victim is in a population from which the table came: risk 1/F in a class that counts F there. The marketer tries to
match every row: f/F right matches in each class. Averages are over persons: the average risk is (classes / persons), not
the mean of 1/f over classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import BoolArray, IntArray

GUIDE = "K. El Emam, Guide to the De-Identification of Personal Health Information, CRC 2013, chapter 16"


def highest(sizes: IntArray) -> float:
    """Risk of the persons in the smallest class: 1 / min f; 0 without a class.

    Args:
        sizes: (n_classes,) int64, persons in each class, >= 1.

    Source:
        K. El Emam, Guide to the De-Identification of Personal Health Information, CRC 2013, chapter 16.

    Example:
        >>> import numpy as np
        >>> highest(np.array([1, 99])), lowest(np.array([2, 4])), average(np.array([1, 99]))
        (1.0, 0.25, 0.02)
    """
    return 1.0 / int(sizes.min()) if len(sizes) else 0.0


def lowest(sizes: IntArray) -> float:
    """Risk of the persons in the largest class: 1 / max f; 0 without a class."""
    return 1.0 / int(sizes.max()) if len(sizes) else 0.0


def average(sizes: IntArray) -> float:
    """Mean risk of a person: (1/n) sum of f * (1/f) = classes / persons; 0 without a class."""
    return len(sizes) / int(sizes.sum()) if len(sizes) else 0.0


def class_average(sizes: IntArray) -> float:
    """Mean of 1/f over the classes. It weighs a class of one like a class of a thousand: not a person's risk.

    Example:
        >>> import numpy as np
        >>> class_average(np.array([1, 99])).__round__(4)
        0.5051
    """
    return float((1.0 / sizes).mean()) if len(sizes) else 0.0


def exceeds(sizes: IntArray, threshold: float) -> BoolArray:
    """(n_classes,) bool: whether 1/f > threshold.

    Exact where the threshold is the float nearest to a fraction 1/f: both sides are then the same
    correctly rounded number.

    Args:
        sizes: (n_classes,) int64, persons in each class, >= 1.
        threshold: risk in [0, 1].

    Raises:
        ParameterError: the threshold lies outside [0, 1]. Remedy: pass a share.

    Example:
        >>> import numpy as np
        >>> exceeds(np.array([4, 5, 6]), 0.2).tolist()
        [True, False, False]
    """
    check_threshold(threshold)
    return 1.0 / sizes > threshold


def share_at_risk(sizes: IntArray, threshold: float) -> float:
    """Share of the persons whose risk exceeds a threshold: (1/n) sum of f over the classes with 1/f > threshold.

    Example:
        >>> import numpy as np
        >>> share_at_risk(np.array([1, 2, 3, 4]), 0.33)
        0.6
    """
    return _share(sizes, exceeds(sizes, threshold))


def share_at_highest(sizes: IntArray) -> float:
    """Share of the persons who bear the highest risk."""
    return _share(sizes, sizes == sizes.min(initial=2**62))


def share_at_lowest(sizes: IntArray) -> float:
    """Share of the persons who bear the lowest risk."""
    return _share(sizes, sizes == sizes.max(initial=0))


def sample_uniqueness(sizes: IntArray) -> float:
    """Share of the persons who are alone in their class.

    Example:
        >>> import numpy as np
        >>> sample_uniqueness(np.array([1, 1, 2]))
        0.5
    """
    return _share(sizes, sizes == 1)


def share_below(sizes: IntArray, k: int) -> float:
    """Share of the persons in classes of fewer than k.

    Example:
        >>> import numpy as np
        >>> share_below(np.array([1, 2, 5]), 5)
        0.375
    """
    return _share(sizes, sizes < k)


def check_threshold(threshold: float) -> None:
    """A risk threshold is a share.

    Raises:
        ParameterError: it lies outside [0, 1]. Remedy: pass a share such as 0.2, not a percentage.
    """
    if not 0 <= threshold <= 1:
        raise ParameterError(
            "A risk threshold must lie in [0, 1]; got {threshold}.",
            "pass a share such as 0.2, not a percentage.",
            threshold=threshold,
        )


def _share(sizes: IntArray, mask: BoolArray) -> float:
    """Persons in the classes of a mask over all persons."""
    return int(sizes[mask].sum()) / int(sizes.sum()) if len(sizes) else 0.0


def journalist_highest(population: IntArray) -> float:
    """Risk in the class that is smallest in the population: 1 / min F; 0 without a class.

    Args:
        population: (n_classes,) int64, persons of the population in each published class, >= 1.

    Source:
        K. El Emam, Guide to the De-Identification of Personal Health Information, CRC 2013, chapter 16.

    Example:
        >>> import numpy as np
        >>> journalist_highest(np.array([5, 4, 3, 8])) == 1 / 3
        True
    """
    return 1.0 / int(population.min()) if len(population) else 0.0


def journalist_average(sizes: IntArray, population: IntArray) -> float:
    """Mean risk: max(J / sum F, (1/n) sum of f/F), J the published classes.

    The first term is the risk of a person drawn from the population, the second of a published one.

    Example:
        >>> import numpy as np
        >>> round(journalist_average(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])), 12)
        0.22
    """
    if not len(sizes):
        return 0.0
    return max(len(sizes) / int(population.sum()), marketer(sizes, population))


def journalist_share_at_risk(sizes: IntArray, population: IntArray, threshold: float) -> float:
    """Share of the published persons with 1/F > threshold.

    Raises:
        ParameterError: the threshold lies outside [0, 1]. Remedy: pass a share.

    Example:
        >>> import numpy as np
        >>> journalist_share_at_risk(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8]), 0.24)
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


MARKETER = "F. Dankar, K. El Emam, PAIS 2010, section 2"


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
