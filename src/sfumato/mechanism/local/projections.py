"""Projections of raw estimates, which can be negative and need not add up to 1, onto shares.

Each function takes raw estimates and returns new ones; the raw ones are kept by the caller, since only
they are unbiased. A projection is post-processing: it costs no privacy.

Source of the names and their comparison: T. Wang et al., "Locally Differentially Private Frequency
Estimation with Consistency", NDSS 2020, section 4.
"""

from __future__ import annotations

from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.oracle import variance
from sfumato.numbers.check import checked_confidence
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.mechanism.local.oracle import Support
    from sfumato.types import FloatArray


def base_pos(raw: FloatArray) -> FloatArray:
    """Negative estimates become 0; the sum stays what it is.

    Example:
        >>> base_pos(np.array([0.7, 0.5, -0.1])).tolist()
        [0.7, 0.5, 0.0]
    """
    return np.maximum(_checked(raw), 0.0)


def norm(raw: FloatArray) -> FloatArray:
    """The same amount is added to every estimate so that they add up to 1; negative ones remain.

    Example:
        >>> norm(np.array([0.75, 0.5, 0.5])).tolist()
        [0.5, 0.25, 0.25]
    """
    values = _checked(raw)
    return np.asarray(values + (1 - values.sum()) / len(values), np.float64)


def clip_and_renormalize(raw: FloatArray) -> FloatArray:
    """Negative estimates become 0 and the rest is divided by its sum (Norm-Mul).

    This is what multi-freq-ldpy and pure-ldp return. When nothing is positive, all shares are equal.
    Biased upwards for rare values.

    Example:
        >>> clip_and_renormalize(np.array([1.5, 0.5, -0.1])).tolist()
        [0.75, 0.25, 0.0]
    """
    positive = base_pos(raw)
    total = positive.sum()
    if total <= 0:
        return np.full(len(positive), 1 / len(positive))
    return np.asarray(positive / total, np.float64)


def norm_cut(raw: FloatArray) -> FloatArray:
    """The largest estimates are kept while they add up to at most 1; all others become 0.

    If all positive ones add up to less than 1 they are kept as they are.

    Example:
        >>> norm_cut(np.array([0.6, 0.5, 0.3, -0.1])).tolist()
        [0.6, 0.0, 0.0, 0.0]
    """
    positive = base_pos(raw)
    order = np.argsort(-positive, kind="stable")
    keep = np.cumsum(positive[order]) <= 1
    out = np.zeros_like(positive)
    out[order[keep]] = positive[order[keep]]
    return out


def project_simplex(raw: FloatArray) -> FloatArray:
    """The nearest shares in Euclidean distance: max(raw - shift, 0) with the shift that makes the sum 1.

    Example:
        >>> project_simplex(np.array([0.75, 0.5, -0.25])).tolist()
        [0.625, 0.375, 0.0]
    """
    return nearest_shares(_checked(raw), 1.0)


def norm_sub(raw: FloatArray) -> FloatArray:
    """Norm-Sub: clip negative estimates and take the same amount off the others, until they add up to 1.

    Its fixed point is the projection onto the simplex, which is what is computed.

    Example:
        >>> norm_sub(np.array([0.75, 0.5, -0.25])).tolist()
        [0.625, 0.375, 0.0]
    """
    return project_simplex(raw)


def base_cut(raw: FloatArray, n: int, support: Support, *, confidence: float) -> FloatArray:
    """Estimates that a value nobody has could reach become 0; the others stay.

    The threshold is z·sd of a value with share 0, with z so that all k of them stay below it together
    with probability `confidence` (Bonferroni).

    Args:
        raw: (k,) float64.
        n: number of reports, >= 1.
        support: p and q of the oracle.
        confidence: in (0, 1).

    Raises:
        ParameterError: confidence outside (0, 1). Remedy: choose one such as 0.95.

    Example:
        >>> from sfumato.mechanism.local.oracle import Support
        >>> base_cut(np.array([0.9, 0.05]), 1000, Support(0.75, 0.25), confidence=0.95).tolist()
        [0.9, 0.0]
    """
    checked_confidence(confidence)
    values = _checked(raw)
    deviation = float(np.sqrt(variance(np.zeros(1), n, support)[0]))
    threshold = NormalDist().inv_cdf(1 - (1 - confidence) / len(values)) * deviation
    return np.where(values < threshold, 0.0, values)


def isotonic(raw: FloatArray, *, increasing: bool) -> FloatArray:
    """The nearest sequence that never falls (or never rises), for ordered domains known to be monotone.

    Pool adjacent violators: neighbors in the wrong order are replaced by their mean. The sum stays.

    Args:
        raw: (k,) float64, in the order of the domain.
        increasing: whether shares never fall along the domain.

    Source:
        M. Ayer et al., Ann. Math. Statist. 26, 1955.

    Example:
        >>> isotonic(np.array([0.1, 0.4, 0.2, 0.3]), increasing=True).round(3).tolist()
        [0.1, 0.3, 0.3, 0.3]
    """
    values = _checked(raw)
    levels: list[float] = []
    weights: list[int] = []
    for value in values if increasing else values[::-1]:
        levels.append(float(value))
        weights.append(1)
        while len(levels) > 1 and levels[-2] > levels[-1]:
            level, weight = levels.pop(), weights.pop()
            joint = weights[-1] + weight
            levels[-1] = (levels[-1] * weights[-1] + level * weight) / joint
            weights[-1] = joint
    out = np.repeat(levels, weights)
    return out if increasing else out[::-1].copy()


PROJECTIONS: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {
        "base-pos": base_pos,
        "norm": norm,
        "clip-and-renormalize": clip_and_renormalize,
        "norm-cut": norm_cut,
        "norm-sub": norm_sub,
        "simplex": project_simplex,
    }
)
"""Projections that need nothing but the estimates, by the name that a plan or a command gives them."""


def _checked(raw: FloatArray) -> FloatArray:
    """Estimates as a flat array of at least one finite float."""
    values = np.asarray(raw, np.float64)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
        raise ParameterError("Estimates must be a flat array of finite numbers.", "estimate from at least one report.")
    return values
