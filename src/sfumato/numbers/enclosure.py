"""Enclosures: fractions and integers between which an exponential or a logarithm lies, and rounding against us.

Decimal's `exp` and `ln` are correctly rounded, so the neighbors of what they return enclose the true value; the
argument is rounded outwards first. A certified bound is a pair (low, high) of integers with low <= 2ʷ x < high, without
trust in floats. The upper side is strict, so a number just below 1 has a known integer part however close it is.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import ParameterError
from sfumato.numbers.exact import MOST_DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable

Interval: TypeAlias = tuple[Fraction, Fraction]
"""Two fractions with a real number between them."""

_PRECISION = 60
_FARTHEST = 20_000
"""Beyond e^-20000 a number is only known to be tiny; beyond e^20000 it is refused."""


def exp_between(x: Fraction) -> Interval:
    """Fractions low <= e^x <= high, about 10⁻⁵⁸ (1 + |x|) apart in proportion; 0 and e^-20000 for x below -20 000.

    Raises:
        ParameterError: x above 20 000. Remedy: use smaller epsilons.

    Example:
        >>> low, high = exp_between(Fraction(1))
        >>> low < high, float(low)
        (True, 2.718281828459045)
    """
    if x > _FARTHEST:
        raise ParameterError(
            "An `epsilon` above {farthest} protects nobody.", "use smaller epsilons.", farthest=_FARTHEST
        )
    if x < -_FARTHEST:
        return Fraction(0), exp_between(Fraction(-_FARTHEST))[1]
    context = _context(ROUND_FLOOR)
    low, high = to_decimal(x, ROUND_FLOOR).exp(context), to_decimal(x, ROUND_CEILING).exp(context)
    return max(Fraction(low.next_minus(context)), Fraction(0)), Fraction(high.next_plus(context))


def log_between(x: Fraction) -> Interval:
    """Fractions low <= ln(x) <= high, both 0 at x = 1.

    Args:
        x: > 0.

    Example:
        >>> low, high = log_between(Fraction(2))
        >>> low < high, float(high)
        (True, 0.6931471805599453)
    """
    context = _context(ROUND_FLOOR)
    below, above = to_decimal(x, ROUND_FLOOR), to_decimal(x, ROUND_CEILING)
    low = Fraction(0) if below == 1 else Fraction(below.ln(context).next_minus(context))
    high = Fraction(0) if above == 1 else Fraction(above.ln(context).next_plus(context))
    return low, high


def _context(rounding: str, precision: int = _PRECISION) -> Context:
    """A context of its own: the caller's is neither read nor changed."""
    return Context(prec=precision, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def to_decimal(x: Fraction, rounding: str, precision: int = _PRECISION) -> Decimal:
    """The fraction as a decimal number, rounded as asked."""
    return _context(rounding, precision).divide(Decimal(x.numerator), Decimal(x.denominator))


Bound: TypeAlias = tuple[int, int]
Bounds: TypeAlias = "Callable[[int], list[Bound]]"
"""From the number of bits w to the bounds of several real numbers in [0, 1)."""

_GUARD = 32
"""Bits beyond the asked ones at the first try; doubled until they suffice."""


def exp_bound(x: Fraction, w: int) -> Bound:
    """Integers with low <= 2ʷ e⁻ˣ < high, nearly always adjacent.

    For y = x/2ʲ <= 1/2 the alternating series of e⁻ʸ is summed in integers of v > w bits. Cutting y to
    v bits costs less than 1 unit; every term is cut by less than 2 units, because an error is at
    least halved from one term to the next and 1 is added; the rest of the series is below its first
    term, which is below 2 when it is cut to 0. Then the bound is squared j times, outwards.

    Args:
        x: the negated exponent, > 0.
        w: bits after the point, >= 1.

    Returns:
        (low, high), 0 <= low < high <= 2ʷ.

    Example:
        >>> from fractions import Fraction
        >>> exp_bound(Fraction(1), 10)  # 1024 / e = 376.7
        (376, 377)
    """
    if x >= w:
        return 0, 1
    halvings = max(0, (2 * x).__ceil__().bit_length())
    v = w + 2 * halvings + w.bit_length() + 8
    y = (x.numerator << v) // (x.denominator << halvings)
    total, term, i = 0, 1 << v, 0
    while term:
        total += -term if i % 2 else term
        i += 1
        term = (term * y >> v) // i
    low, high = total - 2 * i - 3, total + 2 * i + 3
    for _ in range(halvings):
        low, high = low * low >> v, (high * high >> v) + 1
    return max(low >> (v - w), 0), min((high >> (v - w)) + 1, 1 << w)


def ratio_bound(top: Bound, bottom: Bound, w: int) -> Bound:
    """The bound of a/b at w bits, from the bounds of a and b > a at any common number of bits.

    Example:
        >>> ratio_bound((1, 2), (4, 5), 4)  # between 1/5 and 2/4
        (3, 9)
    """
    return (top[0] << w) // bottom[1], min(((top[1] << w) // max(bottom[0], 1)) + 1, 1 << w)


def complement_bound(bound: Bound, w: int) -> Bound:
    """The bound of 1 - x from that of an irrational x in (0, 1).

    An irrational number is no end of its bound, so 2ʷ - high < 2ʷ(1 - x) < 2ʷ - low, strictly.

    Example:
        >>> complement_bound((0, 1), 4)
        (15, 16)
    """
    return (1 << w) - bound[1], (1 << w) - bound[0]


def floors(bounds: Bounds, k: int) -> list[int]:
    """⌊2ᵏ x⌋ of every number x, certain: bounds are tightened until both ends agree.

    It ends because no x may be a multiple of 2⁻ᵏ: those that are asked for are irrational (a rational
    function, not constant, of e⁻ʳ with r rational and not 0 is transcendental, by Lindemann's theorem).

    Args:
        bounds: the numbers.
        k: bits after the point.

    Returns:
        One integer in [0, 2ᵏ) for each number.

    Example:
        >>> from fractions import Fraction
        >>> floors(lambda w: [exp_bound(Fraction(1), w)], 8)
        [94]
    """
    guard = _GUARD
    while True:
        pairs = bounds(k + guard)
        found = [low >> guard for low, _ in pairs]
        if found == [(high - 1) >> guard for _, high in pairs]:
            return found
        guard *= 2


_DIGITS = 15
_FINEST = 10**MOST_DIGITS


def up(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """The least decimal number with so many significant digits that is at least x.

    Example:
        >>> up(Fraction(1, 3), 3)
        Fraction(167, 500)
    """
    return Fraction(to_decimal(x, ROUND_CEILING, digits))


def down(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """The greatest decimal number with so many significant digits that is at most x.

    Example:
        >>> down(Fraction(1, 3), 3)
        Fraction(333, 1000)
    """
    return Fraction(to_decimal(x, ROUND_FLOOR, digits))


def kept(x: Fraction) -> Fraction:
    """A sum as it is kept: exact while its denominator has at most 60 digits, else rounded up to 60 decimals.

    So three thirds are one, and sums of fractions whose denominators share no factor stay short for ever.

    Example:
        >>> kept(Fraction(1, 3) * 3), kept(Fraction(1, 7**80)) == Fraction(1, 10**60)
        (Fraction(1, 1), True)
    """
    return x if x.denominator <= _FINEST else Fraction(math.ceil(x * _FINEST), _FINEST)


def kept_down(x: Fraction) -> Fraction:
    """The same for what is taken off a sum: rounded down.

    Example:
        >>> kept_down(Fraction(1, 3)), kept_down(Fraction(1, 7**80))
        (Fraction(1, 3), Fraction(0, 1))
    """
    return x if x.denominator <= _FINEST else Fraction(math.floor(x * _FINEST), _FINEST)


def round_up(number: Fraction, *, strictly: bool = False) -> float:
    """The least float whose decimal text is at least (strictly: more than) the number.

    Example:
        >>> round_up(Fraction(1, 4)), round_up(Fraction(1, 4), strictly=True) > 0.25
        (0.25, True)
    """
    nearest = float(number)
    while Fraction(repr(nearest)) < number or (strictly and Fraction(repr(nearest)) == number):
        nearest = math.nextafter(nearest, math.inf)
    return nearest


def round_down(number: Fraction) -> float:
    """The greatest float whose decimal text is at most the number.

    Example:
        >>> round_down(Fraction(1, 3)) < Fraction(1, 3)
        True
    """
    return -round_up(-number)
