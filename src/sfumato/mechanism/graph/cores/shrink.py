"""From noisy numbers of all vertices to an estimate of each: what all of them together tell of one.

Only what is published is read, so it is free. The shares of the true numbers are found by expectation and
maximization; thirty persons' weight is that of a smooth law with the same mean and variance, so that little data do
not make spikes. Each vertex gets the median of its posterior, which makes the mean absolute error least.

Source: H. Robbins, "An empirical Bayes approach to statistics", 1956; B. Efron, "Empirical Bayes deconvolution
estimates", Biometrika 2016; here with the exact law of the noise.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

_WEIGHT = 30.0
"""Vertices as many as which the smooth law counts."""
_ITERATIONS = 60
_EACH = 256
"""Up to here every whole number is a possible value; above, they are 1% apart."""


def support(most: float) -> IntArray:
    """Possible true numbers from 0 to a little above the most that was seen: all small ones, fewer large ones.

    Example:
        >>> support(3).tolist()
        [0, 1, 2, 3, 4]
    """
    top = max(int(most), 0) + 1
    if top <= _EACH:
        return np.arange(top + 1)
    steps = int(np.ceil(np.log(top / _EACH) / np.log(1.01))) + 1
    return np.unique(np.concatenate((np.arange(_EACH), np.geomspace(_EACH, top, steps).round().astype(np.int64))))


def smooth_law(values: IntArray, mean: float, variance: float) -> FloatArray:
    """Shares of values with about this mean and variance: of a gamma's shape, or a bell's where it is narrow.

    Example:
        >>> smooth_law(np.arange(3), 1.0, 0.1).round(3).tolist()
        [0.007, 0.987, 0.007]
    """
    mean = max(mean, 0.01)
    variance = max(variance, 0.05 * mean + 0.05)
    width = np.diff(np.concatenate(([-1], values)))
    if 4 * variance < mean**2:
        logs = -((values - mean) ** 2) / (2 * variance)
    else:
        shape = max(mean**2 / variance, 0.2)
        logs = (shape - 1) * np.log(values + 0.5) - (values + 0.5) * mean / variance
    shares = np.exp(logs - logs.max()) * width
    return np.asarray(shares / shares.sum(), np.float64)


def true_variance(noisy: float, spread: float, n: int) -> float:
    """The variance of the true numbers, less one standard error: with few vertices, alike until shown otherwise.

    The variance of n Laplace noises has a standard error of √(5/n) of itself.

    Args:
        noisy: variance of the noisy numbers.
        spread: of the noise.
        n: how many.

    Example:
        >>> true_variance(10.0, 2.0, 500)
        7.8
    """
    return noisy - spread * (1 + sqrt(5 / n))


def posterior_medians(likelihood: FloatArray, held: IntArray, values: IntArray, base: FloatArray) -> IntArray:
    """The median of the true number for each thing that can be seen.

    Args:
        likelihood: (kinds, values) chance of seeing each kind, for each true value.
        held: (kinds,) vertices of which each kind was seen.
        values: (values,) possible true numbers, rising.
        base: (values,) shares of the smooth law.

    Returns:
        (kinds,) int64.

    Example:
        >>> sure = np.array([[0.9, 0.1], [0.1, 0.9]])
        >>> posterior_medians(sure, np.array([5, 5]), np.array([0, 7]), np.array([0.5, 0.5])).tolist()
        [0, 7]
    """
    n, shares = held.sum(), base
    for _ in range(_ITERATIONS):
        seen = np.maximum(likelihood @ shares, 1e-300)
        shares = (shares * (likelihood.T @ (held / seen)) + _WEIGHT * base) / (n + _WEIGHT)
    posterior = np.cumsum(likelihood * shares, axis=1)
    half = (posterior < posterior[:, -1:] / 2).sum(axis=1)
    medians: IntArray = values[np.minimum(half, len(values) - 1)]
    return medians


def shrink_laplace(noisy: IntArray, scale: float) -> IntArray:
    """(n,) int64 estimates from numbers with discrete Laplace noise of a known scale.

    Args:
        noisy: (n,) true number >= 0 plus noise.
        scale: of the noise.

    Example:
        >>> shrink_laplace(np.array([5] * 50 + [-20, 31]), 8.0).tolist()[-2:]
        [5, 5]
    """
    kinds, which, held = np.unique(noisy, return_inverse=True, return_counts=True)
    values = support(float(kinds[-1]))
    likelihood = np.exp(-np.abs(kinds[:, None] - values[None, :]) / scale)
    likelihood *= np.tanh(0.5 / scale)
    q = np.exp(-1 / scale)
    spread = 2 * q / (1 - q) ** 2
    base = smooth_law(values, float(noisy.mean()), true_variance(float(noisy.var()), spread, len(noisy)))
    return posterior_medians(likelihood, held, values, base)[which]
