"""What two honest aggregates betray together: the value of whoever is in one of them only.

Exact aggregates betray it exactly. From noisy ones an attacker has a posterior over the possible values, and its best
guess hits with a chance that is a formula: nothing here is simulated.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

Noises = Literal[1, 2]
"""How many noises stand in the attacker's answer: 2 for a difference, 1 if everything else is known exactly."""


@dataclass(frozen=True, slots=True)
class Differencing:
    """The value of whoever is in one of two noisy sums only, guessed so that it is most likely near enough.

    Whatever the noise, if it is symmetric and falls from 0 on, no guess hits more often (`best_hit_rate`).

    Args:
        within: a guess is meant to be off by at most so much, in steps, >= 0.
    """

    attack: ClassVar[str] = "differencing"
    within: int

    def guess(self, view: IntArray, knowledge: int, _rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 values for differences (n,) of two answers; known is that values are 0 … `knowledge` - 1."""
        return np.clip(view, self.within, knowledge - 1 - self.within)


def value_of_joiner(
    count_before: FloatArray | float, mean_before: FloatArray | float, count_after: FloatArray | float, mean_after: FloatArray | float
) -> FloatArray | float:  # fmt: skip
    """The value of the one person who joined between two releases of (count, mean): n₂m₂ - n₁m₁.

    Exact if both releases are. From noisy releases it is the same estimate, with all their noise in it. If the roles
    are exchanged it is the value of the one who left, negated.

    Args:
        count_before: n₁, one number or (runs,) float64.
        mean_before: m₁.
        count_after: n₂.
        mean_after: m₂.

    Source:
        D. Denning, P. Denning and M. Schwartz, "The Tracker: A Threat to Statistical Database Security", ACM TODS
        4(1), 1979; the figures of the example are a course's.

    Example:
        >>> value_of_joiner(100, 55_000, 101, 56_000)
        156000
    """
    return count_after * mean_after - count_before * mean_before


def noise_law(offsets: IntArray, scale: Fraction, noises: Noises) -> FloatArray:
    """Probability that one discrete Laplace noise, or the difference of two, is each offset.

    With p = e^(-1/scale) and c = (1 - p)/(1 + p), one noise is x with probability c · p^|x|, and two differ by x with
    probability c² · p^|x| · (|x| + (1 + p²)/(1 - p²)): the sum of c² p^|k| p^|x - k| over all whole k.

    Args:
        offsets: whole numbers, any shape.
        scale: of each noise, > 0.
        noises: 1 or 2.

    Returns:
        float64 of the same shape.

    Example:
        >>> law = noise_law(np.arange(-60, 61), Fraction(2), 2)
        >>> round(float(law.sum()), 9), round(float(law[60]), 4)
        (1.0, 0.1298)
    """
    far, rate = np.abs(offsets).astype(np.float64), 1 / float(scale)
    c, falling = math.tanh(rate / 2), np.exp(-rate * far)
    return c * falling if noises == 1 else c**2 * falling * (far + 1 / math.tanh(rate))


def half_width(share: float, scale: Fraction, noises: Noises) -> int:
    """The least whole a such that the attacker's answer is off by at most a with this probability.

    Args:
        share: in (0, 1): 1/2 for the median error, 0.95 for an interval.
        scale: of each noise, > 0.
        noises: 1 or 2.

    Raises:
        ParameterError: a share outside (0, 1).

    Example:
        >>> half_width(0.5, Fraction(10), 1), half_width(0.5, Fraction(10), 2)
        (7, 11)
    """
    if not 0 < share < 1:
        raise ParameterError("A share must lie in (0, 1); got {share}.", "use 0.95, say.", share=share)
    law = noise_law(np.arange(_reach(scale, (1 - share) / 2)), scale, noises)
    return int(np.searchsorted(2 * np.cumsum(law) - law[0], share))


def chance_within(most: int, scale: Fraction, noises: Noises) -> float:
    """Probability that the attacker's answer is off by at most so much.

    Args:
        most: >= 0, in units of the noise.
        scale: of each noise, > 0.
        noises: 1 or 2.

    Example:
        >>> round(chance_within(7, Fraction(10), 1), 3)
        0.528
    """
    return float(noise_law(np.arange(-most, most + 1), scale, noises).sum())


def posterior_of_joiner(answer: int, scale: Fraction, size: int, noises: Noises) -> FloatArray:
    """What an attacker believes of the newcomer's value who held all values for equally likely before.

    Args:
        answer: the difference of the two released sums (or the later one less all that is known), in steps.
        scale: of each noise, > 0, in steps.
        size: number of possible values, the whole numbers 0 … size - 1.
        noises: 1 or 2.

    Returns:
        (size,) float64 of sum 1.

    Example:
        >>> posterior_of_joiner(9, Fraction(1), 3, 1).round(3).tolist()
        [0.09, 0.245, 0.665]
    """
    far, rate = np.abs(answer - np.arange(size)).astype(np.float64), 1 / float(scale)
    weights = np.exp(-rate * (far - far.min())) * (1 if noises == 1 else far + 1 / math.tanh(rate))
    return np.asarray(weights / weights.sum())


def best_hit_rate(within: int, size: int, scale: Fraction | None, noises: Noises) -> float:
    """How often the best possible guess is off by at most `within`, over values that are all equally likely.

    With b = (2·within + 1)/size, what a blind guess hits, and q = P(|noise| <= within), it is

        b + (1 - b) · q.

    No attacker does better with this answer, by whatever method.

    Args:
        within: >= 0, in steps; 2·within + 1 <= size.
        size: number of possible values, the whole numbers 0 … size - 1.
        scale: of each noise, > 0, in steps; None: there is no answer, and the guess is blind.
        noises: 1 or 2.

    Raises:
        ParameterError: `within` so large that any guess hits.

    Proof:
        A guess hits a window of w = 2·within + 1 values. The noise is symmetric and falls from 0 on, so for an answer
        y the likeliest window is the one whose middle is nearest to y. If y is the middle of a window (size - w + 1
        answers), its values hold Σ P(y - s) = q. For all y beyond the last middle the window is the last one, and
        Σ_y Σ_s P(y - s) = Σ_j P(noise >= j), j from 1 - within to within + 1. P(noise >= j) and P(noise >= 1 - j) add
        up to 1, so this is within + P(noise > within); the other end gives as much. Together, by size:
        (size - w + 1) q + 2·within + 1 - q.

    Example:
        >>> round(best_hit_rate(7, 201, None, 2), 4), round(best_hit_rate(7, 201, Fraction(7), 2), 4)
        (0.0746, 0.514)
    """
    blind = (2 * within + 1) / size
    if within < 0 or blind > 1:
        raise ParameterError(
            "`within` must lie between 0 and {size}; got {within}.",
            "ask for a nearer hit.",
            size=(size - 1) // 2,
            within=within,
        )
    return blind if scale is None else blind + (1 - blind) * chance_within(within, scale, noises)


def _reach(scale: Fraction, missed: float) -> int:
    """A distance that one noise, or the difference of two, exceeds with at most this probability."""
    return math.ceil(1.3 * float(scale) * (math.log(1 / missed) + 2)) + 2
