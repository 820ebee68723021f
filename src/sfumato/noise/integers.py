"""How is a whole number drawn, every one equally likely?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.check import LARGEST, whole
from sfumato.noise.narrow import narrow

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def uniform_integers(n: int, high: int, *, bits: Bits) -> IntArray:
    """Independent integers, uniform on 0 … high-1, exactly.

    A word W is uniform below 2⁶⁴. Words at or above the largest multiple of `high` are drawn again, so
    the rest fill every residue class equally often, and W mod high is uniform.

    Args:
        n: how many, >= 0.
        high: number of values, 1 … 2⁶³.
        bits: source of chance.

    Returns:
        (n,) int64 in [0, high).

    Raises:
        ParameterError: n or high outside its range. Remedy: give them inside.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> uniform_integers(3, 1, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, high = whole(n, "n", 0, LARGEST - 1), whole(high, "high", 1, LARGEST)
    last = np.uint64(2**64 - 2**64 % high - 1)
    words = narrow(n, np.uint64, bits=bits).copy()
    refused = np.flatnonzero(words > last)
    while len(refused):
        words[refused] = narrow(len(refused), np.uint64, bits=bits)
        refused = refused[words[refused] > last]
    return (words % np.uint64(high)).astype(np.int64)
