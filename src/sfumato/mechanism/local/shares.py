"""The shares of several values from support counts: unbiased, with intervals, and cut to what shares can be."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.intervals import exact_intervals
from sfumato.mechanism.local.oracle import estimate, variance
from sfumato.mechanism.local.projections import project_simplex

if TYPE_CHECKING:
    from sfumato.mechanism.local.oracle import Support
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The answers to one question.

    Args:
        raw: (k,) unbiased estimates; they may be negative.
        low: (k,) lower ends of the intervals.
        high: (k,) upper ends.
        deviation: (k,) exact standard deviations at the estimate.
        projected: (k,) the nearest shares that are possible.
    """

    raw: FloatArray
    low: FloatArray
    high: FloatArray
    deviation: FloatArray
    projected: FloatArray


def shares(counts: IntArray, n: int, support: Support, *, confidence: float, add_up: bool = True) -> Shares:
    """Shares of the values of one question, with exact intervals.

    Args:
        counts: (k,) int64, reports that support each value.
        n: reports, >= 1.
        support: p and q.
        confidence: of each interval, in [0.5, 1).
        add_up: whether the true shares add up to 1.

    Example:
        >>> from sfumato.mechanism.local.oracle import Support
        >>> shares(np.array([75, 25]), 100, Support(0.75, 0.25), confidence=0.95).projected.tolist()
        [1.0, 0.0]
    """
    raw = estimate(counts, n, support)
    found = exact_intervals(counts, n, support, confidence=confidence)
    spread = variance(np.clip(raw, 0, 1), n, support)
    possible = project_simplex(raw) if add_up else np.clip(raw, 0, 1)
    return Shares(raw, found.low, found.high, np.sqrt(np.maximum(spread, 0)), possible)


def normal_shares(raw: FloatArray, deviation: FloatArray, *, confidence: float) -> Shares:
    """Shares that add up to 1, with normal intervals.

    Args:
        raw: (k,) unbiased estimates.
        deviation: (k,) their standard deviations.
        confidence: of each interval, in [0.5, 1).

    Example:
        >>> normal_shares(np.array([0.75, 0.25]), np.array([0.1, 0.1]), confidence=0.95).high.round(3).tolist()
        [0.946, 0.446]
    """
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * deviation
    low, high = np.clip(raw - reach, 0, 1), np.clip(raw + reach, 0, 1)
    return Shares(raw, low, high, deviation, project_simplex(raw))
