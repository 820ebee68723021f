"""Rounding against us: costs up, limits down, to decimals or to floats."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from sfumato.numbers.enclosure import to_decimal
from sfumato.numbers.exact import MOST_DIGITS

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
