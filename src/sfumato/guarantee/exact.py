"""How are thresholds compared without rounding? Integers, fractions, and logarithms decided to the last digit.

A parameter given as a float stands for the fraction of its shortest decimal text: 0.1 is one tenth.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.types import IntArray

Exact: TypeAlias = Fraction | float | str
"""A number of a plan: whole, decimal (as float or text) or a fraction such as "1/3"."""

_LARGEST = 2**62
"""Integers below this multiply and add once without overflow of int64."""

_CLEAR = 1e-12
"""Relative difference of two quotients beyond which floating point has decided rightly."""


def as_fraction(name: str, value: Exact, *, low: Exact, high: Exact | None = None) -> Fraction:
    """The exact number that a parameter stands for, checked against its range.

    Args:
        name: parameter, for the message.
        value: whole number, float (its shortest decimal text counts), decimal text, or "a/b".
        low: least allowed value.
        high: greatest allowed value; None: no limit.

    Raises:
        ParameterError: no number, not finite, or outside the range. Remedy: give one inside.

    Example:
        >>> as_fraction("t", 0.1, low=0, high=1)
        Fraction(1, 10)
    """
    number = _fraction(value)
    bounds = f"at least {low}" if high is None else f"between {low} and {high}"
    if number is None or number < Fraction(low) or (high is not None and number > Fraction(high)):
        raise ParameterError(f"`{name}` must be a number {bounds}; got {value!r}.", f"give `{name}` such a number.")
    return number


def _fraction(value: object) -> Fraction | None:
    """A fraction, or None where the value is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        return None
    try:
        return Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)
    except (ValueError, ZeroDivisionError):
        return None


def as_whole(name: str, value: object, *, low: int) -> int:
    """A whole number of at least `low`.

    Raises:
        ParameterError: no whole number, or too small. Remedy: give one.

    Example:
        >>> as_whole("k", 5, low=1)
        5
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise ParameterError(
            f"`{name}` must be a whole number >= {low}; got {value!r}.", f"choose `{name}` >= {max(low, 2)}."
        )
    return int(value)


def plain(value: Exact) -> int | float | str:
    """A number that JSON and TOML can hold and that `as_fraction` reads back exactly.

    Example:
        >>> plain(Fraction(1, 10)), plain(Fraction(3)), plain(Fraction(1, 3))
        (0.1, 3, '1/3')
    """
    number = Fraction(value)
    if number.denominator == 1:
        return int(number)
    nearest = float(number)
    return nearest if Fraction(repr(nearest)) == number else str(number)


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


def product(left: IntArray, right: IntArray | int) -> IntArray:
    """Products of integers >= 0; Python integers in an object array where int64 could overflow.

    Example:
        >>> product(np.array([2**40]), np.array([2**40])).tolist() == [2**80]
        True
    """
    if left.dtype == object or _largest_of(left) * _largest_of(np.asarray(right)) >= _LARGEST:
        return np.asarray(left.astype(object) * right)
    return np.asarray(left * right)


def compare(numerator: IntArray, denominator: IntArray, limit: Fraction) -> IntArray:
    """Signs of numerator/denominator - limit, exactly: -1, 0 or 1.

    Products that fit in 63 bits are compared as integers. Others are compared as floats, and the
    quotients too close to the limit for that as Python integers.

    Args:
        numerator: (n,) int64 or Python integers, >= 0.
        denominator: (n,) int64 or Python integers, > 0.
        limit: >= 0.

    Returns:
        (n,) int64.

    Example:
        >>> compare(np.array([1, 2, 3]), np.array([10, 10, 10]), Fraction("0.2")).tolist()
        [-1, 0, 1]
    """
    top, bottom = limit.numerator, limit.denominator
    fits = max(_largest_of(numerator) * bottom, _largest_of(denominator) * top) < _LARGEST
    if fits and object not in (numerator.dtype, denominator.dtype):
        return np.asarray(np.sign(numerator * bottom - denominator * top))
    difference = numerator.astype(np.float64) / denominator.astype(np.float64) - float(limit)
    out = np.sign(difference).astype(np.int64)
    for i in np.flatnonzero(np.abs(difference) <= _CLEAR * float(limit)):
        exact = int(numerator[i]) * bottom - int(denominator[i]) * top
        out[i] = (exact > 0) - (exact < 0)
    return out


def largest_quotient(numerator: IntArray, denominator: IntArray) -> Fraction:
    """The largest of numerator/denominator, exactly; 0 when there is none.

    Example:
        >>> largest_quotient(np.array([1, 2]), np.array([3, 5]))
        Fraction(2, 5)
    """
    if len(numerator) == 0:
        return Fraction(0)
    quotient = numerator.astype(np.float64) / denominator.astype(np.float64)
    close = quotient >= quotient.max() * (1 - _CLEAR)
    pairs = set(zip(numerator[close].tolist(), denominator[close].tolist(), strict=True))
    best = Fraction(0)
    for top, bottom in pairs:
        if top * best.denominator > best.numerator * bottom:
            best = Fraction(top, bottom)
    return best


def sign_of_logs(terms: Sequence[tuple[int, int]], shift: Fraction = Fraction(0)) -> int:
    """The exact sign of shift + sum_i a_i ln(b_i).

    Proof: with shift = 0 the sum is 0 iff prod b_i^a_i = 1, which is read off the exponents over a base
    of coprime integers. With shift != 0 it is never 0, since e to a rational number other than 0 is
    no rational number's root (Lindemann). Where it is not 0, enough digits show its sign.

    Args:
        terms: (a_i, b_i) with whole a_i and b_i >= 1.
        shift: a rational number.

    Example:
        >>> sign_of_logs([(3, 2), (-1, 8)]), sign_of_logs([(1, 3), (-1, 2)])
        (0, 1)
    """
    if shift == 0 and _is_one(terms):
        return 0
    digits = 40
    while True:
        value, error = _evaluate(terms, shift, digits)
        if abs(value) > error:
            return 1 if value > 0 else -1
        digits *= 2


def _evaluate(terms: Sequence[tuple[int, int]], shift: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    """The sum to so many digits, and a bound of its error."""
    with localcontext() as context:
        context.prec = digits
        start = Decimal(shift.numerator) / Decimal(shift.denominator)
        parts = [start, *(a * Decimal(b).ln() for a, b in terms)]
        size = sum((abs(part) for part in parts), Decimal(1))
        return sum(parts, Decimal(0)), size * (len(parts) + 2) * Decimal(10) ** (2 - digits)


def _is_one(terms: Sequence[tuple[int, int]]) -> bool:
    """Whether prod b_i^a_i = 1."""
    base = _coprime_base(b for _, b in terms)
    return all(sum(a * _exponent(b, factor) for a, b in terms) == 0 for factor in base)


def _coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1 of whose powers all the numbers are products."""
    base: list[int] = []
    waiting = list(set(numbers))
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        shared = next((factor for factor in base if math.gcd(factor, number) > 1), None)
        if shared is None:
            base.append(number)
            continue
        base.remove(shared)
        common = math.gcd(shared, number)
        waiting += [common, shared // common, number // common]
    return base


def _exponent(number: int, factor: int) -> int:
    """How often the factor divides the number."""
    n = 0
    while number % factor == 0:
        number //= factor
        n += 1
    return n


def _largest_of(values: IntArray) -> int:
    """The largest of integers >= 0; 0 when there is none."""
    return int(values.max()) if values.size else 0
