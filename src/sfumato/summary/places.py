"""Where each row of one matrix of codes stands in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import IntArray


def places(codes: IntArray, among: IntArray) -> IntArray:
    """The row of `among` that equals each row of `codes`.

    Args:
        codes: (n, m) int64.
        among: (k, m) int64, distinct rows.

    Returns:
        (n,) int64 in [0, k), or -1 where none does.

    Example:
        >>> places(np.array([[1, 1], [0, 2], [5, 5]]), np.array([[0, 2], [1, 1]])).tolist()
        [1, 0, -1]
    """
    both = np.concatenate((among, codes))
    if not both.shape[1]:
        return np.full(len(codes), 0 if len(among) else -1)
    order = np.lexsort(both.T)
    ordered = both[order]
    number = np.empty(len(both), np.int64)
    number[order] = np.cumsum(np.r_[True, np.any(ordered[1:] != ordered[:-1], axis=1)][: len(both)]) - 1
    at = np.full(len(both), -1)
    at[number[: len(among)]] = np.arange(len(among))
    return np.asarray(at[number[len(among) :]], np.int64)
