"""Corrections of p-values where many candidates are tested at once."""

from __future__ import annotations

from enum import Enum
from math import erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray

_NULL = 0.5
"""p-values from it on come from candidates that nobody holds, mostly; the adaptive correction finds none of them."""


class Correction(Enum):
    """What is kept below the level: the chance of any false discovery, or the mean share of false ones."""

    BONFERRONI = "bonferroni"
    """p · M: no false discovery but with probability `significance`, whatever the dependence."""
    HOLM = "holm"
    """Step-down: the same promise, never fewer discoveries (Holm 1979)."""
    BENJAMINI_HOCHBERG = "benjamini-hochberg"
    """Step-up: mean share of false discoveries at most `significance` (Benjamini and Hochberg 1995)."""
    ADAPTIVE = "adaptive"
    """Benjamini-Hochberg with the estimated share of absent candidates (Storey, Taylor and Siegmund 2004)."""


def upper_tail(z: FloatArray) -> FloatArray:
    """(n,) float64: one-sided p-values of standard normal scores; accurate in the far tail.

    Example:
        >>> upper_tail(np.array([0.0])).tolist()
        [0.5]
    """
    return np.array([0.5 * erfc(value / sqrt(2)) for value in z.tolist()])


def adjusted(p: FloatArray, correction: Correction) -> FloatArray:
    """(n,) float64: adjusted p-values; a candidate is a discovery where its own is at most the level.

    Args:
        p: (n,) float64 in [0, 1].
        correction: what shall be controlled.

    Source:
        S. Holm, Scand. J. Statist. 6, 1979; Y. Benjamini and Y. Hochberg, J. R. Statist. Soc. B 57, 1995; J. Storey,
        J. Taylor and D. Siegmund, J. R. Statist. Soc. B 66, 2004.

    Example:
        >>> adjusted(np.array([0.01, 0.02, 0.9]), Correction.HOLM).tolist()
        [0.03, 0.04, 0.9]
    """
    n = len(p)
    if correction is Correction.BONFERRONI:
        return np.minimum(1.0, n * p)
    order = np.argsort(p, kind="stable")
    out = np.empty(n)
    if correction is Correction.HOLM:
        out[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(n, 0, -1)))
        return out
    scaled = p[order] * n / np.arange(1, n + 1) * _absent(p, correction)
    out[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    if correction is Correction.ADAPTIVE:
        out[p >= _NULL] = 1.0  # the proof needs a threshold below the values that the estimate is made of
    return out


def _absent(p: FloatArray, correction: Correction) -> float:
    """Estimated share of candidates that nobody holds, at most 1."""
    if correction is Correction.BENJAMINI_HOCHBERG or not len(p):
        return 1.0
    return min(1.0, (1 + int(np.count_nonzero(p >= _NULL))) / (len(p) * (1 - _NULL)))
