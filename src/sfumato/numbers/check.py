"""Checks of the numbers that are asked for: counts, probabilities, scales, deltas."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from operator import index

import numpy as np

from sfumato.errors import ParameterError
from sfumato.numbers.exact import exact

LARGEST = 2**63
"""One more than the largest int64."""


def whole(value: int, name: str, low: int, high: int) -> int:
    """The integer `value`, if low <= value <= high.

    Args:
        value: an integer (a NumPy one too, not a bool).
        name: how the message names it.
        low: smallest allowed value.
        high: largest allowed value.

    Raises:
        ParameterError: not an integer, or outside. Remedy: give one inside.

    Example:
        >>> whole(3, "n", 0, 10)
        3
    """
    try:
        number = index(value)
    except TypeError:
        number = low - 1
    if isinstance(value, bool | np.bool_) or not low <= number <= high:
        raise ParameterError(
            "{name} must be an integer from {low} to {high}; got {value!r}.",
            "give {name} in that range.",
            name=name,
            low=low,
            high=high,
            value=value,
        )
    return number


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
            "`{name}` must be a whole number >= {low}; got {value!r}.",
            "choose `{name}` >= {given}.",
            name=name,
            low=low,
            value=value,
            given=max(low, 2),
        )
    return int(value)


def probability(p: float | Fraction) -> Fraction:
    """The exact rational value of a probability: of a float, its binary value.

    Args:
        p: a float or rational in [0, 1].

    Raises:
        ParameterError: not a number in [0, 1] (a NaN too). Remedy: give one.

    Example:
        >>> probability(0.75)
        Fraction(3, 4)
    """
    number = _binary(p)
    if number is None or not 0 <= number <= 1:
        raise ParameterError(
            "A probability must lie in [0, 1]; got {p!r}.", "compute the probability in that range.", p=p
        )
    return number


def positive(value: float | Fraction, name: str) -> Fraction:
    """The exact rational value of a positive finite number.

    Raises:
        ParameterError: not finite, or not above 0. Remedy: give a positive finite number.

    Example:
        >>> positive(0.5, "scale")
        Fraction(1, 2)
    """
    number = _binary(value)
    if number is None or number <= 0:
        raise ParameterError(
            "{name} must be positive and finite; got {value!r}.",
            "give a positive finite {name}.",
            name=name,
            value=value,
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
            "`{name}` must be {shown} 0; got {given}.",
            "give such a `{name}`.",
            name=name,
            shown="above" if above_zero else "at least",
            given=given,
        )
    return number


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
            "`delta` must be above 0 and below 1; got {delta}.",
            "choose a delta far below 1 / (number of persons).",
            delta=delta,
        )
    return number


def checked_confidence(confidence: float | Fraction) -> Fraction:
    """A confidence, exactly.

    Raises:
        ParameterError: not strictly between 0 and 1. Remedy: use 0.95, say.

    Example:
        >>> checked_confidence(0.95)
        Fraction(19, 20)
    """
    given = exact("confidence", confidence)
    if not 0 < given < 1:
        raise ParameterError(
            "`confidence` must lie between 0 and 1; got {confidence!r}.", "use 0.95, say.", confidence=confidence
        )
    return given


def checked_epsilon(epsilon: Fraction) -> Fraction:
    """An exact epsilon.

    Raises:
        ParameterError: no fraction, or not above 0. Remedy: give Fraction(1), for example.

    Example:
        >>> checked_epsilon(Fraction(1, 2))
        Fraction(1, 2)
    """
    if not isinstance(epsilon, Fraction) or epsilon <= 0:
        raise ParameterError("`epsilon` must be an exact fraction above 0.", "give Fraction(1), for example.")
    return epsilon


def _binary(value: float | Fraction) -> Fraction | None:
    """The rational value of a finite real number, or None."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, Rational):
        return Fraction(value)
    return Fraction(value) if isinstance(value, float) and math.isfinite(value) else None
