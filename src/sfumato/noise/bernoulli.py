"""Coins: of any exact probability, and of probability e^-x with certified digits."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bits import narrow
from sfumato.numbers.check import LARGEST, positive, probability, whole
from sfumato.numbers.enclosure import exp_bound, floors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bounds
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

    def bounds(i: int) -> Bounds | None:
        at = exact(i)
        return None if at == 0 else lambda w: [exp_bound(at, w)]

    return bernoulli_exp_enclosed(x, bounds, bits=bits)


def bernoulli_exp_enclosed(x: FloatArray, bounds: Callable[[int], Bounds | None], *, bits: Bits) -> BoolArray:
    """As `bernoulli_exp_many`, for exponents that no fraction equals: their exponentials are enclosed instead.

    Args:
        x: (n,) float64, negated exponents, >= 0, as near to the exact ones as `bernoulli_exp_many` needs.
        bounds: gives the bounds of e⁻ˣ at a place, x algebraic and not 0, so that e⁻ˣ is irrational (Lindemann); None for
            x = 0.
        bits: source of chance.

    Returns:
        (n,) bool.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bernoulli_exp_enclosed(np.zeros(2), lambda i: None, bits=SystemBits()).tolist()
        [True, True]
    """
    scaled = np.exp(-x) * 2.0**_FIRST
    drawn = narrow(len(x), np.uint32, bits=bits)
    coins = drawn + 1.0 <= scaled - _SLACK
    for i in np.flatnonzero(~coins & (drawn < scaled + _SLACK)):
        at = bounds(int(i))
        coins[i] = at is None or _is_below(int(drawn[i]), at, bits)
    return coins


def _is_below(prefix: int, bounds: Bounds, bits: Bits) -> bool:
    """Whether U is below the enclosed number, given the first 32 bits of U."""
    k = _FIRST
    while True:
        cut = floors(bounds, k)[0]
        if prefix != cut:
            return prefix < cut
        prefix, k = (prefix << 64) | int(bits.words(1)[0]), k + 64
