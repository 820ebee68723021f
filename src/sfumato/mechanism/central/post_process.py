"""Noisy answers made possible: not negative, adding up, whole, a true covariance.

What reads only released numbers costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray


def nonnegative(values: FloatArray) -> FloatArray:
    """Numbers below 0 become 0. Each is then nearer to its true count, and their sum is biased upwards.

    Example:
        >>> nonnegative(np.array([3.0, -1.0])).tolist()
        [3.0, 0.0]
    """
    return np.asarray(np.maximum(values, 0.0), np.float64)


def with_total(values: FloatArray, total: float) -> FloatArray:
    """The nearest numbers >= 0 that add up to a known or released total.

    Args:
        values: (n,) float64, finite, n >= 1.
        total: >= 0; not taken from the private table unless it is public.

    Raises:
        ParameterError: a total that is negative or not finite, or no value. Remedy: clamp a noisy total at 0.

    Example:
        >>> with_total(np.array([7.5, 5.0, -2.5]), 10.0).tolist()
        [6.25, 3.75, 0.0]
    """
    if len(values) == 0 or not 0 <= total < np.inf:
        raise ParameterError(
            "Values with a total need at least one value and a finite total >= 0.", "clamp a noisy total at 0."
        )
    return nearest_shares(np.asarray(values, np.float64), total) if total > 0 else np.zeros(len(values))


def rounded(values: FloatArray, total: int) -> IntArray:
    """The nearest whole numbers that add up to a whole total: each is the floor or the ceiling.

    The largest remainders are rounded up, the first of equal ones first.

    Args:
        values: (n,) float64, with floors and ceilings between which the total lies.
        total: what they shall add up to.

    Raises:
        ParameterError: a total that no rounding to floor or ceiling has. Remedy: fit the values to it first.

    Example:
        >>> rounded(np.array([0.5, 1.2, 1.3]), 3).tolist()
        [1, 1, 1]
    """
    floors = np.floor(values)
    missing = total - int(floors.sum())
    rest = values - floors
    if not 0 <= missing <= int(np.count_nonzero(rest)):
        raise ParameterError(
            "No rounding of each value up or down has this total.", "use `with_total` first, with the same total."
        )
    out = floors.astype(np.int64)
    out[np.argsort(-rest, kind="stable")[:missing]] += 1
    return out


def nearest_semidefinite(matrices: FloatArray) -> FloatArray:
    """The nearest matrices that are covariances, in the Frobenius norm: eigenvalues below 0 become 0.

    Matrices that hold NaN stay as they are.

    Args:
        matrices: (..., d, d) float64, symmetric.

    Source:
        N. Higham, "Computing a nearest symmetric positive semidefinite matrix", Linear Algebra and its Applications
        103, 1988, theorem 2.1.

    Example:
        >>> nearest_semidefinite(np.array([[1.0, 0.0], [0.0, -1.0]])).tolist()
        [[1.0, 0.0], [0.0, 0.0]]
    """
    known = np.isfinite(matrices).all(axis=(-2, -1), keepdims=True)
    safe = np.where(known, matrices, 0.0)
    values, vectors = np.linalg.eigh((safe + np.swapaxes(safe, -1, -2)) / 2)
    kept = (vectors * np.maximum(values, 0.0)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    return np.asarray(np.where(known, kept, matrices), np.float64)
