"""A uniformly random order of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def permutation(n: int, *, bits: Bits) -> IntArray:
    """(n,) int64: a permutation of 0 … n-1, every one equally likely.

    Sorting n independent uniform 64-bit words is uniform given that they are distinct, so words are
    drawn again until they are (a repeat has probability below n²/2⁶⁵).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> sorted(permutation(5, bits=SystemBits()).tolist())
        [0, 1, 2, 3, 4]
    """
    while True:
        words = bits.words(n)
        order = np.argsort(words, kind="stable")
        ordered = words[order]
        if not np.any(ordered[1:] == ordered[:-1]):
            return order.astype(np.int64)
