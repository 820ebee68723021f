"""How near private quantiles come, proven before any data are seen: theorems, printed and derived again.

A theorem gives the least chance with which a bound holds. Where it says nothing (outside its range, or a chance of 0
or less) the answer is None: the bound is *vacuous*.

Each theorem stands in two forms: `as_printed`, and derived again, without the steps that do not hold and with sharper
constants. See docs/concepts/quantiles.md for what was wrong.

Source: A. Canesse, "Arbitrages statistiques dans l'apprentissage automatique confidentiel", 2022.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = math.sqrt(2 * math.pi)
_TRIED = 400
"""Distances that are tried, evenly by their logarithm, before the least is refined."""
_REFINED = 40


def threshold_accuracy(queries: int, beta: float, epsilon: float, *, monotone: bool = False) -> float:
    """AboveThreshold errs by less than α rows with chance 1 - β: all counts before its answer are below T + α, and the
    answer's is above T - α.

    α = 8 (ln k + ln(2/β))/ε; with the smaller noise of queries that move together, α = 4 ln((k + 1)/β)/ε. Both follow
    from max |ν| + |noise of T| < α by the union bound. The noise is continuous; discrete noise on whole rows
    passes a number a at most as often as the continuous one passes a - 1, so 2 is to be added.

    Args:
        queries: k, >= 1.
        beta: in (0, 1).
        epsilon: of this scan, > 0: the total over the number of quantiles.
        monotone: whether the smaller noise is used.

    Source:
        C. Dwork and A. Roth, 2014, theorem 3.24; lemma 2.2.1.1 of the report; the second form: ours.

    Example:
        >>> round(threshold_accuracy(1000, 0.05, 1.0), 1)
        84.8
    """
    if monotone:
        return 4 * math.log((queries + 1) / beta) / epsilon
    return 8 * (math.log(queries) + math.log(2 / beta)) / epsilon


def uniform_chance(n: int, gamma: float, alpha: float, beta: float, *, as_printed: bool) -> float | None:
    """HistogramMethod on n values of the uniform law on [0, 1]: how surely its decile lies near that of the law.

    P(|A - d| <= γ) >= 1 - β - 2 exp(-(nγ/4)(1 - 2α/(nγ))²) - 2 exp(-nγ²/12), for γ in [0, 0.1] and 2α <= nγ.

    Derived again: the last term is 2 exp(-nγ²/2) by Hoeffding's inequality, and the distance that is bounded is
    γ + 1/steps, because the scan can only answer at its cuts.

    Args:
        n: values.
        gamma: γ, the distance.
        alpha: of `threshold_accuracy`.
        beta: of the same.
        as_printed: which form.

    Returns:
        A chance, or None.

    Source:
        Theorem 2.2.3.1 of the report.

    Example:
        >>> round(uniform_chance(10**6, 0.01, 900.0, 0.02, as_printed=True), 4)
        0.9795
        >>> uniform_chance(10**4, 0.01, 900.0, 0.02, as_printed=True) is None
        True
    """
    room = 1 - 2 * alpha / (n * gamma)
    if not 0 < gamma <= 0.1 or room < 0:
        return None
    near = 2 * math.exp(-n * gamma**2 / (12 if as_printed else 2))
    return _if_any(1 - beta - 2 * math.exp(-n * gamma / 4 * room**2) - near)


def normal_chance(decile: int, n: int, gamma: float, alpha: float, beta: float, *, as_printed: bool) -> float | None:
    """HistogramMethod on n values of the standard normal law: how surely its decile lies near that of the law.

    P(|A - d| <= γ) >= 1 - β - η - μ, with E = exp(-(|d| + γ)²/2) and

    - μ = 2 exp(-(nγ/(4√2π)) (E - 2α√2π/(nγ))³), for E >= 2α√2π/(nγ);
    - η = exp(-(nγ²/i²)(i/10 - γ/(2√2π)) e^(-d²)) + exp(-5γ²in e^(-d²) / (16π (i + 5γ/√2π)²)), for γ in [0, d], so for
      deciles i above the fifth only, and, by its last step, for (d + γ/2)² <= d² + ln 2 only.

    Derived again: η = 2 exp(-(nγ²/(4π)) exp(-(|d| + γ/2)²)), Hoeffding's inequality, for every decile and γ; the distance
    that is bounded is γ plus the width of a cell.

    Args:
        decile: i, 1 … 9.
        n: values.
        gamma: γ, the distance.
        alpha: of `threshold_accuracy`.
        beta: of the same.
        as_printed: which form.

    Returns:
        A chance, or None.

    Source:
        Theorem A.3.0.1 of the report.

    Example:
        >>> normal_chance(3, 10**6, 0.1, 900.0, 0.02, as_printed=True) is None
        True
        >>> round(normal_chance(3, 10**6, 0.1, 900.0, 0.02, as_printed=False), 4)
        0.98
    """
    d = NormalDist().inv_cdf(decile / 10)
    room = math.exp(-((abs(d) + gamma) ** 2) / 2) - 2 * alpha * _ROOT / (n * gamma)
    is_covered = 0 < gamma <= d and (d + gamma / 2) ** 2 <= d**2 + math.log(2)
    if room < 0 or (as_printed and not is_covered):
        return None
    near = _printed_eta(decile, n, gamma) if as_printed else _eta(d, n, gamma)
    return _if_any(1 - beta - near - 2 * math.exp(-n * gamma / (4 * _ROOT) * room**3))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the theorem on the inverse sensitivity mechanism is told of the law and of the smoothing.

    Args:
        gamma: γ > 0: the density is known from d - 2γ to d + 2γ.
        least_density: p, the least density there.
        width: R, of the declared range.
        rho: ρ > 0, the smoothing.
        u: 0 < u <= γ/4; the distance that is bounded is 2u + ρ.
    """

    gamma: float
    least_density: float
    width: float
    rho: float
    u: float


def inverse_sensitivity_chance(n: int, epsilon: float, at: Surroundings, *, as_printed: bool) -> float | None:
    """The ρ-smooth inverse sensitivity mechanism: how surely its answer lies near the quantile of the n values.

    P(|M - d| > 2u + ρ) <= (R/2ρ) exp(-npuε/4) + 4 exp(-nγ²p²/8) + (2γ/u) exp(-npu/8), for u <= γ/4, and for the quantile at
    least ρ away from both ends of the range (else R/ρ).

    Derived again: 2 exp(-nγ²p²/2) in the middle, by Hoeffding's inequality and one union bound less.

    Args:
        n: values.
        epsilon: of this quantile: the total over their number.
        at: the law nearby, and ρ and u.
        as_printed: which form.

    Returns:
        A chance, or None.

    Source:
        Theorem 3.2.0.1 of the report, after H. Asi and J. Duchi, 2020.

    Example:
        >>> at = Surroundings(0.1, 1.0, 1.0, 0.001, 0.02)
        >>> round(inverse_sensitivity_chance(10**5, 0.1, at, as_printed=True), 6)
        1.0
    """
    if not 0 < at.u <= at.gamma / 4 or at.rho <= 0:
        return None
    moved = n * at.least_density * at.u
    near = 4 * math.exp(-n * (at.gamma * at.least_density) ** 2 / 8)
    if not as_printed:
        near = 2 * math.exp(-n * (at.gamma * at.least_density) ** 2 / 2)
    far = at.width / (2 * at.rho) * math.exp(-moved * epsilon / 4)
    return _if_any(1 - far - near - 2 * at.gamma / at.u * math.exp(-moved / 8))


def least_distance(chance: Callable[[float], float | None], level: float, low: float, high: float) -> float | None:
    """The least distance in [low, high] for which the chance is at least `level`; None where there is none.

    The first of many tried distances is refined by bisection towards the one before; chances rise there.

    Args:
        chance: of a distance.
        level: in (0, 1).
        low: > 0.
        high: > low.

    Example:
        >>> round(least_distance(lambda gamma: gamma / 2, 0.5, 0.1, 10.0), 6)
        1.0
        >>> least_distance(lambda gamma: None, 0.5, 0.1, 10.0) is None
        True
    """

    def suffices(distance: float) -> bool:
        return (chance(distance) or 0.0) >= level

    tried: list[float] = [low * (high / low) ** (i / _TRIED) for i in range(_TRIED + 1)]
    first = next((i for i, distance in enumerate(tried) if suffices(distance)), None)
    if not first:
        return None if first is None else low
    below, above = tried[first - 1], tried[first]
    for _ in range(_REFINED):
        middle = (below + above) / 2
        below, above = (below, middle) if suffices(middle) else (middle, above)
    return above


def _printed_eta(decile: int, n: int, gamma: float) -> float:
    peak = math.exp(-(NormalDist().inv_cdf(decile / 10) ** 2))
    above: float = math.exp(-n * gamma**2 / decile**2 * (decile / 10 - gamma / (2 * _ROOT)) * peak)
    below: float = math.exp(-5 * gamma**2 * decile * n * peak / (16 * math.pi * (decile + 5 * gamma / _ROOT) ** 2))
    return above + below


def _eta(d: float, n: int, gamma: float) -> float:
    """How often the decile of n values lies beyond γ/2: between it and d the density is at least that at |d| + γ/2."""
    return 2 * math.exp(-n * gamma**2 / (4 * math.pi) * math.exp(-((abs(d) + gamma / 2) ** 2)))


def _if_any(chance: float) -> float | None:
    """A chance above 0."""
    return chance if chance > 0 else None
