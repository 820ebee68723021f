"""The first of many questions whose answer lies above a threshold: only the stop is paid for."""

from __future__ import annotations

from fractions import Fraction
from threading import Lock
from typing import TYPE_CHECKING, NoReturn

from sfumato.account.event import PureDP
from sfumato.errors import QueryError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.threshold_noise import (
    ThresholdNoise,
    checked_values,
    clamped,
    first_at_least_zero,
    threshold_noise,
)
from sfumato.noise.discrete_laplace import discrete_laplace

if TYPE_CHECKING:
    from sfumato.mechanism.central.sparse_vector import SparseVector
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a scan stopped, and what that proves.

    With the confidence, over the noise alone: every question before the stop has a value below threshold + `within`,
    and the question of the stop has one of at least threshold - `within`.

    Args:
        place: of the first question that was found above, from 0; None: none was.
        asked: questions in the list.
        within: α >= 0.
        confidence: 1 - β of both statements together.
    """

    place: int | None
    asked: int
    within: int
    confidence: float


@dataclass(frozen=True, slots=True)
class AboveThreshold:
    """AboveThreshold: the first of any number of questions whose noisy value reaches the noisy threshold.

    The threshold gets discrete Laplace noise of scale Δ/ε₁ once, each value fresh noise of scale 2Δ/ε₂, and the scan
    stops at the first value + noise >= threshold + noise. It is (ε₁ + ε₂)-differentially private however many
    questions are asked, and also when each one is chosen after the answers before it.

    Questions are *monotone* when all their values change between two neighbors in one direction; then scale Δ/ε₂
    suffices. Prefixes of a histogram are (see docs/proofs/sparse-vector.md); single cells of it are for
    added or removed rows, not for exchanged ones.

    Args:
        epsilon: ε₁ + ε₂ > 0.
        sensitivity_of_queries: Δ, the most by which any value changes between neighbors; a whole number >= 1.
        threshold: public, at most 2⁶⁰ in size.
        monotone: whether values move in one direction.
        share_of_threshold: ε₁/ε, in (0, 1); None: the one with the least variance of noise against noise,
            1/(1 + 2^(2/3)), or 1/2 where questions are monotone.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        C. Dwork, A. Roth, "The Algorithmic Foundations of Differential Privacy", 2014, algorithm 1 and theorem 3.23
        (continuous noise, halves); M. Lyu, D. Su, N. Li, "Understanding the Sparse Vector Technique for Differential
        Privacy", VLDB 2017 (shares, monotone questions). Whole noise and ties: docs/proofs/sparse-vector.md.

    Example:
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> scan = AboveThreshold(Fraction(1), 1, threshold=1000, monotone=False)
        >>> scan.decide(np.array([3, 20, 5000, 7]), confidence=0.99, bits=SystemBits()).place
        2
    """

    epsilon: Fraction
    sensitivity_of_queries: int
    threshold: int
    monotone: bool
    share_of_threshold: Fraction | None = None

    def __post_init__(self) -> None:
        self.noise.check(self.threshold)

    @property
    def name(self) -> str:
        """What it is called."""
        return "AboveThreshold" + (" (monotone)" if self.monotone else "")

    @property
    def event(self) -> PureDP:
        """The price, fixed before the first question."""
        return PureDP(self.epsilon)

    @property
    def argument(self) -> str:
        """Why it is private."""
        how = "all in one direction" if self.monotone else "each in any direction"
        return (
            f"Neighbors change every value by at most {self.sensitivity_of_queries}, {how}: moving the noise of the "
            "threshold and that of the stop turns every outcome of one into the same outcome of the other."
        )

    @property
    def noise(self) -> ThresholdNoise:
        """The scales of both kinds of noise."""
        return threshold_noise(
            self.epsilon, self.sensitivity_of_queries, 1, monotone=self.monotone, share=self.share_of_threshold
        )

    def accuracy(self, queries: int, beta: float | Fraction) -> int:
        """The least α that is certain for so many questions with chance 1 - β; see `Stop`.

        Args:
            queries: most questions, >= 1.
            beta: in (0, 1).

        Example:
            >>> AboveThreshold(Fraction(1), 1, threshold=0, monotone=False).accuracy(1000, 0.05)
            36
        """
        return self.noise.accuracy(queries, beta)

    def decide(self, query_values: IntArray, *, confidence: float, bits: Bits) -> Stop:
        """The stop among questions that were all fixed beforehand.

        Noise is drawn for the whole list, so the time it takes does not tell where the scan stopped.

        Args:
            query_values: (k,) whole numbers, k >= 1 public; clamped to ±2⁶⁰.
            confidence: of what `Stop` says, in (0, 1).
            bits: source of chance.

        Raises:
            ParameterError: another shape or type. Remedy: give one whole number for each question.
        """
        values = checked_values(query_values)
        within = self.accuracy(len(values), 1 - each_confidence(confidence, 1))
        noise = self.noise
        place = first_at_least_zero(values - self.threshold, noise.of_threshold, noise.of_query, bits=bits)
        return Stop(place if place < len(values) else None, len(values), within, confidence)

    def start(self, *, bits: Bits) -> ThresholdSession:
        """A session for questions that come one by one. `event` must have been charged.

        Example:
            >>> from sfumato.noise.bits import SystemBits
            >>> session = AboveThreshold(Fraction(1), 1, threshold=500, monotone=False).start(bits=SystemBits())
            >>> session.ask(10), session.ask(10**6), session.is_open
            (False, True, False)
        """
        return ThresholdSession(self, bits=bits)


class ThresholdSession:
    """Questions asked one by one, each chosen after the answers before it; closed when its stops are used up.

    It holds secret noise, so it can be neither copied nor pickled: two copies would stop twice for one price. Asking is
    atomic among threads.

    Args:
        mechanism: whose price was charged.
        bits: source of chance.
    """

    __slots__ = ("_at_least", "_bits", "_left", "_lock", "_noise", "_threshold")

    def __init__(self, mechanism: AboveThreshold | SparseVector, *, bits: Bits) -> None:
        self._noise, self._threshold, self._bits, self._lock = mechanism.noise, mechanism.threshold, bits, Lock()
        self._left = getattr(mechanism, "answers", 1)
        self._at_least = self._fresh_threshold()

    @property
    def is_open(self) -> bool:
        """Whether another question may be asked."""
        return self._left > 0

    @property
    def stops_left(self) -> int:
        """How often it may still answer True."""
        return self._left

    def ask(self, value: int) -> bool:
        """Whether the noisy value reaches the noisy threshold.

        Args:
            value: the true answer of the next question, a whole number; clamped to ±2⁶⁰.

        Raises:
            ParameterError: no whole number. Remedy: measure in whole units.
            QueryError: the session is closed. Remedy: charge for a new one.
        """
        true = clamped(value)
        with self._lock:
            if not self._left:
                raise QueryError(
                    "This session has used up its stops; its price covers no further question.",
                    "charge for a new session.",
                )
            noise = int(discrete_laplace(1, self._noise.of_query, bits=self._bits)[0])
            above = true + noise >= self._at_least
            self._left -= above
            if above and self._noise.thresholds > 1:
                self._at_least = self._fresh_threshold()
        return above

    def _fresh_threshold(self) -> int:
        return self._threshold + int(discrete_laplace(1, self._noise.of_threshold, bits=self._bits)[0])

    def __repr__(self) -> str:
        return f"<ThresholdSession: {self._left} stops left>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A session holds secret noise and stops only as often as was paid: it cannot be copied.")

    def __copy__(self) -> NoReturn:
        self.__reduce__()

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__reduce__()
