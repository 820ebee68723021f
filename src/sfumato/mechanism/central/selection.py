"""Which of several public candidates has the highest score: three ways to choose, one at a time or the best k."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import Composed, PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import SATURATION, each_confidence
from sfumato.noise.discrete_laplace import LARGEST_SCALE, geometric
from sfumato.noise.exponential_mechanism import exponential_mechanism, permute_and_flip
from sfumato.numbers.check import whole
from sfumato.numbers.enclosure import log_between, up

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_CANDIDATES = 2**32
_LEAST_RATE = Fraction(1, LARGEST_SCALE)
_MOST_RATE = Fraction(2**30)


class Chooser(Enum):
    """How one candidate is chosen."""

    EXPONENTIAL = "exponential mechanism"
    """With probability proportional to e^(rate · score)."""
    PERMUTE_AND_FLIP = "permute-and-flip"
    """Its expected score is never below that of the exponential mechanism."""
    NOISY_MAX = "report noisy max"
    """The highest score after one-sided geometric noise; the first of equal ones."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The candidates with the highest scores, nearly.

    With rate = ε/(2Δ), or ε/Δ where scores are monotone (one person moves all of them in one direction), each way of
    choosing is ε-differentially private. The best k are chosen one after the other, each with ε/k, without those that
    were chosen before.

    Only pure ε is stated: a sharper Rényi cost holds for some of these laws and not for others.

    Args:
        price: epsilon > 0, of all k choices.
        sensitivity_of_scores: Δ, the most by which one person changes any score; a whole number >= 1.
        monotone: whether one person moves no two scores in opposite directions. True of counts when persons are
            added or removed, never when they are replaced.
        candidates: number of public candidates, >= 1.
        chooser: how one is chosen.
        k: how many are chosen, 1 <= k <= candidates.

    Raises:
        ParameterError: a number outside its range, or a price that is not PureDP. Remedy: in the message.

    Source:
        F. McSherry, K. Talwar, FOCS 2007; R. McKenna, D. Sheldon, NeurIPS 2020; C. Dwork, A. Roth, "The Algorithmic
        Foundations of Differential Privacy", 2014, section 3.3; ties of whole noise: docs/proofs/central.md.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> best = Selection(PureDP(Fraction(700)), 1, True, candidates=4, chooser=Chooser.NOISY_MAX)
        >>> best.decide(np.array([0, 1, 2, 100]), bits=SystemBits()).tolist()
        [3]
    """

    price: PureDP
    sensitivity_of_scores: int
    monotone: bool
    candidates: int
    chooser: Chooser
    k: int = 1

    def __post_init__(self) -> None:
        whole(self.sensitivity_of_scores, "sensitivity", 1, SATURATION)
        whole(self.candidates, "candidates", 1, MOST_CANDIDATES)
        whole(self.k, "k", 1, self.candidates)
        if not isinstance(self.price, PureDP) or not _LEAST_RATE <= self.rate <= _MOST_RATE:
            raise ParameterError(
                "A selection needs PureDP with epsilon / (k · sensitivity) between 2^-52 and 2^30.",
                "give such an epsilon, or measure scores in a coarser unit.",
            )

    @property
    def rate(self) -> Fraction:
        """What one unit of score is worth in the exponent."""
        return self.price.epsilon / (self.k * self.sensitivity_of_scores * (1 if self.monotone else 2))

    @property
    def name(self) -> str:
        """What it is called."""
        return self.chooser.value + (f", {self.k} times" if self.k > 1 else "")

    @property
    def event(self) -> Event:
        """The price: of one choice, or of k choices that add up."""
        if self.k == 1:
            return self.price
        return Composed((PureDP(self.price.epsilon / self.k),) * self.k)

    @property
    def argument(self) -> str:
        """Why it is private."""
        how = "all in one direction" if self.monotone else "each in any direction"
        return f"One person changes every score by at most {self.sensitivity_of_scores}, {how}."

    def error_bound(self, confidence: float) -> Fraction:
        """By how much the (first) chosen score falls short of the highest at most, with the confidence; rounded up.

        ln(d/(1 - confidence))/rate, d candidates. Proof: a candidate short by t or more is chosen with probability
        at most e^(-rate t), and there are fewer than d of them.

        Example:
            >>> float(Selection(PureDP(Fraction(1)), 1, True, 10, Chooser.EXPONENTIAL).error_bound(0.9))
            4.6051701859881
        """
        missed = 1 - each_confidence(confidence, 1)
        return up(log_between(self.candidates / missed)[1] / self.rate)

    def expected_error_bound(self) -> Fraction:
        """By how much the (first) chosen score falls short of the highest on average at most; rounded up.

        ln(d)/rate for the exponential mechanism, hence for permute-and-flip. Proof: of all laws, this one has the
        greatest rate · (mean score) + entropy; the law that always takes the best has no entropy, and no entropy is
        above ln(d). For noisy max: the sum over t >= 1 of min(1, d e^(-rate t)) is at most that plus 1/(1 - e^(-rate)).
        """
        common = log_between(Fraction(self.candidates))[1] / self.rate
        return up(common + (1 + 1 / self.rate if self.chooser is Chooser.NOISY_MAX else 0))

    def decide(self, scores: IntArray, *, bits: Bits) -> IntArray:
        """The places of the chosen candidates, in the order in which they were chosen.

        Args:
            scores: (candidates,) whole numbers, clamped to ±2⁶¹ (which moves no two of them further apart).
            bits: source of chance.

        Returns:
            (k,) int64, all different.

        Raises:
            ParameterError: another number of scores. Remedy: give a score for each public candidate.
        """
        given = np.asarray(scores)
        if given.shape != (self.candidates,) or given.dtype.kind != "i":
            raise ParameterError(
                "A selection needs {candidates} whole scores; got shape {shape}.",
                "give one for each candidate.",
                candidates=self.candidates,
                shape=given.shape,
            )
        left, chosen = np.arange(self.candidates), np.empty(self.k, np.int64)
        within = np.clip(given.astype(np.int64), -(SATURATION // 2), SATURATION // 2)
        for i in range(self.k):
            at = _choose(self.chooser, within[left], self.rate, bits)
            chosen[i] = left[at]
            left = np.delete(left, at)
        return chosen


def _choose(chooser: Chooser, scores: IntArray, rate: Fraction, bits: Bits) -> int:
    """The place of one candidate."""
    if chooser is Chooser.EXPONENTIAL:
        return exponential_mechanism(scores, rate, bits=bits)
    if chooser is Chooser.PERMUTE_AND_FLIP:
        return permute_and_flip(scores, rate, bits=bits)
    return int(np.argmax(scores + geometric(len(scores), 1 / rate, bits=bits)))
