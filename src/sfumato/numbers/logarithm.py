"""Logarithms of exact ratios: the exact sign of a sum of them, and the least float that may be promised."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DIGITS = 40


def log_up(ratio: Fraction) -> float:
    """The least float that is at least ln(ratio): an epsilon from the ratio of two exact probabilities.

    Args:
        ratio: > 0.

    Returns:
        ln(ratio) in nats, rounded up; exactly 0 for ratio 1.

    Raises:
        ParameterError: ratio <= 0. Remedy: divide by a positive probability.

    Example:
        >>> log_up(Fraction(1)), log_up(Fraction(3)) >= 1.0986122886681096
        (0.0, True)
    """
    if ratio <= 0:
        raise ParameterError("The logarithm of a ratio needs a positive one.", "divide positive probabilities.")
    if ratio == 1:
        return 0.0
    terms = [(1, ratio.numerator), (-1, ratio.denominator)]
    value, error = _evaluate(terms, Fraction(0), _DIGITS)

    def reaches(number: float) -> bool:
        with localcontext() as context:
            context.prec = _DIGITS
            above = Decimal(number) - value
        return above > 0 if abs(above) > 2 * error else sign_of_logs(terms, -Fraction(number)) <= 0

    guess = float(value)
    while not reaches(guess):
        guess = math.nextafter(guess, math.inf)
    while reaches(lower := math.nextafter(guess, -math.inf)):
        guess = lower
    return guess


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
    digits = _DIGITS
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
