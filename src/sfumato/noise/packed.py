"""How are very many coins of one probability tossed, eight to a byte?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.check import LARGEST, probability, whole

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy.typing as npt

    from sfumato.noise.bits import Bits

_BLOCK = 1 << 12
"""Words of 64 coins tossed at a time; all planes of a block stay in the cache."""

_PLANES = 8
"""Binary digits compared at a time; then most words are decided."""


def bernoulli_packed(n_bytes: int, p: float | Fraction, *, bits: Bits) -> npt.NDArray[np.uint8]:
    """Independent coins, each bit 1 with probability exactly p.

    As `bernoulli`, [U < p], but in base 2 and for 64 coins with one operation: plane i holds the i-th binary
    digit of all U's. Where the digits of U and p first differ, U < p iff p's digit is 1. Words whose coins
    are all decided drop out after every eighth digit, so 64 coins take about ten words of chance.

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
        out[start : start + _BLOCK] = _toss(len(out[start : start + _BLOCK]), exact, bits)
    return out.view(np.uint8)[:n_bytes]


def _toss(n: int, exact: Fraction, bits: Bits) -> npt.NDArray[np.uint64]:
    """(n,) words of coins."""
    coins, rest = np.zeros(n, np.uint64), exact
    tied, at = np.full(n, 2**64 - 1, np.uint64), np.arange(n)
    while rest and len(at):
        digits, rest = divmod(rest * 2**_PLANES, 1)
        below, tied = _compare(tied, int(digits), bits)
        coins[at] |= below
        open_words = np.flatnonzero(tied)
        at, tied = at[open_words], tied[open_words]
    return coins


def _compare(
    tied: npt.NDArray[np.uint64], digits: int, bits: Bits
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Which of the tied coins fall below p, and which are still tied, after eight more digits."""
    planes = bits.words(_PLANES * len(tied)).reshape(_PLANES, len(tied))
    below, tied = np.zeros_like(tied), tied.copy()
    for i, plane in enumerate(planes):
        if digits >> (_PLANES - 1 - i) & 1:
            equal = tied & plane
            below |= tied ^ equal
            tied = equal
        else:
            tied &= ~plane
    return below, tied
