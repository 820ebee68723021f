"""Whole numbers, every one equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bits import narrow
from sfumato.numbers.check import LARGEST, whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

_TOP = 2**64 - 1
"""The largest word."""


def uniform_integers(n: int, high: int, *, bits: Bits) -> IntArray:
    """Independent integers, uniform on 0 … high-1, exactly.

    For high <= 2³², W a uniform 32-bit word: ⌊W·high / 2³²⌋ is returned unless the low half of the product
    is below 2³² mod high, in which case W is drawn again. What is left gives every value exactly
    ⌊2³²/high⌋ words. For a larger high, words at or above the largest multiple of high are drawn again, and
    W mod high is returned.

    Args:
        n: how many, >= 0.
        high: number of values, 1 … 2⁶³.
        bits: source of chance.

    Returns:
        (n,) int64 in [0, high).

    Raises:
        ParameterError: n or high outside its range. Remedy: give them inside.

    Source:
        D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019, algorithm 5.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> uniform_integers(3, 1, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, high = whole(n, "n", 0, LARGEST - 1), whole(high, "high", 1, LARGEST)
    draw = _by_product if high <= 1 << 32 else _by_remainder
    out, refused = draw(n, high, bits)
    while len(refused):
        out[refused], again = draw(len(refused), high, bits)
        refused = refused[again]
    return out


def uniform_below(high: IntArray, *, bits: Bits) -> IntArray:
    """Independent integers, each uniform on 0 … h-1 for the h at its place, exactly.

    As `uniform_integers`, with words and refusals of each place.

    Args:
        high: (n,) int64, each 1 or more.
        bits: source of chance.

    Returns:
        (n,) int64.

    Raises:
        ParameterError: an entry below 1. Remedy: give numbers of values.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> uniform_below(np.array([1, 1]), bits=SystemBits()).tolist()
        [0, 0]
    """
    if len(high) and high.min() < 1:
        raise ParameterError("Every number of values must be at least 1; one is not.", "leave out what has no value.")
    wide, out = high.astype(np.uint64), np.zeros(len(high), np.int64)
    for draw, at in ((_by_product, high <= 1 << 32), (_by_remainder, high > 1 << 32)):
        left = np.flatnonzero(at)
        while len(left):
            out[left], refused = draw(len(left), wide[left], bits)
            left = left[refused]
    return out


def _by_product(n: int, high: int | npt.NDArray[np.uint64], bits: Bits) -> tuple[IntArray, IntArray]:
    """Numbers from 32 bits each, and the places where they must be drawn again."""
    product = narrow(n, np.uint32, bits=bits) * np.uint64(high)
    refused = np.flatnonzero(_low_half(product) < 2**32 % high)
    product >>= np.uint64(32)
    return product.view(np.int64), refused


def _low_half(product: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    """The lower 32 bits of each number."""
    return product.astype(np.uint32)


def _by_remainder(n: int, high: int | npt.NDArray[np.uint64], bits: Bits) -> tuple[IntArray, IntArray]:
    """Numbers from 64 bits each, and the places where they must be drawn again."""
    words = bits.words(n)
    excess = (_TOP % high + 1) % high
    refused = np.flatnonzero(words > np.uint64(_TOP - excess))
    return (words % np.uint64(high)).view(np.int64), refused
