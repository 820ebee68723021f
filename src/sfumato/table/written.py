"""Which exact number did somebody write? Texts that would fill the memory with digits are none."""

from __future__ import annotations

import re
from fractions import Fraction

MOST_LETTERS = 1200
"""A double has at most 1,100 characters when all its digits are written."""
MOST_POWER = 400
"""Largest power of ten, up or down: doubles end at 308 and -324."""
_POWER = re.compile(r"[eE]([+-]?[0-9_]+)\s*\Z")


def written(given: object) -> Fraction:
    """The number that a text, a whole number, a fraction or a decimal says exactly; of a float its shortest decimal text.

    Raises:
        ValueError: no finite number, or one that is longer than any double.

    Example:
        >>> written("1.50"), written(0.1), written("1/3")
        (Fraction(3, 2), Fraction(1, 10), Fraction(1, 3))
        >>> written("1e999999999")
        Traceback (most recent call last):
        ValueError: a number of at most 1200 characters and powers of ten up to 400 is needed
    """
    text = given if isinstance(given, str) else str(given)
    power = _POWER.search(text[-MOST_LETTERS:])
    if len(text) > MOST_LETTERS or (power is not None and abs(int(power[1])) > MOST_POWER):
        raise ValueError(
            f"a number of at most {MOST_LETTERS} characters and powers of ten up to {MOST_POWER} is needed"
        )
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError("a number is not divided by 0") from error


def shown(given: object) -> str:
    """What was given, for an error message; never more than a line.

    Example:
        >>> shown("1/0"), shown(10**5000)
        ("'1/0'", 'a number of thousands of digits')
    """
    try:
        text = repr(given)
    except ValueError:  # Python does not write out such numbers
        return "a number of thousands of digits"
    return text if len(text) <= 80 else f"{text[:80]}…"
