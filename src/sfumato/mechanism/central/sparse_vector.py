"""The sparse vector technique: which of many questions have answers above a threshold, up to c of them, and how large."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import Composed, PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.above_threshold import ThresholdSession
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.tail import laplace_half_width
from sfumato.mechanism.central.threshold_noise import ThresholdNoise, checked_values, clamped, threshold_noise
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class SparseAnswers:
    """What a scan said, and what that proves.

    With the confidence, over the noise alone: every question that was found below has a value below threshold + `within`,
    every one that was found above one of at least threshold - `within`, and every number is within `numbers_within`.

    Args:
        above: (asked,) bool, up to the last stop or the end of the list; later questions have no answer.
        numbers: noisy values of those that are above, in order, or None.
        within: α >= 0.
        numbers_within: half-width of the numbers, or None.
        confidence: of all statements together.
    """

    above: BoolArray
    numbers: IntArray | None
    within: int
    numbers_within: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class SparseVector:
    """The sparse vector technique: above or below, for any number of questions, until c were above.

    With ε₁ + ε₂ + ε₃ = ε: the threshold's noise has scale Δ/ε₁ and is drawn once; each value's has scale 2cΔ/ε₂
    (cΔ/ε₂ for monotone questions); numbers, if wanted, are the values with fresh noise of scale cΔ/ε₃. Restarted, it is
    c times `AboveThreshold`, each with an equal part of ε₁ + ε₂ and a threshold noised anew: it needs more noise.

    A number is never the one that was compared: with that one, each answer below bounds the secret noise, and there
    is no finite ε.

    Args:
        epsilon: > 0, in all.
        sensitivity_of_queries: Δ >= 1.
        threshold: public, at most 2⁶⁰ in size.
        answers: c, how many may be above, 1 … 2²⁰.
        monotone: whether one person moves all values in one direction.
        share_of_threshold: ε₁/(ε₁ + ε₂); None: the best by variance, 1/(1 + (2c)^(2/3)).
        share_of_numbers: ε₃/ε, in [0, 1); 0: no numbers.
        restarted: whether the threshold's noise is drawn again after each stop.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Lyu, D. Su, N. Li, "Understanding the Sparse Vector Technique for Differential Privacy", VLDB 2017,
        algorithms 1 and 7; C. Dwork, A. Roth, "The Algorithmic Foundations of Differential Privacy", 2014,
        section 3.6 (restarted). Whole noise: docs/proofs/sparse-vector.md.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> scan = SparseVector(Fraction(2), 1, threshold=500, answers=2, monotone=True, share_of_numbers=Fraction(1, 2))
        >>> out = scan.decide(np.array([0, 2000, 9, 3000, 4000]), confidence=0.999, bits=SystemBits())
        >>> out.above.tolist(), bool(abs(out.numbers[1] - 3000) < 100)
        ([False, True, False, True], True)
    """

    epsilon: Fraction
    sensitivity_of_queries: int
    threshold: int
    answers: int
    monotone: bool
    share_of_threshold: Fraction | None = None
    share_of_numbers: Fraction = Fraction(0)
    restarted: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.share_of_numbers, Fraction | int) or not 0 <= self.share_of_numbers < 1:
            raise ParameterError(
                "`share_of_numbers` must be an exact fraction from 0 to below 1.", "give Fraction(1, 2), say."
            )
        if not isinstance(self.epsilon, Fraction):
            raise ParameterError("`epsilon` must be an exact fraction above 0.", "give Fraction(1), for example.")
        self.noise.check(self.threshold)
        if self.number_scale is not None:
            checked_scale(self.number_scale)

    @property
    def name(self) -> str:
        """What it is called."""
        how = [w for w, is_so in (("monotone", self.monotone), ("restarted", self.restarted)) if is_so]
        return "sparse vector technique" + (f" ({', '.join(how)})" if how else "")

    @property
    def event(self) -> Event:
        """The price, fixed before the first question; as parts where it is a sequence of c equal ones."""
        if self.restarted:
            return Composed((PureDP(self.epsilon / self.answers),) * self.answers)
        return PureDP(self.epsilon)

    @property
    def argument(self) -> str:
        """Why it is private."""
        how = "all in one direction" if self.monotone else "each in any direction"
        return (
            f"Neighbors change every value by at most {self.sensitivity_of_queries}, {how}: moving the noise of the "
            f"threshold and that of at most {self.answers} values turns every outcome of one into the same of the other."
        )

    @property
    def noise(self) -> ThresholdNoise:
        """The scales of the noise of the threshold and of each value."""
        return threshold_noise(
            self.epsilon * (1 - self.share_of_numbers),
            self.sensitivity_of_queries,
            self.answers,
            monotone=self.monotone,
            share=self.share_of_threshold,
            restarted=self.restarted,
        )

    @property
    def number_scale(self) -> Fraction | None:
        """Scale of the noise of the published numbers."""
        if not self.share_of_numbers:
            return None
        return self.answers * self.sensitivity_of_queries / (self.epsilon * self.share_of_numbers)

    def accuracy(self, queries: int, beta: float | Fraction) -> int:
        """The least α that is certain for so many questions with chance 1 - β; see `SparseAnswers`.

        Args:
            queries: most questions, >= 1.
            beta: in (0, 1).

        Example:
            >>> once = SparseVector(Fraction(1), 1, threshold=0, answers=5, monotone=False)
            >>> again = SparseVector(Fraction(1), 1, threshold=0, answers=5, monotone=False, restarted=True)
            >>> once.accuracy(1000, 0.05) < again.accuracy(1000, 0.05)
            True
        """
        return self.noise.accuracy(queries, beta)

    def decide(self, query_values: IntArray, *, confidence: float, bits: Bits) -> SparseAnswers:
        """The answers to questions that were all fixed beforehand.

        Args:
            query_values: (k,) whole numbers, k >= 1 public; clamped to ±2⁶⁰.
            confidence: of what `SparseAnswers` says, in (0, 1).
            bits: source of chance.

        Raises:
            ParameterError: another shape or type. Remedy: give one whole number for each question.
        """
        values, scale = checked_values(query_values), self.number_scale
        each = each_confidence(confidence, 1 if scale is None else 2)
        within = self.accuracy(len(values), 1 - each)
        above = self._scan(values, bits)
        if scale is None:
            return SparseAnswers(above, None, within, None, confidence)
        true = values[: len(above)][above]
        numbers = true + discrete_laplace(self.answers, scale, bits=bits)[: len(true)]
        reach = laplace_half_width(scale, 1 - (1 - each) / self.answers)
        return SparseAnswers(above, numbers, within, reach, confidence)

    def start(self, *, bits: Bits) -> NumberSession:
        """A session for questions that come one by one. `event` must have been charged."""
        return NumberSession(self, bits=bits)

    def _scan(self, values: IntArray, bits: Bits) -> BoolArray:
        """Answers up to the last stop; all noise is drawn at once, whatever the answers."""
        noisy = values + discrete_laplace(len(values), self.noise.of_query, bits=bits)
        at_least = self.threshold + discrete_laplace(self.noise.thresholds, self.noise.of_threshold, bits=bits)
        stops, start = [], 0
        for i in range(self.answers):
            later = noisy[start:] >= at_least[i if self.restarted else 0]
            if not later.any():
                start = len(values)
                break
            stops.append(start + int(np.argmax(later)))
            start = stops[-1] + 1
        above = np.zeros(start, bool)
        above[stops] = True
        return above


class NumberSession:
    """A `ThresholdSession` that also gives a number for each question that is above, if numbers were paid for."""

    __slots__ = ("_bits", "_scale", "_session")

    def __init__(self, mechanism: SparseVector, *, bits: Bits) -> None:
        self._session, self._scale, self._bits = ThresholdSession(mechanism, bits=bits), mechanism.number_scale, bits

    @property
    def is_open(self) -> bool:
        """Whether another question may be asked."""
        return self._session.is_open

    @property
    def stops_left(self) -> int:
        """How many more questions may be above."""
        return self._session.stops_left

    def ask(self, value: int) -> tuple[bool, int | None]:
        """Whether the value is above, and then its number, or None.

        Args:
            value: the true answer of the next question, a whole number; clamped to ±2⁶⁰.

        Raises:
            ParameterError: no whole number. Remedy: measure in whole units.
            QueryError: the session is closed. Remedy: charge for a new one.

        Example:
            >>> from sfumato.noise.bits import SystemBits
            >>> scan = SparseVector(Fraction(1), 1, threshold=500, answers=1, monotone=False)
            >>> scan.start(bits=SystemBits()).ask(10**6)
            (True, None)
        """
        above = self._session.ask(value)
        if not above or self._scale is None:
            return above, None
        return above, clamped(value) + int(discrete_laplace(1, self._scale, bits=self._bits)[0])
