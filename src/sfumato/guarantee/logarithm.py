"""What is the logarithm of an exact ratio, as a number that may be promised? The least float not below it."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

from sfumato.errors import ParameterError
from sfumato.guarantee.exact import sign_of_logs

_DIGITS = 60


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
    with localcontext() as context:
        context.prec = _DIGITS
        guess = float(Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln())
    while sign_of_logs(terms, -Fraction(guess)) > 0:
        guess = math.nextafter(guess, math.inf)
    while sign_of_logs(terms, -Fraction(lower := math.nextafter(guess, -math.inf))) <= 0:
        guess = lower
    return guess
