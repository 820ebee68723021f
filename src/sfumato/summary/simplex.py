"""The counts, none below zero and with a given total, that are nearest to noisy ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray


def nearest_shares(values: FloatArray, total: float | FloatArray) -> FloatArray:
    """The nearest numbers >= 0, in Euclidean distance, that add up to a total: max(value - shift, 0).

    Proof: these are the conditions of Karush, Kuhn and Tucker of the projection; the shift is found by
    one pass over the sorted values.

    Args:
        values: (..., k) float64, finite, k >= 1; each last axis on its own.
        total: > 0; one, or (...).

    Returns:
        (..., k) float64.

    Source:
        J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra, "Efficient Projections onto the l1-Ball for
        Learning in High Dimensions", ICML 2008, figure 1.

    Example:
        >>> nearest_shares(np.array([7.5, 5.0, -2.5]), 10.0).tolist()
        [6.25, 3.75, 0.0]
    """
    falling = -np.sort(-values, axis=-1)
    steps = np.arange(1, values.shape[-1] + 1)
    shifts = (np.cumsum(falling, axis=-1) - np.asarray(total)[..., None]) / steps
    last = np.where(falling > shifts, steps, 0).max(axis=-1, keepdims=True) - 1
    return np.asarray(np.maximum(values - np.take_along_axis(shifts, last, -1), 0.0), np.float64)
