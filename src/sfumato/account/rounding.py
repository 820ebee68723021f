"""How are exponentials and logarithms of exact numbers bounded, so that costs are rounded up and limits down?

Decimal's `exp` and `ln` are correctly rounded, so the neighbors of what they return enclose the true value; the
argument is rounded outwards first. Results are short decimals, held as fractions.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TypeAlias

from sfumato.account.budget import exact
from sfumato.errors import ParameterError

Interval: TypeAlias = tuple[Fraction, Fraction]
"""Two fractions with a real number between them."""

_PRECISION = 60
_DIGITS = 15
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
        raise ParameterError(f"An `epsilon` above {_FARTHEST} protects nobody.", "use smaller epsilons.")
    if x < -_FARTHEST:
        return Fraction(0), exp_between(Fraction(-_FARTHEST))[1]
    context = _context(ROUND_FLOOR)
    low, high = _decimal(x, ROUND_FLOOR).exp(context), _decimal(x, ROUND_CEILING).exp(context)
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
    below, above = _decimal(x, ROUND_FLOOR), _decimal(x, ROUND_CEILING)
    low = Fraction(0) if below == 1 else Fraction(below.ln(context).next_minus(context))
    high = Fraction(0) if above == 1 else Fraction(above.ln(context).next_plus(context))
    return low, high


def up(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """The least decimal number with so many significant digits that is at least x.

    Example:
        >>> up(Fraction(1, 3), 3)
        Fraction(167, 500)
    """
    return Fraction(_decimal(x, ROUND_CEILING, digits))


def down(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """The greatest decimal number with so many significant digits that is at most x.

    Example:
        >>> down(Fraction(1, 3), 3)
        Fraction(333, 1000)
    """
    return Fraction(_decimal(x, ROUND_FLOOR, digits))


def checked_delta(delta: str | float | Fraction) -> Fraction:
    """A delta that a conversion can keep.

    Raises:
        ParameterError: not strictly between 0 and 1. Remedy: choose one far below 1 / (number of persons).

    Example:
        >>> checked_delta("1e-6")
        Fraction(1, 1000000)
    """
    number = exact("delta", delta)
    if not 0 < number < 1:
        raise ParameterError(
            f"`delta` must be above 0 and below 1; got {delta}.", "choose a delta far below 1 / (number of persons)."
        )
    return number


def checked(name: str, given: str | float | Fraction, *, above_zero: bool = False) -> Fraction:
    """An exact number >= 0, or > 0.

    Raises:
        ParameterError: below. Remedy: give one in the range.

    Example:
        >>> checked("rho", 0.5)
        Fraction(1, 2)
    """
    number = exact(name, given)
    if number < 0 or (above_zero and number == 0):
        raise ParameterError(
            f"`{name}` must be {'above' if above_zero else 'at least'} 0; got {given}.", f"give such a `{name}`."
        )
    return number


def _context(rounding: str, precision: int = _PRECISION) -> Context:
    """A context of its own: the caller's is neither read nor changed."""
    return Context(prec=precision, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def _decimal(x: Fraction, rounding: str, precision: int = _PRECISION) -> Decimal:
    """The fraction as a decimal number, rounded as asked."""
    return _context(rounding, precision).divide(Decimal(x.numerator), Decimal(x.denominator))
