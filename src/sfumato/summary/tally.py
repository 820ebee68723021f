"""How many rows hold each distinct tuple of some columns? Counted into all possible tuples
where these are few, by sorting where they are many.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.roll_up import distinct_rows

if TYPE_CHECKING:
    from sfumato.types import IntArray

_BINS = 8
"""Bins for each row up to which counting into all possible tuples is faster than sorting."""


def tally(codes: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Add up the rows of equal tuples.

    Args:
        codes: (n, m) int64 >= 0, m >= 1.
        rows: (n,) int64 >= 0, rows of each.

    Returns:
        (n_distinct, m) int64, the sorted tuples that some row holds; (n_distinct,) int64, rows of each.

    Example:
        >>> [part.tolist() for part in tally(np.array([[1, 0], [0, 2], [1, 0]]), np.array([1, 2, 3]))]
        [[[0, 2], [1, 0]], [2, 4]]
    """
    radix = [int(largest) + 1 for largest in codes.max(axis=0, initial=0)]
    if prod(radix) > max(_BINS * len(codes), 2**16):
        distinct, member = distinct_rows(codes)
        counts = np.bincount(member, weights=rows, minlength=len(distinct)).astype(np.int64)
        return distinct[counts > 0], counts[counts > 0]
    key = np.ravel_multi_index(tuple(codes.T), radix)
    counts = np.bincount(key, weights=rows, minlength=prod(radix)).astype(np.int64)
    held = np.flatnonzero(counts)
    return np.stack(np.unravel_index(held, radix), axis=1).astype(np.int64), counts[held]
