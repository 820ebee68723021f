"""Tails of a score under the null where a few unknown strings disturb it. The chance is that of the hashes.

A candidate that nobody holds sets random bits, so its score is a sum of randomly picked residuals, whatever they come
from. A few large unknown strings make that sum skewed: picking three of their bits is rare, but not as rare as the
normal law says. The tail of the sum follows from its cumulants.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.rappor.decode.correction import upper_tail

if TYPE_CHECKING:
    from sfumato.types import FloatArray

_STEPS, _NEAREST, _FARTHEST = 64, 0.05, 40.0
"""Grid of the saddle point, in units of one over the sum's deviation."""


def tail(z: FloatArray, picked: FloatArray, hashes: int) -> FloatArray:
    """(n,) float64 one-sided p-values of scores; never below those of the normal law.

    The sum over cohorts of `hashes` independent picks has the cumulant generating function
    K(t) = h Σⱼ ln meanᵢ exp(t uⱼᵢ). At the saddle point K'(t) = s its tail is 1 - Φ(r + ln(v/r)/r) with
    r = √(2(ts - K)) and v = t√K''. It is tabled once for all scores, and continued beyond the table with the slope of
    its end.

    Args:
        z: (n,) standardized scores.
        picked: (m, k) float64, what a candidate gains from each bit, the weighted residuals.
        hashes: h.

    Source:
        H. E. Daniels, "Tail probability approximations", Int. Statist. Rev. 55, 1987; the form with r + ln(v/r)/r is
        O. E. Barndorff-Nielsen's.

    Example:
        >>> normal = np.random.default_rng(1).normal(0, 1, (50, 100))
        >>> np.round(tail(np.array([0.0, 2.0, 3.0]), normal, 2), 3).tolist()
        [0.5, 0.023, 0.001]
    """
    p = upper_tail(z)
    centered = picked - picked.mean(axis=1, keepdims=True)
    scale = np.sqrt(hashes * np.sum(np.mean(centered**2, axis=1)))
    if not scale > 0:
        return p
    scores, logs = _table(centered / scale, hashes)
    beyond = np.maximum(0.0, z - scores[-1]) * (logs[-1] - logs[-2]) / (scores[-1] - scores[-2])
    found = np.exp(np.interp(z, scores, logs) + beyond)
    return np.asarray(np.maximum(p, np.minimum(found, 1.0)))


def _table(unit: FloatArray, hashes: int) -> tuple[FloatArray, FloatArray]:
    """Scores from about 0 on, increasing, and the logarithm of the chance to exceed each."""
    rows, top = [], unit.max(axis=1, keepdims=True)
    for t in np.geomspace(_NEAREST, _FARTHEST, _STEPS):
        share = np.exp(t * (unit - top))
        total = share.mean(axis=1, keepdims=True)
        share /= total * unit.shape[1]
        mean = np.sum(share * unit, axis=1)
        spread = np.sum(share * unit**2, axis=1) - mean**2
        rows.append((t, hashes * np.sum(np.log(total) + t * top), hashes * mean.sum(), hashes * spread.sum()))
    t, cumulants, scores, spreads = np.array(rows).T
    r = np.sqrt(np.maximum(2 * (t * scores - cumulants), np.finfo(float).tiny))
    v = np.maximum(t * np.sqrt(np.maximum(spreads, 0.0)), np.finfo(float).tiny)
    logs = _log_upper_tail(r + np.log(v / r) / r)
    held = (np.diff(scores, prepend=-np.inf) > 0) & (np.diff(logs, prepend=np.inf) < 0)
    return scores[held], logs[held]


def _log_upper_tail(z: FloatArray) -> FloatArray:
    """Logarithm of the normal tail; beyond 30 by its leading term, where the tail itself is 0."""
    near = np.log(upper_tail(np.minimum(z, 30.0)))
    far = np.maximum(z, 30.0)
    return np.where(z < 30.0, near, -(far**2) / 2 - np.log(far * np.sqrt(2 * pi)))
