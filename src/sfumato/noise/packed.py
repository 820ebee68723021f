"""Very many coins of one probability, eight to a byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import _digits
from sfumato.numbers.check import LARGEST, probability, whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    import numpy.typing as npt

    from sfumato.noise.bits import Bits

    Words = npt.NDArray[np.uint64]

_BLOCK = 1 << 13
"""Words of 64 coins tossed at a time; all planes of a block stay in the cache."""

_PLANES = 8
"""Binary digits compared at a time; then three words in four are decided."""


def bernoulli_packed(n_bytes: int, p: float | Fraction, *, bits: Bits) -> npt.NDArray[np.uint8]:
    """Independent coins, each bit 1 with probability exactly p.

    As `bernoulli`, [U < p], but in base 2 and for 64 coins with one operation: plane i says of each coin
    whether the i-th binary digit of U equals that of p, which is a fair coin. Where they first differ,
    U < p iff p's digit is 1. Words whose coins are all decided drop out after every eighth digit, so 64
    coins take about ten words of chance.

    Args:
        n_bytes: number of bytes, >= 0.
        p: probability in [0, 1], a float or a rational, taken exactly.
        bits: source of chance.

    Returns:
        (n_bytes,) uint8.

    Raises:
        ParameterError: n_bytes or p outside its range. Remedy: give them inside.

    Source:
        D. Knuth and A. Yao, "The complexity of nonuniform random number generation", 1976.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli_packed(2, 1.0, bits=SystemBits()).tolist()
        [255, 255]
    """
    n_bytes, exact = whole(n_bytes, "n_bytes", 0, LARGEST - 1), probability(p)
    if exact in {0, 1}:
        return np.full(n_bytes, 255 * int(exact), np.uint8)
    out = np.empty(-(-n_bytes // 8), np.uint64)
    for start in range(0, len(out), _BLOCK):
        part = out[start : start + _BLOCK]
        part[:] = _toss(len(part), _digits(exact), bits)
    return out.view(np.uint8)[:n_bytes]


def _toss(n: int, digits: Iterator[int], bits: Bits) -> Words:
    """(n,) words of coins."""
    coins, tied = _compare(np.full(n, 2**64 - 1, np.uint64), next(digits), bits)
    at = np.arange(n)
    for digit in digits:
        still = np.flatnonzero(tied)
        if not len(still):
            break
        at = at[still]
        below, tied = _compare(tied[still], digit, bits)
        coins[at] |= below
    return coins


def _compare(tied: Words, digit: int, bits: Bits) -> tuple[Words, Words]:
    """Which of the tied coins fall below p after eight more binary digits, and which are still tied."""
    planes = bits.words(_PLANES * len(tied)).reshape(_PLANES, len(tied))
    below, equal = np.zeros_like(tied), np.empty_like(tied)
    for i, plane in enumerate(planes):
        np.bitwise_and(tied, plane, out=equal)
        if digit >> (_PLANES - 1 - i) & 1:
            np.bitwise_xor(tied, equal, out=tied)
            np.bitwise_or(below, tied, out=below)
        tied, equal = equal, tied
    return below, tied
