"""How many persons of a population are unique, judged from a sample: three estimators and a rule.

All read the sizes of the sample's equivalence classes and the size of the population, and assume a
simple random sample. Written for risk figures and for the uniqueness criterion alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.summary.root import find_root
from sfumato.summary.special import digamma, digamma_of_one

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.types import FloatArray, IntArray

Estimator = Literal["pitman", "zayatz", "snb", "dankar"]
"""Name of a way to estimate population uniqueness."""

DANKAR_SAMPLING_LIMIT = 0.1
"""Sampling fraction up to which Dankar's rule trusts Pitman's estimator."""


def estimate_uniqueness(sizes: IntArray, population: int, estimator: Estimator) -> float | None:
    """The share of the population that is unique in it, by the named estimator.

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population, at least the persons in the sample.
        estimator: which one.

    Returns:
        A share in [0, 1]; None where the estimator has no solution on these sizes.

    Raises:
        ParameterError: the population is smaller than the sample. Remedy: state the true population.

    Example:
        >>> estimate_uniqueness(np.array([1, 1, 2, 4]), 8, "zayatz")
        0.25
    """
    _check(sizes, population)
    match estimator:
        case "zayatz":
            return zayatz(sizes, population)
        case "pitman":
            return pitman(sizes, population)
        case "snb":
            return snb(sizes, population)
        case "dankar":
            return dankar(sizes, population)


def every_estimate(sizes: IntArray, population: int) -> dict[Estimator, float | None]:
    """The estimates of all estimators, Pitman's fitted once.

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population, at least the persons in the sample.

    Raises:
        ParameterError: the population is smaller than the sample. Remedy: state the true population.

    Example:
        >>> found = every_estimate(np.repeat([1, 2, 5], [60, 20, 8]), 2000)
        >>> found["dankar"] == found["pitman"] == pitman(np.repeat([1, 2, 5], [60, 20, 8]), 2000)
        True
    """
    _check(sizes, population)
    found: dict[Estimator, float | None] = {
        "zayatz": zayatz(sizes, population),
        "pitman": pitman(sizes, population),
        "snb": snb(sizes, population),
    }
    return found | {"dankar": _by_rule(sizes, population, found.__getitem__)}


def zayatz(sizes: IntArray, population: int) -> float:
    """Zayatz's estimate: uniques of the sample times P(unique in the population | unique in the sample).

    With c_i classes of size i, J classes, pi = n/N and H_i the hypergeometric probability that a
    population class of size i shows exactly one member in the sample:
    U/N = (c_1/n) * c_1 H_1 / sum_i c_i H_i.

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population.

    Returns:
        Share of the population that is unique, in [0, 1]; 0 when the sample has no unique.

    Source:
        L. Zayatz, "Estimation of the percent of unique population elements on a microdata file using
        the sample", US Bureau of the Census, 1991.

    Example:
        >>> zayatz(np.array([1, 1, 2, 4]), 8)
        0.25
    """
    size, count = np.unique(sizes, return_counts=True)
    n = int(sizes.sum())
    if len(size) == 0 or size[0] != 1:
        return 0.0
    weights = count * np.exp(_log_seen_once(size, n, population))
    return float(count[0] / n * weights[0] / weights.sum())


def _log_seen_once(size: IntArray, n: int, population: int) -> FloatArray:
    """Log P(exactly one of i marked persons among n drawn from N), for each i of `size`, less a constant."""
    steps = np.arange(int(size[-1]), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        missed = np.concatenate(([0.0], np.cumsum(np.log(np.maximum(population - n - steps, 0.0)))))
        drawn = np.cumsum(np.log(population - steps))
        return np.asarray(np.log(size) + missed[size - 1] - drawn[size - 1])


def pitman(sizes: IntArray, population: int) -> float | None:
    """Pitman's superpopulation estimate, U = Gamma(theta+1)/Gamma(theta+alpha) * N^alpha, by maximum likelihood.

    theta and alpha solve sum_{i<J} 1/(theta+i alpha) = sum_{i<n} 1/(theta+i) and
    sum_{i<J} i/(theta+i alpha) = sum_s c_s sum_{j<s} 1/(j-alpha).

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population.

    Returns:
        Share of the population that is unique, in [0, 1]; 0 when the sample has no unique, 1 when it
        has nothing else; None where the likelihood has no maximum with 0 < alpha < 1.

    Source:
        N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment",
        J. Official Statistics 17(4), 2001, equations 6 and 7.

    Example:
        >>> round(pitman(np.repeat([1, 2, 5], [60, 20, 8]), 1000), 4)
        0.1276
    """
    n_unique, n = int((sizes == 1).sum()), int(sizes.sum())
    if n_unique in (0, n):
        return float(n_unique > 0)
    fitted = _fit_pitman(sizes)
    if fitted is None:
        return None
    theta, alpha = fitted
    log_share = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + (alpha - 1) * math.log(population)
    return min(1.0, math.exp(log_share))


def _fit_pitman(sizes: IntArray) -> tuple[float, float] | None:
    """Theta and alpha of largest likelihood."""
    size, count = np.unique(sizes, return_counts=True)
    n, n_classes = int(sizes.sum()), len(sizes)

    def shifted_theta(alpha: float) -> float | None:
        """Theta + alpha > 0 of largest likelihood at this alpha."""

        def score(log_shifted: float) -> float:
            u = math.exp(log_shifted)
            return _sum_of_inverses(u, alpha, n_classes) - _sum_of_inverses(u - alpha + 1, 1.0, n)

        root = find_root(score, -40.0, 2 * math.log(n) + 5)
        return None if root is None else math.exp(root)

    def profile(alpha: float) -> float:
        u = shifted_theta(alpha)
        if u is None:
            return math.nan
        left = (n_classes - 1 - (u - alpha) * _sum_of_inverses(u, alpha, n_classes)) / alpha
        return left - float(count @ (digamma(size.astype(np.float64) - alpha) - digamma_of_one(1 - alpha)))

    alpha = find_root(profile, 1e-6, 1 - 1e-9)
    u = None if alpha is None else shifted_theta(alpha)
    return None if alpha is None or u is None else (u - alpha, alpha)


def _sum_of_inverses(first: float, step: float, n: int) -> float:
    """sum_{i=0}^{n-2} 1/(first + i step), through the digamma function."""
    return (digamma_of_one(first / step + n - 1) - digamma_of_one(first / step)) / step


def snb(sizes: IntArray, population: int) -> float | None:
    """The estimate of the shifted negative binomial model: class sizes F = 1 + NB(alpha, beta).

    With x = (1-pi)(1-beta), G = (beta/(1-x))^alpha and K population classes (Shlosser's estimate):
    c_1 = K pi G (1 + alpha x/(1-x)), c_2 = K pi^2 alpha (1-beta) G (2-(1-alpha)x) / (2 (1-x)^2);
    U = K beta^alpha.

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population.

    Returns:
        Share of the population that is unique, in [0, 1]; 0 when the sample has no unique; None
        where the two equations have no solution.

    Source:
        G. Chen and S. Keller-McNulty, "Estimation of identification disclosure risk in microdata",
        J. Official Statistics 14(1), 1998; moments derived anew from the generating function.

    Example:
        >>> round(snb(np.repeat([1, 2, 5], [60, 20, 8]), 1000), 4)
        0.1337
    """
    n_unique, n_pairs, n = int((sizes == 1).sum()), int((sizes == 2).sum()), int(sizes.sum())
    if n_unique == 0 or n == population:
        return n_unique / population
    if n_pairs == 0:
        return None
    pi = n / population
    classes = shlosser(sizes, pi)

    def alpha_of(beta: float) -> float:
        """The positive root of the equation for c_2 / c_1."""
        x, ratio = (1 - pi) * (1 - beta), n_pairs / n_unique
        a, b, c = pi * (1 - beta) * x, pi * (1 - beta) * (2 - x) - 2 * ratio * (1 - x) * x, -2 * ratio * (1 - x) ** 2
        root = math.sqrt(b * b - 4 * a * c)
        return (root - b) / (2 * a) if b <= 0 else -2 * c / (b + root)

    def gap(beta: float) -> float:
        alpha, x = alpha_of(beta), (1 - pi) * (1 - beta)
        log_seen = math.log(classes * pi) + alpha * math.log(beta / (1 - x)) + math.log1p(alpha * x / (1 - x))
        return log_seen - math.log(n_unique)

    beta = _first_root(gap, np.concatenate((np.geomspace(1e-9, 0.5, 400), 1 - np.geomspace(0.5, 1e-6, 200)[1:])))
    return None if beta is None else min(1.0, classes * beta ** alpha_of(beta) / population)


def shlosser(sizes: IntArray, pi: float) -> float:
    """Shlosser's estimate of the number of classes in the population, for a sample of fraction pi.

    J + c_1 * [sum i pi^2 (1-pi^2)^(i-1) c_i / sum ((1-pi^2)^i - (1-pi)^i) c_i]
    * [sum (1-pi)^i c_i / sum i pi (1-pi)^(i-1) c_i]^2.

    Source:
        P. Haas et al., "Sampling-based estimation of the number of distinct values of an attribute",
        VLDB 1995, section 3.

    Example:
        >>> shlosser(np.array([1, 1, 2, 4]), 1.0)
        4.0
    """
    size, count = np.unique(sizes, return_counts=True)
    if pi >= 1:
        return float(len(sizes))
    i = size.astype(np.float64)
    missed, doubly = (1 - pi) ** i, (1 - pi * pi) ** i
    first = (i * pi * pi * doubly / (1 - pi * pi)) @ count / ((doubly - missed) @ count)
    second = (missed @ count) / ((i * pi * missed / (1 - pi)) @ count)
    n_unique = int(count[0]) if size[0] == 1 else 0
    return float(len(sizes) + n_unique * first * second**2)


def dankar(sizes: IntArray, population: int) -> float | None:
    """Dankar's rule: Pitman up to a sampling fraction of 0.1, else the lesser of Zayatz and SNB.

    Args:
        sizes: (n_classes,) int64, persons in each class of the sample, >= 1.
        population: persons in the population.

    Returns:
        Share of the population that is unique, in [0, 1]. Zayatz stands in for an estimator that has
        no solution.

    Source:
        F. Dankar et al., "Estimating the re-identification risk of clinical data sets", BMC Medical
        Informatics and Decision Making 12:66, 2012.

    Example:
        >>> dankar(np.array([1, 1, 2, 4]), 8)
        0.25
    """
    return _by_rule(sizes, population, lambda name: estimate_uniqueness(sizes, population, name))


def _by_rule(sizes: IntArray, population: int, estimate: Callable[[Estimator], float | None]) -> float | None:
    """Dankar's rule, of the estimates of the others."""
    by_zayatz = estimate("zayatz")
    if sizes.sum() <= DANKAR_SAMPLING_LIMIT * population:
        by_pitman = estimate("pitman")
        return by_zayatz if by_pitman is None else by_pitman
    by_snb = estimate("snb")
    return by_zayatz if by_snb is None or by_zayatz is None else min(by_zayatz, by_snb)


def _first_root(function: Callable[[float], float], grid: FloatArray) -> float | None:
    """The root in the first interval of the grid where the function changes sign."""
    values = np.array([function(float(x)) for x in grid])
    changes = np.flatnonzero(np.sign(values[1:]) != np.sign(values[:-1]))
    return find_root(function, float(grid[changes[0]]), float(grid[changes[0] + 1])) if len(changes) else None


def _check(sizes: IntArray, population: int) -> None:
    """The population holds the sample."""
    if population < sizes.sum():
        raise ParameterError(
            "`population` must be at least the number of persons in the table; got {population}.",
            "state how many persons the table was sampled from.",
            population=population,
        )
