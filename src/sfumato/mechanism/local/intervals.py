"""Confidence intervals for the share of each value.

The normal interval uses the exact variance. The exact one inverts the binomial law of the support count
and holds for any number of reports, however small.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.mechanism.local.oracle import estimate, variance

if TYPE_CHECKING:
    from sfumato.mechanism.local.oracle import Support
    from sfumato.types import FloatArray, IntArray

Target = Literal["table", "population"]
"""Whose share is meant: of the persons who reported, or of the population they were drawn from."""

LEAST_CONFIDENCE = 0.5
"""The proof of the exact interval needs tails of at most one quarter."""

_OUTWARD = 1e-9
"""Relative widening that covers the rounding of the beta quantile."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """One interval for each value, cut to [0, 1].

    Args:
        low: (d,) float64.
        high: (d,) float64, >= low.
        confidence: probability with which an interval (or, if simultaneous, every one) holds the true share.
        is_simultaneous: whether the confidence is that of all intervals together (Bonferroni).
        method: "normal" or "exact".
    """

    low: FloatArray
    high: FloatArray
    confidence: float
    is_simultaneous: bool
    method: Literal["normal", "exact"]


def normal_intervals(
    counts: IntArray,
    n: int,
    support: Support,
    *,
    confidence: float,
    simultaneous: bool = False,
    target: Target = "table",
) -> Intervals:
    """Estimate ± z·sd with the exact variance at the estimate.

    Holds as n grows; for few reports or values that nearly nobody has, use `exact_intervals`.

    Args:
        counts: (d,) int64 support counts.
        n: number of reports, >= 1.
        support: p and q of the oracle.
        confidence: 0.5 <= confidence < 1.
        simultaneous: whether the confidence is that of all intervals together.
        target: shares of the reporting persons, or of the population they were drawn from, which
            adds f(1-f)/n to the variance.

    Raises:
        ParameterError: confidence outside its range, or counts outside 0 … n. Remedy: give them inside.

    Source:
        T. Wang et al., USENIX Security 2017, equation 4.

    Example:
        >>> from sfumato.mechanism.local.oracle import Support
        >>> out = normal_intervals(np.array([700, 300]), 1000, Support(0.75, 0.25), confidence=0.95)
        >>> out.low.round(3).tolist(), out.high.round(3).tolist()
        ([0.846, 0.046], [0.954, 0.154])
    """
    tail = _tail(counts, n, confidence, simultaneous=simultaneous)
    raw = estimate(counts, n, support)
    shares = np.clip(raw, 0.0, 1.0)
    spread = variance(shares, n, support)
    if target == "population":
        spread = spread + shares * (1 - shares) / n
    half = NormalDist().inv_cdf(1 - tail) * np.sqrt(np.maximum(spread, 0.0))
    return Intervals(np.clip(raw - half, 0, 1), np.clip(raw + half, 0, 1), confidence, simultaneous, "normal")


def exact_intervals(
    counts: IntArray, n: int, support: Support, *, confidence: float, simultaneous: bool = False
) -> Intervals:
    """Clopper-Pearson on the support counts, carried over to shares; never below its confidence.

    With m = q + f(p-q), an interval [L, U] for m gives [(L-q)/(p-q), (U-q)/(p-q)] for f. For persons
    drawn from a population the count is binomial(n, m), and for a fixed table the interval holds too:

    Proof: for a fixed table the count S is a sum of independent coins with mean m on average. L > m
    happens iff S >= c for the least c with P[Bin(n,m) >= c] < a, where a <= 1/4 is the tail. If n m >= 1,
    P[Bin >= n m] > 1/4, so c >= n m + 1, and Hoeffding gives P[S >= c] <= P[Bin >= c] < a. If n m < 1 and
    c >= 2 the same holds; and for c = 1 the bound used is L = a/n, for which P[S >= 1] <= n m < a. The
    upper end is the same for n - S.

    Args:
        counts: (d,) int64 support counts.
        n: number of reports, >= 1.
        support: p and q of the oracle.
        confidence: 0.5 <= confidence < 1.
        simultaneous: whether the confidence is that of all intervals together.

    Raises:
        ParameterError: confidence outside its range, or counts outside 0 … n. Remedy: give them inside.

    Source:
        C. Clopper and E. Pearson, Biometrika 26, 1934; W. Hoeffding, "On the distribution of the number
        of successes in independent trials", Ann. Math. Statist. 27, 1956, theorem 4; S. Greenberg and
        M. Mohri, "Tight lower bound on the probability of a binomial exceeding its expectation",
        Statistics & Probability Letters 86, 2014.

    Example:
        >>> from sfumato.mechanism.local.oracle import Support
        >>> out = exact_intervals(np.array([700, 300]), 1000, Support(0.75, 0.25), confidence=0.95)
        >>> out.low.round(3).tolist(), out.high.round(3).tolist()
        ([0.841, 0.043], [0.957, 0.159])
    """
    tail = _tail(counts, n, confidence, simultaneous=simultaneous)
    low = _lower_mean(counts, n, tail)
    high = 1 - _lower_mean(n - counts, n, tail)
    gap = support.p - support.q
    return Intervals(
        np.clip((low - support.q) / gap, 0, 1),
        np.clip((high - support.q) / gap, 0, 1),
        confidence,
        simultaneous,
        "exact",
    )


def _lower_mean(counts: IntArray, n: int, tail: float) -> FloatArray:
    """The largest mean that the count speaks against with the tail, rounded down."""
    with Needs("learn", "Exact intervals need the package scipy."):
        from scipy.special import betaincinv
    hits = counts.astype(np.float64)
    safe = np.maximum(hits, 1.0)
    low = np.asarray(betaincinv(safe, n - safe + 1, tail), np.float64)
    low = np.where(hits == 1, np.minimum(low, tail / n), low)
    return np.where(hits == 0, 0.0, low * (1 - _OUTWARD))


def _tail(counts: IntArray, n: int, confidence: float, *, simultaneous: bool) -> float:
    """The probability of error on one side of one interval."""
    if not (isinstance(confidence, float) and LEAST_CONFIDENCE <= confidence < 1) or math.isnan(confidence):
        raise ParameterError(
            "`confidence` must be a number from {least_confidence} to below 1; got {confidence!r}.",
            "choose one, such as 0.95.",
            least_confidence=LEAST_CONFIDENCE,
            confidence=confidence,
        )
    if n < 1 or (len(counts) and (counts.min() < 0 or counts.max() > n)):
        raise ParameterError("Support counts must lie between 0 and the number of reports.", "count the reports again.")
    return (1 - confidence) / 2 / (len(counts) if simultaneous else 1)
