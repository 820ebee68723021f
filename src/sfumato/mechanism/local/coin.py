"""How likely must noise be for the exact epsilon to stay within the asked one?

Every oracle tosses one coin per report (or per bit): *noise* with probability s. Its largest likelihood
ratio falls as s grows. Of the coin's two sides the rarer one is sampled, with a float as probability:
that float is a dyadic rational, so the ratio is an exact fraction.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray

_REACH = 16
"""Floats to both sides of the computed probability among which the exact search starts."""


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin that is sampled by its rarer side.

    Args:
        rare: probability of the rarer side, in (0, 1/2].
        rare_is_noise: whether the rarer side is the noise.
    """

    rare: float
    rare_is_noise: bool

    @property
    def noise(self) -> Fraction:
        """The exact probability of noise as sampled."""
        return Fraction(self.rare) if self.rare_is_noise else 1 - Fraction(self.rare)

    @property
    def truth(self) -> Fraction:
        """The exact probability that there is no noise."""
        return 1 - self.noise

    @property
    def odds(self) -> Fraction:
        """The exact odds of truth, (1-s)/s."""
        return self.truth / self.noise

    def toss_noise(self, n: int, *, bits: Bits) -> BoolArray:
        """(n,) bool: where noise falls."""
        from sfumato.noise.bernoulli import bernoulli

        rare = bernoulli(n, self.rare, bits=bits)
        return rare if self.rare_is_noise else ~rare


def calibrate(epsilon: float, log_odds: float, ratio: Callable[[Fraction], Fraction]) -> Coin:
    """The coin with the least noise whose likelihood ratio stays within e^ε.

    Args:
        epsilon: asked, in nats.
        log_odds: ln((1-s)/s) as far as floating point knows it.
        ratio: the exact likelihood ratio as a function of the odds (1-s)/s, increasing.

    Returns:
        the coin; ln(ratio(coin.odds)), rounded up, is at most epsilon.

    Example:
        >>> coin = calibrate(1.0, 1.0, lambda odds: odds)
        >>> log_up(coin.odds) <= 1.0, round(coin.rare, 4)
        (True, 0.2689)
    """
    is_noise = log_odds >= 0
    start = _ordinal(_logistic(-abs(log_odds)))
    outward = 1 if is_noise else -1

    def fits(step: int) -> bool:
        coin = Coin(_float(start + outward * step), rare_is_noise=is_noise)
        return log_up(ratio(coin.odds)) <= epsilon

    low, high = -_REACH, _REACH
    while fits(low):
        low *= 2
    while not fits(high):
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return Coin(_float(start + outward * high), rare_is_noise=is_noise)


def _logistic(negative: float) -> float:
    """1/(1+e^-x) for x <= 0, without cancellation."""
    return math.exp(negative) / (1 + math.exp(negative))


def _ordinal(number: float) -> int:
    """The place of a positive float among the positive floats."""
    place: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return place


def _float(place: int) -> float:
    """The positive float at a place."""
    number: float = struct.unpack("<d", struct.pack("<q", place))[0]
    return number
