"""The coin of local noise, calibrated to an exact epsilon, and the laws that tie it to what a report supports.

Every oracle tosses one coin per report (or per bit): *noise* with probability s. Its largest likelihood
ratio falls as s grows. Of the coin's two sides the rarer one is sampled, with a float as probability:
that float is a dyadic rational, so the ratio is an exact fraction. A law says what noise does to a report;
likelihood ratio and support of all oracles are written here, once: `Direct`, `Sided`, `Symmetric`, `Asymmetric`.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from sfumato.frozen import dataclass
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


class Law(Protocol):
    """What noise does to a report: its likelihood ratio, and how often a report supports a value."""

    def log_odds(self, epsilon: float) -> float:
        """ln((1-s)/s) of the coin whose likelihood ratio is e^ε, as far as floating point knows it."""
        ...

    def ratio(self, odds: Fraction) -> Fraction:
        """The exact largest likelihood ratio of a report, given the odds of truth (1-s)/s."""
        ...

    def support(self, coin: Coin) -> tuple[Fraction, Fraction]:
        """Exact p and q: Pr[report supports v | v], and Pr[report supports v | another value]."""
        ...


@dataclass(frozen=True, slots=True)
class Direct:
    """Noise replaces the report by a uniform one out of all g: s = g/(e^ε+g-1).

    Proof: P[y|v] = 1-s+s/g for the own report and s/g for another, so the largest ratio is 1 + g(1-s)/s.
    Support: p = 1-s+s/g. Another value has the same own report with probability c, so q = (1-s)c + s/g.

    Args:
        n_reports: g >= 2.
        shared: c, the exact probability that two values share their report.

    Example:
        >>> coin = calibrated(1.0, Direct(2))
        >>> round(float(coin.noise), 4), [round(float(one), 4) for one in Direct(2).support(coin)]
        (0.5379, [0.7311, 0.2689])
    """

    n_reports: int
    shared: Fraction = Fraction(0)

    def log_odds(self, epsilon: float) -> float:
        """ln((e^ε-1)/g)."""
        log_expm1 = math.log(math.expm1(epsilon)) if epsilon < 1 else epsilon + math.log1p(-math.exp(-epsilon))
        return log_expm1 - math.log(self.n_reports)

    def ratio(self, odds: Fraction) -> Fraction:
        """1 + g (1-s)/s."""
        return 1 + self.n_reports * odds

    def support(self, coin: Coin) -> tuple[Fraction, Fraction]:
        """1-s+s/g and (1-s)c + s/g."""
        even = coin.noise / self.n_reports
        return coin.truth + even, coin.truth * self.shared + even


@dataclass(frozen=True, slots=True)
class Sided:
    """A report is uniform among those that support the value, and with noise among those that do not.

    Proof: of K reports, c support a value. One of them has probability (1-s)/c, another s/(K-c), so the ratio
    is (1-s)/s · (K-c)/c. Support: p = 1-s and q = p·(share of the c that support another value too) +
    s·(share of the K-c that do).

    Args:
        spread: (K-c)/c.
        inside: share of the reports supporting a value that support another one too.
        outside: share of the reports not supporting a value that support another one.

    Example:
        >>> halves = Sided(Fraction(1), Fraction(1, 2), Fraction(1, 2))
        >>> [round(float(one), 4) for one in halves.support(calibrated(1.0, halves))]
        [0.7311, 0.5]
    """

    spread: Fraction
    inside: Fraction
    outside: Fraction

    def log_odds(self, epsilon: float) -> float:
        """ε - ln((K-c)/c)."""
        return epsilon - math.log(self.spread)

    def ratio(self, odds: Fraction) -> Fraction:
        """(1-s)/s · (K-c)/c."""
        return odds * self.spread

    def support(self, coin: Coin) -> tuple[Fraction, Fraction]:
        """1-s, and what of the supporting and the other reports supports another value."""
        return coin.truth, self.other(coin.truth)

    def other(self, p: Fraction) -> Fraction:
        """The q that belongs to a p."""
        return p * self.inside + (1 - p) * self.outside


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Every bit of a report is flipped by noise: s = 1/(e^{ε/2}+1), p = 1-s, q = s.

    Proof: two values change two bits, and the ratio is largest where the report holds a 1 at the one and a 0
    at the other: ((1-s)/s)².
    """

    def log_odds(self, epsilon: float) -> float:
        """ε/2."""
        return epsilon / 2

    def ratio(self, odds: Fraction) -> Fraction:
        """((1-s)/s)²."""
        return odds**2

    def support(self, coin: Coin) -> tuple[Fraction, Fraction]:
        """1-s and s."""
        return coin.truth, coin.noise


@dataclass(frozen=True, slots=True)
class Asymmetric:
    """The bit of the value is a fair coin, every other is 1 by noise: s = 1/(e^ε+1), p = 1/2, q = s.

    Proof: two values change two bits, and the ratio is largest where the report holds a 1 at the one and a 0
    at the other: (1/2)(1-s) / (s (1/2)) = (1-s)/s.
    """

    def log_odds(self, epsilon: float) -> float:
        """ε."""
        return epsilon

    def ratio(self, odds: Fraction) -> Fraction:
        """(1-s)/s."""
        return odds

    def support(self, coin: Coin) -> tuple[Fraction, Fraction]:
        """1/2 and s."""
        return Fraction(1, 2), coin.noise


def calibrated(epsilon: float, law: Law) -> Coin:
    """The coin with the least noise whose likelihood ratio under a law stays within e^ε."""
    return calibrate(epsilon, law.log_odds(epsilon), law.ratio)


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
    number: float = struct.unpack("<d", struct.pack("<q", place))[0]
    return number
