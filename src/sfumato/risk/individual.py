"""The risk of each person when the population is only known through sampling weights.

Of a class with f persons in the sample and weights that add up to an estimated F, the true F is random;
the risk is E[1/F | f] under the negative binomial law with p = f/F.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

SOURCE = "R. Benedetti, L. Franconi, SDC 1998; S. Polettini, 2003"

_RECURRENCE_UP_TO = 40
"""Class sizes up to this go by the recurrence (p < 1/2), larger ones by quadrature."""

_NODES = 64
"""Nodes of both quadratures; their error is below 1e-14 in the ranges where they are used."""


def individual_risk(sizes: IntArray, population: FloatArray) -> FloatArray:
    """E[1/F | f] for each class.

    With p = f/F and q = 1-p it is the integral over x from 0 to 1 of x^(f-1) p/(p + q x).
    In closed form for f = 1: (p/q) ln(1/p); then r_f = (p/q) (1/(f-1) - r_(f-1)).

    Args:
        sizes: (n,) int64, persons of the class in the sample, >= 1.
        population: (n,) float64, estimated persons in the population: the sum of their weights, >= sizes.

    Returns:
        (n,) float64 in (0, 1]; 1/f where the class is wholly in the sample.

    Raises:
        ParameterError: an estimate lies below the sample. Remedy: weights must be at least 1.

    Source:
        R. Benedetti and L. Franconi, "Statistical and technological solutions for controlled data
        dissemination", 1998; S. Polettini, "Some remarks on the individual risk methodology", 2003.

    Example:
        >>> individual_risk(np.array([1, 2, 2]), np.array([17.0, 110.0, 2.0])).round(8).tolist()
        [0.17707583, 0.01714426, 0.5]
    """
    if (population < sizes).any():
        raise ParameterError(
            "Sampling weights must be at least 1; in {sum} classes they add up to less than the persons of the sample.",
            "pass the number of persons that each sampled person stands for.",
            sum=int((population < sizes).sum()),
        )
    p = sizes / population
    out = np.empty(len(sizes))
    large = sizes > _RECURRENCE_UP_TO
    near = ~large & (p >= 0.5)
    far = ~large & ~near
    out[large] = _by_laguerre(sizes[large], p[large])
    out[near] = _by_legendre(sizes[near], p[near])
    out[far] = _by_recurrence(sizes[far], p[far])
    return out


def expected_reidentifications(sizes: IntArray, population: FloatArray) -> float:
    """Persons that an intruder is expected to name rightly: sum of f * E[1/F | f]."""
    return float(sizes @ individual_risk(sizes, population))


def _by_recurrence(sizes: IntArray, p: FloatArray) -> FloatArray:
    """Stable for p < 1/2: each step shrinks the error by p/q."""
    odds = p / (1 - p)
    risk = -odds * np.log(p)
    for f in range(2, int(sizes.max(initial=1)) + 1):
        more = sizes >= f
        risk[more] = odds[more] * (1 / (f - 1) - risk[more])
    return risk


def _by_legendre(sizes: IntArray, p: FloatArray) -> FloatArray:
    """The integral itself, for p >= 1/2: its pole -p/q lies at least 1 outside [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    x = (nodes + 1) / 2
    powers = x[None, :] ** (sizes[:, None] - 1)
    return np.asarray((powers * (p[:, None] / (p[:, None] + (1 - p[:, None]) * x[None, :]))) @ weights / 2)


def _by_laguerre(sizes: IntArray, p: FloatArray) -> FloatArray:
    """With x = exp(-w/f): (1/f) times the integral of exp(-w) p/(p + q exp(-w/f)), for large f."""
    nodes, weights = np.polynomial.laguerre.laggauss(_NODES)
    x = np.exp(-nodes[None, :] / sizes[:, None])
    return np.asarray((p[:, None] / (p[:, None] + (1 - p[:, None]) * x)) @ weights / sizes)
