"""The order of whole numbers, by their digits where that is faster than comparing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import IntArray

DIGIT = 16
"""Bits of a digit: NumPy sorts numbers of sixteen bits by counting, in linear time."""

BITS = 63
"""Bits of an int64 beside its sign."""

FEW = 1 << 18
"""Up to so many numbers three digits are faster than a sort; beyond, two."""


def order_of(values: IntArray, size: int) -> IntArray:
    """Where the numbers stand in ascending order; equal ones as they stood.

    Digit by digit, the lowest first: each pass is stable. Numbers of more digits are sorted together with their places, as
    one number where both fit in 63 bits.

    Args:
        values: (n,) int64, each >= 0.
        size: above all values.

    Returns:
        (n,) int64.

    Source:
        D. Knuth, The Art of Computer Programming, volume 3, section 5.2.5 (least significant digit first).

    Example:
        >>> order_of(np.array([70000, 2, 70000, 5]), 70001).tolist()
        [1, 3, 0, 2]
    """
    n, bits = len(values), (max(size, 1) - 1).bit_length()
    if bits <= (3 if n <= FEW else 2) * DIGIT:
        order: IntArray = values.astype(np.uint16).argsort(kind="stable")
        for shift in range(DIGIT, bits, DIGIT):
            order = order.take((values.take(order) >> shift).astype(np.uint16).argsort(kind="stable"))
        return order
    room = max(n - 1, 0).bit_length()
    if bits + room > BITS:
        return values.argsort(kind="stable")
    packed = values << room
    packed |= np.arange(n)
    packed.sort()
    packed &= (1 << room) - 1
    return packed
