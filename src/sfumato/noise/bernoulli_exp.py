"""How is a coin with probability e⁻ˣ tossed exactly, though e⁻ˣ is not a number of any computer?"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import toss
from sfumato.noise.narrow import narrow
from sfumato.numbers.certified import exp_bound, floors
from sfumato.numbers.check import LARGEST, positive, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.numbers.certified import Bounds
    from sfumato.types import BoolArray, FloatArray

_FIRST = 32
"""Bits of U that are drawn at first."""
_SLACK = 0.25
"""How far 2³² e⁻ˣ in float64 may be from the truth; with the errors that are allowed it is nearer than 2⁻³."""


def bernoulli_exp(n: int, x: float | Fraction, *, bits: Bits) -> BoolArray:
    """Independent coins that are True with probability exactly e⁻ˣ.

    The coin is [U < e⁻ˣ], both read in base 256 as far as needed; the digits of e⁻ˣ are certified by integer
    bounds (see `certified`), never taken from a float.

    Args:
        n: number of coins, >= 0.
        x: negated exponent, >= 0, at its exact rational value.
        bits: source of chance.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: n or x outside its range. Remedy: give them inside.

    Source:
        For the probability: C. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential
        privacy", NeurIPS 2020, algorithm 1, which uses many rational coins instead.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli_exp(3, 0, bits=SystemBits()).tolist()
        [True, True, True]
    """
    n = whole(n, "n", 0, LARGEST - 1)
    if x == 0:
        return np.ones(n, bool)
    exact = positive(x, "x")
    return toss(n, digits_of(lambda w: [exp_bound(exact, w)]), bits=bits)


def digits_of(bounds: Bounds) -> Iterator[int]:
    """The digits in base 256 of the one irrational number that the bounds enclose, without end.

    Example:
        >>> from fractions import Fraction
        >>> from itertools import islice
        >>> list(islice(digits_of(lambda w: [exp_bound(Fraction(1), w)]), 3))
        [94, 45, 88]
    """
    for word in count(1):
        yield from (floors(bounds, 64 * word)[0] % 2**64).to_bytes(8, "big")


def bernoulli_exp_many(x: FloatArray, exact: Callable[[int], Fraction], *, bits: Bits) -> BoolArray:
    """Independent coins, each True with exactly the probability e⁻ˣ of the exponent at its place.

    Thirty-two bits u of U decide where u + 1 <= 2³² e⁻ˣ or u >= 2³² e⁻ˣ holds even if the float64 value
    on the right is wrong by 1/4; elsewhere (less than once in 10⁹ coins) the exponent is asked for
    exactly and U is compared with certified bounds, with as many bits as needed.

    Args:
        x: (n,) float64, negated exponents, >= 0, so near to the exact ones that e⁻ˣ is right within 2⁻³⁶
            (a relative error of x below 2⁻³⁶ suffices; the exponential of numpy itself errs by 2⁻⁵²).
        exact: gives the exact exponent at a place.
        bits: source of chance.

    Returns:
        (n,) bool.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli_exp_many(np.array([0.0, 1e9]), [Fraction(0), Fraction(10**9)].__getitem__, bits=SystemBits()).tolist()
        [True, False]
    """
    scaled = np.exp(-x) * 2.0**_FIRST
    drawn = narrow(len(x), np.uint32, bits=bits)
    coins = drawn + 1.0 <= scaled - _SLACK
    for i in np.flatnonzero(~coins & (drawn < scaled + _SLACK)):
        coins[i] = _is_below(int(drawn[i]), exact(int(i)), bits)
    return coins


def _is_below(prefix: int, x: Fraction, bits: Bits) -> bool:
    """Whether U < e⁻ˣ, given the first 32 bits of U."""
    if x == 0:
        return True
    k = _FIRST
    while True:
        cut = floors(lambda w: [exp_bound(x, w)], k)[0]
        if prefix != cut:
            return prefix < cut
        prefix, k = (prefix << 64) | int(bits.words(1)[0]), k + 64
