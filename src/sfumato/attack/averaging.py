"""What patience gives: many reports of one person's value, and many noisy answers to one question.

Fresh reports of the same value add up: T of them are T ε-private, and the posterior closes on the value.
Reports from a remembered answer do not: the odds of any two values move by at most e^ε∞. Of noisy answers the mean's
error falls as one over the root of their number; against Laplace noise the median is better by up to √2, since it is
the value under which the answers are most likely.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.inference import most_probable
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.interval import Interval, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class InferenceScore:
    """How often an attack named the value.

    Args:
        right: persons whose value was named.
        n: persons.
        baseline: share of the commonest value by the prior, what a guess without any report reaches.
        interval: Wilson's interval of the success rate.
    """

    right: int
    n: int
    baseline: float
    interval: Interval

    @property
    def rate(self) -> float:
        """Share of persons whose value was named."""
        return self.right / self.n


@dataclass(frozen=True, slots=True)
class Averaging:
    """The most probable value of each person, from log-likelihoods of the reports (`attack.likelihood`) and a prior."""

    attack: ClassVar[str] = "averaging"

    def guess(self, view: FloatArray, knowledge: FloatArray, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 values; `view` is (n, k) of likelihoods, `knowledge` (k,) shares of the values."""
        return most_probable(posterior(view, knowledge), rng=rng)


@dataclass(frozen=True, slots=True)
class RepeatedAnswers:
    """The true answer to a question that was answered many times with fresh noise: the median of the answers."""

    attack: ClassVar[str] = "repeated answers"

    def guess(self, view: FloatArray, _knowledge: None, _rng: np.random.Generator, /) -> FloatArray:
        """(questions,) float64; `view` is (asked, questions) of answers."""
        return np.asarray(median_of_answers(view, [len(view)])[0], np.float64)


def posterior(likelihood: FloatArray, prior: FloatArray) -> FloatArray:
    """Probability of each value given the reports: prior times likelihood, normalized.

    Args:
        likelihood: (n, k) float64, log-likelihoods from `attack.likelihood`.
        prior: (k,) float64 > 0, what the adversary believes before; any scale.

    Returns:
        (n, k) float64, rows of sum 1.

    Raises:
        ParameterError: another shape, or no positive prior.

    Example:
        >>> posterior(np.log([[3.0, 1.0]]), np.array([0.5, 0.5])).tolist()
        [[0.75, 0.25]]
    """
    weights = np.asarray(prior, np.float64)
    if likelihood.ndim != 2 or weights.shape != likelihood.shape[1:] or not np.all(weights > 0):
        raise ParameterError(
            "A prior must be positive for each of the {shape} values; got shape {shape2}.",
            "give every value that is possible a positive share.",
            shape=likelihood.shape[-1],
            shape2=weights.shape,
        )
    logs = likelihood + np.log(weights)
    scaled = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True))


def score(guesses: IntArray, truth: IntArray, prior: FloatArray, *, confidence: float) -> InferenceScore:
    """Compare guesses with the truth, which the judge knows.

    Args:
        guesses: (n,) int64.
        truth: (n,) int64.
        prior: (k,) float64, shares of the values.
        confidence: of the interval.

    Raises:
        ParameterError: unequal lengths, or nobody.

    Example:
        >>> found = score(np.array([0, 1]), np.array([0, 0]), np.array([0.5, 0.5]), confidence=0.95)
        >>> found.rate, found.baseline
        (0.5, 0.5)
    """
    if guesses.shape != truth.shape or not len(truth):
        raise ParameterError(
            "There must be one guess for each of at least one person; got {shape} and {shape2}.",
            "score the same persons.",
            shape=guesses.shape,
            shape2=truth.shape,
        )
    right, n = int(np.count_nonzero(guesses == truth)), len(truth)
    return InferenceScore(right, n, float(np.max(prior) / np.sum(prior)), wilson(right, n, confidence))


def mean_of_answers(answers: FloatArray, times: Sequence[int]) -> FloatArray:
    """The mean of the first t answers, for each t.

    Args:
        answers: (asked, attackers) float64, in the order in which they came.
        times: numbers t, each from 1 to asked.

    Returns:
        (times, attackers) float64.

    Example:
        >>> mean_of_answers(np.array([[2.0], [4.0], [9.0]]), [1, 2, 3]).ravel().tolist()
        [2.0, 3.0, 5.0]
    """
    running = np.cumsum(answers, axis=0)
    return np.stack([running[t - 1] / t for t in times])


def median_of_answers(answers: FloatArray, times: Sequence[int]) -> FloatArray:
    """The median of the first t answers, for each t; see `mean_of_answers`.

    It minimizes Σ|answer - x|, so no x makes the answers more likely under Laplace noise.

    Example:
        >>> median_of_answers(np.array([[2.0], [4.0], [9.0]]), [1, 2, 3]).ravel().tolist()
        [2.0, 3.0, 4.0]
    """
    return np.stack([np.median(answers[:t], axis=0) for t in times])


def spread_of_mean(scale: Fraction, times: int) -> float:
    """Standard deviation of the mean of t answers with discrete Laplace noise: σ/√t, σ² = 2p/(1 - p)², p = e^(-1/scale).

    Args:
        scale: of the noise, > 0.
        times: t, >= 1.

    Example:
        >>> from fractions import Fraction
        >>> round(spread_of_mean(Fraction(10), 1), 2), round(spread_of_mean(Fraction(10), 100), 2)
        (14.14, 1.41)
    """
    return 1 / (math.sqrt(2 * times) * math.sinh(1 / (2 * float(scale))))
