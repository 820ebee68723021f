"""What a column is worth after its cells were changed: the error of single numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.blur import deviation
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from sfumato.summary.blur import Blur
    from sfumato.types import FloatArray, IntArray

_SOURCE = "J. Domingo-Ferrer, V. Torra, A Quantitative Comparison of Disclosure Control Methods for Microdata, 2001"


def value_worth(numbers: FloatArray, counts: IntArray, blur: Blur) -> tuple[Figure, ...]:
    """Mean absolute and root mean squared error of the published numbers, the latter in standard deviations too.

    Formula: Σ c_v E|Y_v - v| / n, √(Σ c_v E(Y_v - v)² / n), and that over the standard deviation of the column.

    Args:
        numbers: (m,) float64, original values of the leaves; NaN: left out.
        counts: (m,) int64, cells of each leaf.
        blur: where published values lie.

    Returns:
        Three figures; none when no cell has a number.

    Source:
        J. Domingo-Ferrer and V. Torra, 2001, section 2.

    Example:
        >>> from sfumato.summary.blur import Pairs
        >>> swap = Pairs(np.array([0, 1]), np.array([1, 0]), np.ones(2), np.array([5.0, 7.0]), np.array([5.0, 7.0]),
        ...              kept=np.array([0, 1]))
        >>> [figure.value for figure in value_worth(np.array([5.0, 7.0]), np.ones(2, np.int64), swap)]
        [2.0, 2.0, 2.0]
    """
    known = np.isfinite(numbers) & (counts > 0)
    if not known.any():
        return ()
    c = counts[known]
    absolute, squared = (np.average(part[known], weights=c) for part in blur.error())
    spread, root = deviation(numbers, counts), float(np.sqrt(squared))
    return (
        _figure("mean_error", "Mean absolute error", float(absolute), "Mean of |published - original| over the cells"),
        _figure("root_error", "Root mean squared error", root, "Root of the mean of (published - original)²"),
        _figure("error_in_deviations", "Error in standard deviations", root / spread if spread else None,
                "Root mean squared error / standard deviation of the original column"),
    )  # fmt: skip


def _figure(name: str, label: str, value: float | None, definition: str) -> Figure:
    return Figure(name, label, value, f"{definition}, expected over the chance of the method.", _SOURCE)
