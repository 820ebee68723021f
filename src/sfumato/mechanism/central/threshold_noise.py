"""The noise that a threshold and the questions compared with it need, and how far it misleads."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.bounds import threshold_accuracy
from sfumato.mechanism.central.tail import laplace_tail
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import LARGEST, whole
from sfumato.numbers.enclosure import exp_between, log_between
from sfumato.numbers.exact import exact

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

LARGEST_VALUE = 2**60
"""Values are clamped to ± this: it moves no two of them further apart, and noise of up to 2⁶² still fits."""
MOST_STOPS = 2**20
"""So often at most a scan may stop."""
_PARTS = 1000
"""Shares of ε are multiples of 1/1000."""
_VANISHED = 1000
"""e^(-1000) stands for whatever is smaller."""
_LEAST_BETA = Fraction(1, 10**300)


@dataclass(frozen=True, slots=True)
class ThresholdNoise:
    """Two scales of discrete Laplace noise, and how often the first is drawn.

    Args:
        of_threshold: scale of the noise of the threshold.
        of_query: scale of the fresh noise of each value.
        thresholds: how often the threshold's noise is drawn, >= 1.
    """

    of_threshold: Fraction
    of_query: Fraction
    thresholds: int = 1

    def check(self, threshold: int) -> None:
        """Refuse a threshold that is no whole number of at most 2⁶⁰ in size."""
        whole(threshold, "threshold", -LARGEST_VALUE, LARGEST_VALUE)

    def accuracy(self, queries: int, beta: float | Fraction) -> int:
        """The least α whose bound of the chance of any |noise of a value - noise of its threshold| > α is at most β.

        Args:
            queries: most questions, >= 1.
            beta: in (0, 1); a float stands for its shortest decimal text.

        Raises:
            ParameterError: a number outside its range. Remedy: give it inside.

        Example:
            >>> ThresholdNoise(Fraction(2), Fraction(4)).accuracy(1000, 0.05)
            41
        """
        queries, chance = whole(queries, "queries", 1, LARGEST - 1), exact("beta", beta)
        if not _LEAST_BETA <= chance < 1:
            raise ParameterError("`beta` must lie between 1e-300 and 1; got {beta!r}.", "use 0.05, say.", beta=beta)
        return _least_alpha(self, queries, chance)

    def failure(self, queries: int, alpha: int) -> Fraction:
        """A bound of the chance that any noise of a value is more than α away from that of its threshold.

        With r the noise of the threshold, ν of scale s₂ and a the greatest |r| for which k P(|ν - r| > α) is about 1:
        the number of thresholds times P(|r| > a), plus k times the sum over |r| <= a of P(r) P(|ν - r| > α). For
        |r| <= α the latter chance is q^(α+1) (q^r + q^-r)/(1 + q), q = e^(-1/s₂), so the sum is a geometric one.
        Every a gives a bound; nothing is assumed of how the questions were chosen.

        Args:
            queries: k.
            alpha: α >= 0.

        Returns:
            At least the chance, rounded up.
        """
        a = self._far(queries, alpha)
        if a < 0:
            return Fraction(1)
        beyond = 2 * laplace_tail(self.of_threshold, min(a + 1, (_VANISHED * self.of_threshold).__ceil__()))
        center = _ratio_up(1 / self.of_threshold) / (1 + exp_between(-min(1 / self.of_query, Fraction(_VANISHED)))[0])
        terms = _exp_up((alpha + 1) / self.of_query) + self._sum(alpha, a, 1) + self._sum(alpha, a, -1)
        return min(Fraction(1), self.thresholds * beyond + 2 * queries * center * terms)

    def _far(self, queries: int, alpha: int) -> int:
        """The a of `failure`, at most α; -1: none."""
        room = alpha + 1 - self.of_query * log_between(Fraction(queries))[1]
        return min(alpha, room.__floor__()) if room >= 0 else -1

    def _sum(self, alpha: int, a: int, sign: int) -> Fraction:
        """More than the sum over r = 1 … a of e^(-r/s₁ - (α + 1 + sign r)/s₂): its greatest term leads a geometric sum."""
        rate = 1 / self.of_threshold + sign / self.of_query
        first = (alpha + 1) / self.of_query + rate * (1 if rate >= 0 else a)
        if not a:
            return Fraction(0)
        count = Fraction(a) if rate == 0 else min(Fraction(a), 1 / (1 - _exp_up(abs(rate))))
        return _exp_up(first) * count


@lru_cache(maxsize=256)
def _least_alpha(noise: ThresholdNoise, queries: int, beta: Fraction) -> int:
    """Of `accuracy`; remembered, since every answer states it."""
    high = 1
    while noise.failure(queries, high) > beta:
        high *= 2
    return bisect_left(range(high), True, key=lambda alpha: noise.failure(queries, alpha) <= beta)


def threshold_noise(
    epsilon: Fraction, sensitivity: int, stops: int, *, monotone: bool, share: Fraction | None, restarted: bool = False
) -> ThresholdNoise:
    """The noise with which a scan that stops so often is ε-differentially private.

    With m = 1 for monotone questions and 2 otherwise: scales Δ/ε₁ and m·stops·Δ/ε₂. Restarted, each stop has a
    threshold of its own: scales Δ/ε₁ and mΔ/ε₂ with ε₁ + ε₂ = ε/stops.

    Args:
        epsilon: > 0.
        sensitivity: Δ, a whole number >= 1.
        stops: c >= 1.
        monotone: whether all values change in one direction.
        share: ε₁/(ε₁ + ε₂); None: the best by variance.
        restarted: whether the threshold is noised again after a stop.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> threshold_noise(Fraction(1), 1, 1, monotone=False, share=Fraction(1, 2))
        ThresholdNoise(of_threshold=Fraction(2, 1), of_query=Fraction(4, 1), thresholds=1)
    """
    whole(sensitivity, "sensitivity", 1, LARGEST_VALUE)
    whole(stops, "stops", 1, MOST_STOPS)
    if not isinstance(monotone, bool) or not isinstance(epsilon, Fraction) or epsilon <= 0:
        raise ParameterError("`epsilon` must be an exact fraction above 0.", "give Fraction(1), for example.")
    moves, at_once = (1 if monotone else 2), 1 if restarted else stops
    first = best_share(moves * at_once) if share is None else share
    if not isinstance(first, Fraction) or not 0 < first < 1:
        raise ParameterError(
            "A share of epsilon must be an exact fraction between 0 and 1.", "give Fraction(1, 2), say."
        )
    each = epsilon if not restarted else epsilon / stops
    of_threshold = sensitivity / (each * first)
    of_query = moves * at_once * sensitivity / (each * (1 - first))
    return ThresholdNoise(checked_scale(of_threshold), checked_scale(of_query), stops if restarted else 1)


def best_share(moves: int) -> Fraction:
    """The share of the threshold, 1/(1 + moves^(2/3)) to three digits: least variance of noise against noise.

    The variance is about 2Δ²(1/ε₁² + moves²/ε₂²); moves = c or 2c for c stops.

    Source:
        M. Lyu, D. Su, N. Li, VLDB 2017, section 4.2.

    Example:
        >>> best_share(2), best_share(1)
        (Fraction(193, 500), Fraction(1, 2))
    """
    return Fraction(max(1, round(_PARTS / (1 + moves ** (2 / 3)))), _PARTS)


def textbook_accuracy(queries: int, beta: float, epsilon: float, *, sensitivity: int = 1, stops: int = 1) -> float:
    """The bound of the textbook, to compare with: α = 8cΔ(ln k + ln(2c/β))/ε, for halves and continuous noise.

    Args:
        queries: k.
        beta: in (0, 1).
        epsilon: in all.
        sensitivity: Δ.
        stops: c.

    Source:
        C. Dwork, A. Roth, 2014, theorems 3.24 and 3.26.

    Example:
        >>> round(textbook_accuracy(1000, 0.05, 1.0), 1)
        84.8
    """
    return sensitivity * threshold_accuracy(queries, beta / stops, epsilon / stops)


def checked_values(values: IntArray) -> IntArray:
    """(k,) int64 values within ±2⁶⁰.

    Raises:
        ParameterError: another shape or type. Remedy: give one whole number for each question.

    Example:
        >>> checked_values(np.array([1, 2])).tolist()
        [1, 2]
    """
    given = np.asarray(values)
    if given.ndim != 1 or not len(given) or given.dtype.kind not in "iu":
        raise ParameterError(
            "Values must be a list of whole numbers, at least one; got {dtype} of shape {shape}.",
            "give one whole number for each question.",
            dtype=given.dtype,
            shape=given.shape,
        )
    return np.maximum(np.minimum(given, LARGEST_VALUE).astype(np.int64), -LARGEST_VALUE)


def clamped(value: int) -> int:
    """A whole number within ±2⁶⁰.

    Raises:
        ParameterError: no whole number; the message does not show it. Remedy: measure in whole units.

    Example:
        >>> clamped(2**70) == 2**60
        True
    """
    try:
        number = index(value)
    except TypeError:
        raise ParameterError("A value must be a whole number.", "measure in whole units.") from None
    return max(-LARGEST_VALUE, min(LARGEST_VALUE, number))


def _exp_up(x: Fraction) -> Fraction:
    """At least e^(-x), x >= 0."""
    return exp_between(-min(x, Fraction(_VANISHED)))[1]


def _ratio_up(x: Fraction) -> Fraction:
    """At least (1 - q)/(1 + q), q = e^(-x)."""
    low = exp_between(-min(x, Fraction(_VANISHED)))[0]
    return (1 - low) / (1 + low)


def first_at_least_zero(values: IntArray, of_threshold: Fraction, of_value: Fraction, *, bits: Bits) -> int:
    """AboveThreshold: the first value that is, with its noise, not below the noise of the threshold 0; else their number.

    Args:
        values: (k,) int64.
        of_threshold: scale of the noise that is drawn once.
        of_value: scale of the noise of each value.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> tiny = Fraction(1, 10**6)
        >>> first_at_least_zero(np.array([-5, 5, 7]), tiny, tiny, bits=SystemBits())
        1
    """
    threshold = discrete_laplace(1, of_threshold, bits=bits)[0]
    above = values + discrete_laplace(len(values), of_value, bits=bits) >= threshold
    return int(np.argmax(above)) if above.any() else len(values)
