"""Enclosures: fractions between which an exponential or a logarithm lies.

Decimal's `exp` and `ln` are correctly rounded, so the neighbors of what they return enclose the true value; the
argument is rounded outwards first.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TypeAlias

from sfumato.errors import ParameterError

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
