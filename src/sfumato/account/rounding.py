"""How are exponentials and logarithms of exact numbers bounded, so that costs are rounded up and limits down?

Results are short decimals, held as fractions.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from math import ceil, floor

from sfumato.account.budget import MOST_DIGITS, exact
from sfumato.errors import ParameterError
from sfumato.summary.between import Interval, exp_between, log_between, to_decimal

__all__ = ["Interval", "checked", "checked_delta", "down", "exp_between", "kept", "kept_down", "log_between", "up"]

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
    return x if x.denominator <= _FINEST else Fraction(ceil(x * _FINEST), _FINEST)


def kept_down(x: Fraction) -> Fraction:
    """The same for what is taken off a sum: rounded down.

    Example:
        >>> kept_down(Fraction(1, 3)), kept_down(Fraction(1, 7**80))
        (Fraction(1, 3), Fraction(0, 1))
    """
    return x if x.denominator <= _FINEST else Fraction(floor(x * _FINEST), _FINEST)


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
