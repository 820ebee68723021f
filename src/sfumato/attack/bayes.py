"""How often the best guess of an answer is right, exactly, when one report is seen: Σ_y max_v π_v P[y|v].

π are the shares of the answers, which the intruder knows; without a report the best guess is right max π. No attack on one
report is right more often on average. Where reports are few they are enumerated; where they are bits, sets or hash functions
with a bucket, the sum is taken in closed form: with answers ordered by π, the guess is either the most frequent answer that
the report supports or the most frequent of all.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray


def right_by_law(prior: FloatArray, law: FloatArray) -> float:
    """The chance of the best guess where reports can be enumerated.

    Args:
        prior: (c,) float64, shares of the answers, of sum 1.
        law: (c, K) float64, P[report | answer]; rows of sum 1.

    Example:
        >>> right_by_law(np.array([0.5, 0.5]), np.array([[0.75, 0.25], [0.25, 0.75]]))
        0.75
    """
    return float((_checked(prior)[:, np.newaxis] * law).max(axis=0).sum())


def law_of_supports(supports: BoolArray, p: float) -> FloatArray:
    """(c, K) float64: P[report | answer] of reports that are uniform among those that support the answer, or that do not.

    Args:
        supports: (K, c) bool, whether each report supports each answer; each answer by some and not by all.
        p: Pr[a report supports the true answer].

    Example:
        >>> law_of_supports(np.eye(3, dtype=bool), 0.5).tolist()
        [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    """
    own = supports.sum(axis=0)
    return np.asarray(np.where(supports, p / own, (1 - p) / (len(supports) - own)).T)


def right_by_bits(prior: FloatArray, p: float, q: float) -> float:
    """The same for a bit of each answer: 1 with p for the true one, with q for another (SUE, OUE).

    Args:
        prior: (k,) float64, shares of all answers that have a bit, of sum 1.
        p: of the true answer's bit.
        q: of another's, 0 < q < p < 1.

    Example:
        >>> round(right_by_bits(np.array([0.5, 0.5]), 0.75, 0.25), 6)
        0.75
    """
    shares, times = np.sort(_checked(prior))[::-1], p * (1 - q) / (q * (1 - p))
    before = np.arange(len(shares))
    rivals = int(np.count_nonzero(times * shares > shares[0])) - 1
    read = np.where(times * shares >= shares[0], p * (1 - q) ** before, 0.0)
    return float(shares @ read + shares[0] * (1 - p) * (1 - q) ** rivals)


def right_by_sets(prior: FloatArray, p: float, size: int) -> float:
    """The same for a uniform set of answers that holds the true one with p (subset selection).

    Args:
        prior: (k,) float64, shares of all answers of the domain, of sum 1.
        p: Pr[the set holds the true answer].
        size: answers in a set, 1 … k-1.

    Example:
        >>> round(right_by_sets(np.array([0.25] * 4), 0.5, 1), 6)
        0.5
    """
    shares, k = np.sort(_checked(prior))[::-1], len(prior)
    odds = p * (k - size) / ((1 - p) * size)
    rivals = int(np.count_nonzero(odds * shares > shares[0]))
    read = [p * comb(k - 1 - before, size - 1) / comb(k - 1, size - 1) for before in range(k)]
    worth = np.where(odds * shares >= shares[0], read, 0.0)
    worth[0] = p + (1 - p) * comb(k - max(rivals, 1), size) / comb(k - 1, size)
    return float(shares @ worth)


def right_by_buckets(prior: FloatArray, buckets: IntArray, n_buckets: int, p: float) -> FloatArray:
    """The same for a bucket under a public hash function (BLH, OLH), for each person's function.

    Args:
        prior: (c,) float64, shares of the answers, of sum 1.
        buckets: (n, c) int64, the bucket of each answer under each person's function.
        n_buckets: g.
        p: Pr[the report is the bucket of the true answer]; every other bucket has (1-p)/(g-1).

    Returns:
        (n,) float64, exact for each function.

    Example:
        >>> right_by_buckets(np.array([0.5, 0.5]), np.array([[0, 1], [1, 1]]), 2, 0.75).tolist()
        [0.75, 0.5]
    """
    shares, rows = _checked(prior), np.arange(len(buckets))
    best = np.zeros((len(buckets), n_buckets))
    for place in np.argsort(shares, kind="stable"):
        best[rows, buckets[:, place]] = shares[place]
    return np.asarray(np.maximum(p * best, (1 - p) / (n_buckets - 1) * shares.max()).sum(axis=1))


def _checked(prior: FloatArray) -> FloatArray:
    """Shares that sum to 1."""
    shares = np.asarray(prior, np.float64)
    if shares.ndim != 1 or np.any(shares < 0) or abs(shares.sum() - 1) > 1e-9:
        raise ParameterError("A prior must be shares >= 0 that sum to 1.", "divide counts by their sum.")
    return shares
