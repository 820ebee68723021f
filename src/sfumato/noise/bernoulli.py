"""How is a coin with exactly this probability tossed?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.narrow import narrow
from sfumato.numbers.check import LARGEST, probability, whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, FloatArray, IntArray

_AT_A_TIME = 1 << 17
"""Bytes that stay in a processor's cache."""


def bernoulli(n: int, p: float | Fraction, *, bits: Bits) -> BoolArray:
    """Independent coins that are True with probability exactly p.

    A coin is [U < p] for a uniform real U in [0, 1) of which only the needed bytes are drawn: both
    numbers are read in base 256, and the first digit in which they differ decides. A draw needs one
    byte, another one with probability 1/256, and so on. Nothing is rounded: the digits of p come from
    its exact rational value, so the float 0.1 is tossed with its binary value, and Fraction(1, 10)
    with 1/10. For p = 0 and p = 1 nothing is drawn.

    Args:
        n: number of coins, >= 0.
        p: probability in [0, 1], a float or a rational.
        bits: source of chance.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: n or p outside its range. Remedy: give them inside.

    Source:
        D. Knuth and A. Yao, "The complexity of nonuniform random number generation", 1976.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli(3, 1.0, bits=SystemBits()).tolist()
        [True, True, True]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), probability(p)
    if exact in {0, 1}:
        return np.full(n, exact == 1)
    return toss(n, _digits(exact), bits=bits)


def toss(n: int, digits: Iterator[int], *, bits: Bits) -> BoolArray:
    """Coins [U < p], p < 1 given by its digits in base 256.

    Args:
        n: number of coins, >= 0.
        digits: of p after the point; where they end, p ends, and a tie is U >= p.
        bits: source of chance.

    Returns:
        (n,) bool.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> toss(3, iter([0]), bits=SystemBits()).tolist()
        [False, False, False]
    """
    coins, undecided = _first(n, next(digits), bits)
    for digit in digits:
        if not len(undecided):
            break
        drawn = narrow(len(undecided), np.uint8, bits=bits)
        coins[undecided[drawn < digit]] = True
        undecided = undecided[drawn == digit]
    return coins


def _first(n: int, digit: int, bits: Bits) -> tuple[BoolArray, IntArray]:
    """Coins of one digit, and the places of ties."""
    coins, ties = np.empty(n, bool), [np.zeros(0, np.int64)]
    for start in range(0, n, _AT_A_TIME):
        part = coins[start : start + _AT_A_TIME]
        drawn = narrow(len(part), np.uint8, bits=bits)
        np.less(drawn, digit, out=part)
        ties.append(np.flatnonzero(drawn == digit) + start)
    return coins, np.concatenate(ties)


def bernoulli_many(p: FloatArray, *, bits: Bits) -> BoolArray:
    """Independent coins, each True with exactly the probability at its place.

    As `bernoulli`, with the digits computed in float64: multiplying by 256 and taking the fraction
    lose nothing, for subnormal numbers too.

    Args:
        p: (…) float64 in [0, 1].
        bits: source of chance.

    Returns:
        (…) bool, of the same shape.

    Raises:
        ParameterError: an entry outside [0, 1] or NaN. Remedy: compute probabilities in that range.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli_many(np.array([0.0, 1.0]), bits=SystemBits()).tolist()
        [False, True]
    """
    given = np.asarray(p, np.float64)
    if not np.all((given >= 0) & (given <= 1)):
        raise ParameterError("Every probability must lie in [0, 1]; one does not.", "compute them in that range.")
    scaled = given.ravel() * 256
    drawn = narrow(len(scaled), np.uint8, bits=bits)
    coins = drawn + 1.0 <= scaled
    at = np.flatnonzero(~coins & (drawn < scaled))
    rest = scaled[at] - drawn[at]
    while len(at):
        rest = rest * 256
        drawn = narrow(len(at), np.uint8, bits=bits)
        coins[at[drawn + 1.0 <= rest]] = True
        rest -= drawn
        tied = (rest > 0) & (rest < 1)
        at, rest = at[tied], rest[tied]
    return coins.reshape(given.shape)


def _digits(p: Fraction) -> Iterator[int]:
    """Digits of a rational in [0, 1) in base 256, as far as they are not all zero."""
    while p:
        digit, p = divmod(p * 256, 1)
        yield digit
