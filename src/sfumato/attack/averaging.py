"""What does an adversary learn of one person's value from many reports? A posterior, and how often it is right.

Fresh reports of the same value add up: T of them are T ε-private, and the posterior closes on the value.
Reports from a remembered answer do not: the odds of any two values move by at most e^ε∞.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.summary.interval import Interval, wilson

if TYPE_CHECKING:
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


def most_probable(beliefs: FloatArray, *, rng: np.random.Generator) -> IntArray:
    """(n,) int64: a value of highest posterior, drawn at random among equals.

    Args:
        beliefs: (n, k) float64.
        rng: breaks ties.

    Example:
        >>> most_probable(np.array([[0.2, 0.8], [0.6, 0.4]]), rng=np.random.default_rng(0)).tolist()
        [1, 0]
    """
    best = beliefs >= beliefs.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(best * rng.random(beliefs.shape), axis=1), np.int64)


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
