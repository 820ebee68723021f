"""How much larger than promised are the classes? C_avg = (rows / classes) / k."""

from __future__ import annotations

SOURCE = "K. LeFevre et al., ICDE 2006, section 2.3"


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
