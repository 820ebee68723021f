"""Equal cells of a grid, and the quantiles of (noisy) counts of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.types import FloatArray, IntArray


def edges(size: int, cells: int) -> IntArray:
    """(cells + 1,) int64: cell j holds the places edges[j] … edges[j+1] - 1; widths differ by at most one.

    Args:
        size: places of the grid.
        cells: 1 … 2²⁴; beyond the size some cells hold no place.

    Example:
        >>> edges(10, 4).tolist()
        [0, 3, 5, 8, 10]
    """
    whole, rest = divmod(size, cells)
    steps = np.arange(cells + 1, dtype=np.int64)
    return steps * whole + -(-steps * rest // cells)


def count_cells(places: IntArray, cuts: IntArray) -> IntArray:
    """(cells,) int64: how many places lie in each cell.

    Example:
        >>> count_cells(np.array([0, 2, 3, 9]), edges(10, 4)).tolist()
        [2, 1, 0, 1]
    """
    cells = len(cuts) - 1
    return np.bincount(np.searchsorted(cuts, places, "right") - 1, minlength=cells).astype(np.int64)


def quantiles_of_cells(counts: FloatArray, cuts: IntArray, quantiles: tuple[Fraction, ...]) -> IntArray:
    """Places of the quantiles of counts that are spread evenly in each cell. Reads nothing private: post-processing.

    Args:
        counts: (cells,) float64, >= 0, not all 0.
        cuts: (cells + 1,) edges.
        quantiles: increasing.

    Returns:
        (m,) int64, nondecreasing.

    Example:
        >>> from fractions import Fraction
        >>> quantiles_of_cells(np.array([2.0, 2.0]), np.array([0, 10, 20]), (Fraction(1, 4), Fraction(3, 4))).tolist()
        [4, 14]
    """
    sums = np.concatenate([[0.0], np.cumsum(counts)])
    wanted = np.array([float(q) for q in quantiles]) * sums[-1]
    at = np.clip(np.searchsorted(sums, wanted, "left") - 1, 0, len(counts) - 1)
    share = np.clip((wanted - sums[at]) / np.where(counts[at] > 0, counts[at], 1.0), 0.0, 1.0)
    widths = np.diff(cuts)[at]
    places = cuts[at] + np.clip(np.ceil(share * widths).astype(np.int64) - 1, 0, widths - 1)
    return np.maximum.accumulate(places)
