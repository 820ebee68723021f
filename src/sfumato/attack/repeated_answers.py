"""What does an attacker make of many noisy answers to one question?

The mean, whose error falls as one over the root of their number. Against Laplace noise the median is better by
up to √2, since it is the value under which the answers are most likely.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.types import FloatArray


def mean_of_answers(answers: FloatArray, times: Sequence[int]) -> FloatArray:
    """The mean of the first t answers, for each t.

    Args:
        answers: (asked, attackers) float64, in the order in which they came.
        times: numbers t, each from 1 to asked.

    Returns:
        (times, attackers) float64.

    Example:
        >>> mean_of_answers(np.array([[2.0], [4.0], [9.0]]), [1, 2, 3]).ravel().tolist()
        [2.0, 3.0, 5.0]
    """
    running = np.cumsum(answers, axis=0)
    return np.stack([running[t - 1] / t for t in times])


def median_of_answers(answers: FloatArray, times: Sequence[int]) -> FloatArray:
    """The median of the first t answers, for each t; see `mean_of_answers`.

    It minimizes Σ|answer - x|, so no x makes the answers more likely under Laplace noise.

    Example:
        >>> median_of_answers(np.array([[2.0], [4.0], [9.0]]), [1, 2, 3]).ravel().tolist()
        [2.0, 3.0, 4.0]
    """
    return np.stack([np.median(answers[:t], axis=0) for t in times])


def spread_of_mean(scale: Fraction, times: int) -> float:
    """Standard deviation of the mean of t answers with discrete Laplace noise: σ/√t, σ² = 2p/(1 - p)², p = e^(-1/scale).

    Args:
        scale: of the noise, > 0.
        times: t, >= 1.

    Example:
        >>> from fractions import Fraction
        >>> round(spread_of_mean(Fraction(10), 1), 2), round(spread_of_mean(Fraction(10), 100), 2)
        (14.14, 1.41)
    """
    return 1 / (math.sqrt(2 * times) * math.sinh(1 / (2 * float(scale))))
