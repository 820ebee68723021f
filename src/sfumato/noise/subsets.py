"""How is a set of k out of d values drawn, every set equally likely?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.check import LARGEST, whole
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def subsets(n: int, size: int, k: int, *, bits: Bits) -> IntArray:
    """Independent subsets of k elements of 0 … size-1, each of the C(size, k) equally likely.

    Floyd's algorithm, for all rows at once: for j = size-k … size-1 draw t uniformly on 0 … j, and add t,
    or j if t is already in the set. By induction the set is uniform among the subsets of 0 … j of its
    number of elements. Rows are sorted, so their order tells nothing.

    Args:
        n: number of subsets, >= 0.
        size: number of values d, >= 1.
        k: elements of a subset, 0 … size.
        bits: source of chance.

    Returns:
        (n, k) int64, every row strictly increasing.

    Raises:
        ParameterError: a number outside its range. Remedy: give it inside.

    Source:
        J. Bentley and B. Floyd, "Programming pearls: a sample of brilliance", 1987.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> subsets(2, 3, 3, bits=SystemBits()).tolist()
        [[0, 1, 2], [0, 1, 2]]
    """
    n, size = whole(n, "n", 0, LARGEST - 1), whole(size, "size", 1, LARGEST - 1)
    k = whole(k, "k", 0, size)
    chosen = np.empty((n, k), np.int64)
    for i, j in enumerate(range(size - k, size)):
        drawn = uniform_integers(n, j + 1, bits=bits)
        known = np.any(chosen[:, :i] == drawn[:, None], axis=1)
        chosen[:, i] = np.where(known, j, drawn)
    return np.sort(chosen, axis=1)
