"""The values that a column may hold, declared in public before the table is looked at.

A declared domain is what makes the answer's shape and sensitivity independent of the data. Numbers live on a
grid low, low + step, …, high, so that sums are sums of whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.exact import shown, written

_EXACT = 10**15
"""Whole numbers below it are written digit by digit."""
MOST_STEPS = 2**52
"""A grid has no more points than this, so that every place is an exact float too."""


@dataclass(frozen=True, slots=True)
class Categories:
    """A finite list of texts. A row with another value (a missing one too) belongs to none of them.

    Args:
        values: distinct texts, at least one, in the order of the answers.

    Raises:
        ParameterError: no value, or one that stands twice. Remedy: give each once.

    Example:
        >>> Categories(("F", "M")).size
        2
    """

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(value, str) for value in self.values):
            raise ParameterError("Declared categories must be texts.", 'put them in quotes: "1", not 1.')
        if not self.values or len(set(self.values)) < len(self.values):
            raise ParameterError(
                "Declared categories must be distinct texts, at least one.", "give each category once."
            )

    @property
    def size(self) -> int:
        """Number of categories."""
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from low to high on a grid of step. Values outside are clamped, others rounded to the grid.

    A missing value, NaN, or a text that is no number contributes nothing, wherever it stands; infinities are
    clamped like any number.

    Args:
        low: least value, finite.
        high: greatest value, finite, > low.
        step: distance of two grid points, > 0; high - low must be a whole number of steps, at most 2⁵².

    Raises:
        ParameterError: bounds that are infinite, NaN, or not in order; a step that does not fit. Remedy: declare
            finite bounds from knowledge of the column, never from the data.

    Example:
        >>> age = Range("0", "120", step="1")
        >>> age.size, age.value(30)
        (121, Fraction(30, 1))
        >>> Range(0.1, 0.5, step=0.1).low
        Fraction(1, 10)
    """

    low: Fraction
    high: Fraction
    step: Fraction

    def __init__(self, low: float | str | Fraction, high: float | str | Fraction, step: float | str | Fraction) -> None:
        for name, given in (("low", low), ("high", high), ("step", step)):
            object.__setattr__(self, name, _exact(name, given))
        if not self.low < self.high or self.step <= 0:
            raise ParameterError(
                "A range must have low < high and step > 0; got low {shown}, high {shown2}, step {shown3}.",
                "declare the bounds in order, from knowledge of the column.",
                shown=shown(low),
                shown2=shown(high),
                shown3=shown(step),
            )
        steps = (self.high - self.low) / self.step
        if steps.denominator != 1 or steps > MOST_STEPS:
            raise ParameterError(
                "high - low must be a whole number of steps, at most 2^52; got {shown} steps.",
                "choose a step that divides the range.",
                shown=steps if steps < 2**64 else "more than 2^64",
            )

    @property
    def size(self) -> int:
        """Number of grid points."""
        return int((self.high - self.low) / self.step) + 1

    def value(self, place: int) -> Fraction:
        """The value at a place of the grid, 0 <= place < size."""
        return self.low + place * self.step


@dataclass(frozen=True, slots=True)
class UnlistedText:
    """Texts that nobody can list in advance.

    Rows can be grouped by them, but a group is published only if its noisy number of persons passes a threshold,
    which costs a δ.
    """


Domain = Categories | Range | UnlistedText


def canonical(text: str) -> str:
    """One text for all texts that write one number; any other text without the blanks at its ends.

    Example:
        >>> [canonical(text) for text in ("5.0", " 05", "1e3", "0.10", "north ", "nan")]
        ['5', '5', '1000', '0.1', 'north', 'nan']
    """
    bare = text.strip()
    try:
        number = float(bare) + 0.0  # a negative zero is zero
    except ValueError:
        return bare
    if not isfinite(number):
        return bare
    return str(int(number)) if number.is_integer() and abs(number) < _EXACT else repr(number)


def _exact(name: str, given: float | str | Fraction) -> Fraction:
    """The number that was written: a float stands for its shortest decimal text."""
    try:
        return written(given)
    except ValueError as error:
        raise ParameterError(
            "`{name}` of a range must be a finite number; got {shown}.",
            "declare a finite bound from knowledge of the column.",
            name=name,
            shown=shown(given),
        ) from error
