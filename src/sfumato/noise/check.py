"""Which counts, probabilities and scales may a sampler be asked for? Everything else is refused here."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from operator import index

import numpy as np

from sfumato.errors import ParameterError

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
            f"{name} must be an integer from {low} to {high}; got {value!r}.", f"give {name} in that range."
        )
    return number


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
    exact = _exact(p)
    if exact is None or not 0 <= exact <= 1:
        raise ParameterError(f"A probability must lie in [0, 1]; got {p!r}.", "compute the probability in that range.")
    return exact


def positive(value: float | Fraction, name: str) -> Fraction:
    """The exact rational value of a positive finite number.

    Raises:
        ParameterError: not finite, or not above 0. Remedy: give a positive finite number.

    Example:
        >>> positive(0.5, "scale")
        Fraction(1, 2)
    """
    exact = _exact(value)
    if exact is None or exact <= 0:
        raise ParameterError(f"{name} must be positive and finite; got {value!r}.", f"give a positive finite {name}.")
    return exact


def _exact(value: float | Fraction) -> Fraction | None:
    """The rational value of a finite real number, or None."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, Rational):
        return Fraction(value)
    return Fraction(value) if isinstance(value, float) and math.isfinite(value) else None
