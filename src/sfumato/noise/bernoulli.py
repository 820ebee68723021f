"""How is a coin with exactly this probability tossed?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.check import LARGEST, probability, whole
from sfumato.noise.narrow import narrow

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, FloatArray


def bernoulli(n: int, p: float | Fraction, *, bits: Bits) -> BoolArray:
    """Independent coins that are True with probability exactly p.

    A coin is [U < p] for a uniform real U in [0, 1) of which only the needed bytes are drawn: both
    numbers are read in base 256, and the first digit in which they differ decides. A draw needs one
    byte, and another with probability 1/256, and so on. No rounding takes place: digits of p come from its
    exact rational value, so the float 0.1 is tossed with its binary value, and Fraction(1, 10) with 1/10.

    The number of bytes drawn depends on the coins' ties with p, not on which side they fall.

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
    n, rest = whole(n, "n", 0, LARGEST - 1), probability(p)
    if rest in {0, 1}:
        return np.full(n, rest == 1)
    coins, undecided = np.zeros(n, bool), None
    while rest:
        digit, rest = divmod(rest * 256, 1)
        drawn = narrow(n if undecided is None else len(undecided), np.uint8, bits=bits)
        below, ties = drawn < digit, drawn == digit
        if undecided is None:
            coins, undecided = below, np.flatnonzero(ties) if rest else None
        else:
            coins[undecided[below]] = True
            undecided = undecided[ties]
        if undecided is not None and not len(undecided):
            break
    return coins


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
    rest = given.ravel()
    coins, at = np.zeros(len(rest), bool), np.arange(len(rest))
    while len(at):
        rest = rest * 256
        digit = np.floor(rest)
        drawn = narrow(len(at), np.uint8, bits=bits)
        coins[at[drawn < digit]] = True
        rest -= digit
        tied = (drawn == digit) & (rest > 0)
        at, rest = at[tied], rest[tied]
    return coins.reshape(given.shape)
