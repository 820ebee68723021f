"""Which special functions does the mathematics need that the standard library lacks? The digamma function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray

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
    steps = np.divide(1.0, np.asarray(x)[..., np.newaxis] + np.arange(_SHIFT)).sum(axis=-1)
    y = np.asarray(x) + _SHIFT
    square = 1 / (y * y)
    tail = np.zeros_like(y)
    for coefficient in reversed(_SERIES):
        tail = (tail + coefficient) * square
    return np.asarray(np.log(y) - 0.5 / y - tail - steps)
