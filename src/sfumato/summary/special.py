"""Special functions that the standard library lacks: the digamma function."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.types import FloatArray

_Real = TypeVar("_Real", "float", "FloatArray")

_SHIFT = 10
"""Steps by which the recurrence raises the argument before the asymptotic series is used."""

_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k: coefficients of x^-2, x^-4, … in the asymptotic series of the digamma function."""


def digamma(x: FloatArray) -> FloatArray:
    """psi(x), the derivative of log Gamma(x), for x > 0.

    psi(x) = psi(x+1) - 1/x, ten times; then psi(y) ~ ln y - 1/(2y) - sum_k B_2k/(2k y^2k).

    Args:
        x: any shape, > 0.

    Returns:
        The same shape; relative error about 1e-14 away from the zero at 1.4616.

    Source:
        M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 6.3.5 and 6.3.18.

    Example:
        >>> digamma(np.array([1.0, 2.0])).round(12).tolist()
        [-0.577215664902, 0.422784335098]
    """
    return np.asarray(_psi(np.asarray(x, dtype=np.float64), np.log))


def digamma_of_one(x: float) -> float:
    """psi(x) of one number > 0: `digamma` many times faster than through an array of one.

    Example:
        >>> round(digamma_of_one(1.0), 12)
        -0.577215664902
    """
    return _psi(x, math.log)


def _psi(x: _Real, log: Callable[[_Real], _Real]) -> _Real:
    """The recurrence and the series, of a number or of an array."""
    steps = 1.0 / x
    for i in range(1, _SHIFT):
        steps = steps + 1.0 / (x + i)
    y = x + _SHIFT
    square = 1.0 / (y * y)
    tail = 0.0 * square
    for coefficient in reversed(_SERIES):
        tail = (tail + coefficient) * square
    return log(y) - 0.5 / y - tail - steps
