"""The law of noise in shares: what it promises when as many are honest as was declared, and when fewer or more are."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.negative_binomial import MOST_PARTIES, laplace_share
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.numbers.enclosure import exp_between, log_between, up

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Interval
    from sfumato.types import IntArray

_BITS = 192
"""Bits of the numbers that enclose a law."""
_UNLIKELY = 40
"""Noise reaches farther than `reach` with probability below 2⁻⁴⁰."""


@dataclass(frozen=True, slots=True)
class SharedNoise:
    """Discrete Laplace noise drawn by `among` parties together: each adds a difference of two negative binomial numbers.

    The sum of u shares is the difference of two negative binomial numbers of shape u/among. If `among` of them are drawn
    by honest holders the sum hides each change of counts by `sensitivity` together as epsilon says; what more is added
    can only hide more, and costs accuracy.

    Args:
        epsilon: the promise, > 0, exactly.
        sensitivity: by how much the counts of all cells together change with one person, >= 1.
        among: how many honest holders answer at least.

    Proof:
        docs/proofs/secure-sums.md, "Shares of noise".

    Source:
        For the sum of gamma or negative binomial shares: G. Ács and C. Castelluccia, "I have a DREAM!", IH 2011; S.
        Goryczka and L. Xiong, "A comprehensive comparison of multiparty secure additions with differential privacy",
        IEEE TDSC 2017.

    Example:
        >>> noise = SharedNoise(Fraction(1, 2), 1, among=3)
        >>> noise.scale, noise.price(honest=3), float(noise.price(honest=2))
        (Fraction(2, 1), Fraction(1, 2), 0.905465108108165)
    """

    epsilon: Fraction
    sensitivity: int
    among: int

    def __post_init__(self) -> None:
        checked_epsilon(self.epsilon)
        whole(self.sensitivity, "sensitivity", 1, 2**31)
        whole(self.among, "among", 1, MOST_PARTIES)
        if self.scale > 2**40:
            raise ParameterError("The scale of noise must be at most 2^40.", "raise `epsilon`.")

    @property
    def scale(self) -> Fraction:
        """The sensitivity divided by epsilon: over so many steps the probability falls by e."""
        return self.sensitivity / self.epsilon

    def share(self, cells: int, *, bits: Bits) -> IntArray:
        """(cells,) int64: what one holder adds."""
        return laplace_share(cells, self.scale, self.among, bits=bits)

    def price(self, honest: int) -> Fraction | None:
        """The epsilon of the sum when so many honest holders added a share, rounded up; None where none did.

        With at least `among` it is epsilon itself. With fewer, s = honest/among: a change of one cell by k costs at most
        k (1/scale + ln(1/s)).

        Example:
            >>> SharedNoise(Fraction(1), 1, among=2).price(honest=0) is None
            True
        """
        if honest < 1:
            return None
        if honest >= self.among:
            return self.epsilon
        return up(self.epsilon + self.sensitivity * log_between(Fraction(self.among, honest))[1])

    def variance(self, holders: int) -> Fraction:
        """The variance of the sum of so many shares, rounded up: 2 s q / (1 - q)², s = holders/among, q = e^(-1/scale).

        Example:
            >>> float(SharedNoise(Fraction(1), 1, among=2).variance(holders=2))
            1.84134718841559
        """
        low, high = exp_between(1 / self.scale)
        return up(2 * Fraction(holders, self.among) * high / (low - 1) ** 2)

    def probability(self, holders: int, value: int) -> Interval:
        """Fractions around the probability that the sum of so many shares is a value.

        Σ a_x a_(x+d) q^(2x+d) (1 - q)^(2s), a_x = C(x + s - 1, x), d = |value|, s = holders/among; the terms that are left
        out are below a geometric series.

        Example:
            >>> low, high = SharedNoise(Fraction(1), 1, among=2).probability(2, 0)
            >>> 0 < high - low < Fraction(1, 10**40), float(low)
            (True, 0.46211715726000974)
        """
        s, d = Fraction(holders, self.among), abs(value)
        low, high = exp_between(-1 / self.scale)
        below, above = _series(s, d, low)[0], _series(s, d, high)[1]
        bounds = [log_between(1 - q) for q in (high, low)]
        return below * exp_between(2 * s * bounds[0][0])[0], above * exp_between(2 * s * bounds[1][1])[1]

    def reach(self, holders: int, cells: int) -> int:
        """Steps that the sum of so many shares exceeds in any of the cells with probability below 2⁻⁴⁰.

        At most m = ⌈holders/among⌉ geometric numbers are added on either side; one of them reaches y with probability
        e^(-y/scale), and a sum of m reaches m y only where one of them reaches y.
        """
        m = -(-holders // self.among)
        exponent = Fraction(7, 10) * (_UNLIKELY + (2 * m * cells).bit_length())
        return m * -(-exponent * self.scale // 1)


def _series(s: Fraction, d: int, q: Fraction) -> Interval:
    """Σ a_x a_(x+d) q^(2x+d) between two fractions, in whole numbers of 192 bits after the point.

    What follows a term is below it times growth + growth² + …, growth = gain / (gain + loss).
    """
    one, (a, b) = 1 << _BITS, s.as_integer_ratio()
    first = math.prod(a + b * i for i in range(d)), b**d * math.factorial(d)
    least, total, x = one * q.numerator**d * first[0] // (q.denominator**d * first[1]), 0, 0
    most, lost = least + 1, 0
    ratio = one * q.numerator**2 // q.denominator**2
    while True:
        total += least
        lost += most - least
        left, right, below = a + b * x, a + b * (x + d), (b * (1 + x), b * (1 + x + d))
        top, bottom = left * right, below[0] * below[1]
        gain = max(left, below[0]) * max(right, below[1]) * (ratio + 1)
        loss = bottom * one - gain
        if loss > 0 and most * gain < loss << 16:
            return Fraction(total, one), Fraction(total + lost - (-most * gain // loss), one)
        least = least * ratio * top // (one * bottom)
        most = -(-most * (ratio + 1) * top // (one * bottom))
        x += 1
