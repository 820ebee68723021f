"""Dither: equal values become distinct ones, without any privacy spent, and equal again in the answer.

Each record's place g is moved to the fine place g·2ᵇ + V, with V fresh, uniform on 0 … 2ᵇ - 1 and independent for
every record. A mechanism that finds quantiles among fine places then answers on the fine grid, and a shift by b bits
rounds its answer down to the public grid. Between fine places of one value lies no other value: where an atom
holds a quantile, the answer is the atom exactly.

Each record is moved on its own, so neighboring tables stay neighbors under every outcome of the chance, and what is
private for each outcome is private on average over them (see the proof page on quantiles).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bits import narrow

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

_MOST_BITS = 32
"""Bits of dither at most: they fit a half word, and a billion equal values still become nearly all distinct."""
_FINE_BITS = 62
"""Fine places are below 2 to this power."""


def dither_bits(size: int) -> int:
    """How many bits b of dither a grid of this size gets, so that its fine places fit 62 bits.

    Example:
        >>> dither_bits(121), dither_bits(2**52)
        (32, 10)
    """
    return min(_MOST_BITS, _FINE_BITS - (size - 1).bit_length())


def dither(places: IntArray, width: int, *, bits: Bits) -> IntArray:
    """Fine places g·2ᵇ + V, each V a fresh uniform number of b bits.

    Args:
        places: (n,) int64, >= 0.
        width: b, 0 … 32.
        bits: source of chance.

    Returns:
        (n,) int64; shifted right by b they are `places` again.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> (dither(np.array([5, 5]), 32, bits=SystemBits()) >> 32).tolist()
        [5, 5]
    """
    if not width:
        return places
    fine = places << width
    moves = narrow(len(places), np.uint32, bits=bits)
    fine |= moves if width == _MOST_BITS else moves >> np.uint32(_MOST_BITS - width)
    return fine
