"""The one parser of exact numbers: what a text, a decimal or a float says, as a fraction.

A float stands for its shortest decimal text: 0.1 is one tenth. (Samplers take a float at its binary value instead: see
`check.probability`.) Texts that would fill the memory with digits are no numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from sfumato.errors import ParameterError

Exact: TypeAlias = Fraction | float | str
"""A number of a plan: whole, decimal (as float or text) or a fraction such as "1/3"."""

MOST_DIGITS = 60
"""Most digits above and below the line of a fraction that somebody gives as a price or a limit."""
MOST_LETTERS = 1200
"""A double has at most 1,100 characters when all its digits are written."""
MOST_POWER = 400
"""Largest power of ten, up or down: doubles end at 308 and -324."""
_POWER = re.compile(r"[eE]([+-]?[0-9_]+)\s*\Z")
_LONGEST = 4 * MOST_DIGITS


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


def exact(name: str, given: str | float | Fraction) -> Fraction:
    """The number that was written, as a fraction; a float stands for its shortest decimal text.

    Raises:
        ParameterError: no finite number, or a text of more digits than anybody means. Remedy: give one, such as "0.1" or
            "1/3".

    Example:
        >>> exact("epsilon", 0.1)
        Fraction(1, 10)
    """
    if isinstance(given, str) and _is_long(given):
        raise _too_long(name)
    if isinstance(given, Fraction):
        return given
    try:
        return written(given)
    except ValueError as error:
        raise ParameterError(
            "`{name}` must be a finite number; got {shown}.",
            'give a number or a text such as "0.1" or "1/3".',
            name=name,
            shown=shown(given),
        ) from error


def bounded(name: str, given: str | float | Fraction) -> Fraction:
    """An exact number that somebody names as a price or a limit: at most 60 digits above and below its line.

    Numbers are added up for as long as a ledger lives; one with thousands of digits would make every later sum slow.

    Raises:
        ParameterError: no finite number, or too many digits. Remedy: round it up to fewer.

    Example:
        >>> bounded("epsilon", "1/3")
        Fraction(1, 3)
    """
    number = exact(name, given)
    if max(abs(number.numerator), number.denominator) > 10**MOST_DIGITS:
        raise _too_long(name)
    return number


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
    number = _of_plan(value)
    bounds = f"at least {low}" if high is None else f"between {low} and {high}"
    if number is None or number < Fraction(low) or (high is not None and number > Fraction(high)):
        raise ParameterError(
            "`{name}` must be a number {bounds}; got {value!r}.",
            "give `{name}` such a number.",
            name=name,
            bounds=bounds,
            value=value,
        )
    return number


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


def _of_plan(value: object) -> Fraction | None:
    """The number of a plan, or None where the value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    try:
        return written(float(value) if isinstance(value, float) else value)
    except ValueError:
        return None


def _is_long(text: str) -> bool:
    """Whether a text has more characters, or a larger power of ten, than an exact number may have here."""
    exponent = _POWER.search(text)
    return len(text) > _LONGEST or (exponent is not None and len(exponent[1].lstrip("+-0_")) > len(str(_LONGEST)))


def _too_long(name: str) -> ParameterError:
    """What is raised for a number with too many digits."""
    return ParameterError(
        "`{name}` must have at most {most_digits} digits above and below the line of its fraction; it has more.",
        "round it up to fewer digits.",
        name=name,
        most_digits=MOST_DIGITS,
    )
