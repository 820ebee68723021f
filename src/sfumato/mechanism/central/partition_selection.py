"""Groups that may be named when the keys come from the table: those with enough persons, after noise."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import ApproxDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import LaplaceLaw, each_confidence, interval_around
from sfumato.mechanism.central.sensitivity import checked_neighbors
from sfumato.mechanism.central.tail import laplace_tail
from sfumato.noise.discrete_laplace import checked_scale
from sfumato.numbers.enclosure import up

if TYPE_CHECKING:
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.noise.bits import Bits
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

_LEAST = Fraction(1, 10**60)
"""No δ is written with more digits than somebody may offer."""


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """Groups that may be named.

    Args:
        places: (m,) int64 of the groups that are kept, among those that were read.
        persons: noisy numbers of persons in them with intervals; None where the method makes none.
    """

    places: IntArray
    persons: Estimate | None


@dataclass(frozen=True, slots=True)
class ThresholdSelection:
    """Groups whose noisy number of persons reaches a threshold, with that number.

    A person counts once in each of at most k = `keys` groups (2k when persons are replaced): discrete Laplace noise of
    scale k/ε. A group that exists for one person only is named with probability

        p = P(1 + noise >= threshold) = q^(threshold - 1)/(1 + q),   q = e^(-1/scale),

    which holds the mass at the threshold itself, and of k such groups any with 1 - (1 - p)^k: that is δ. The threshold
    is the least one whose δ does not exceed what is offered.

    Args:
        unit: persons, and in how many groups they count.
        price: epsilon > 0 and delta in (0, 1).

    Raises:
        ParameterError: a price without δ (no pure ε can name keys of the table), or 0. Remedy: give ApproxDP.

    Source:
        A. Korolova, K. Kenthapadi, N. Mishra, A. Ntoulas, "Releasing Search Queries and Clicks Privately", WWW 2009;
        R. Wilson et al., PoPETs 2020(2), section 3.3; the exact δ: docs/proofs/central.md.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> offered = ApproxDP(Fraction(1), Fraction(1, 10**6))
        >>> selection = ThresholdSelection(Unit.row(Neighbors.ADD_REMOVE), offered)
        >>> selection.threshold, round(float(selection.event.delta), 9)
        (15, 6.08e-07)
        >>> selection.decide(np.array([1, 0, 1000]), confidence=0.95, bits=SystemBits()).places.tolist()
        [2]
    """

    unit: Unit
    price: ApproxDP
    threshold: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        checked_selection_price(self.price)
        object.__setattr__(self, "threshold", least_threshold(self.scale, self._groups, self.price.delta))

    @property
    def scale(self) -> Fraction:
        """Of the discrete Laplace noise."""
        return checked_scale(self._groups / self.price.epsilon)

    @property
    def name(self) -> str:
        """What it is called."""
        return "thresholded noisy counts of persons"

    @property
    def event(self) -> ApproxDP:
        """The price: ε as offered, and the exact δ, rounded up, to 10⁻⁶⁰ where it is less and that was offered."""
        delta = delta_at_threshold(self.scale, self.threshold, self._groups)
        return ApproxDP(self.price.epsilon, max(delta, min(self.price.delta, _LEAST)))

    @property
    def argument(self) -> str:
        """Why the noise and the threshold suffice."""
        return (
            f"One person changes the number of persons of at most {self._groups} group(s) by 1 each, so L1 sensitivity "
            f"{self._groups}; a group that exists for one person only is named with probability below delta."
        )

    def decide(self, persons: IntArray, *, confidence: float, bits: Bits) -> Selected:
        """The groups that are kept, with noisy numbers of persons.

        A group's interval is proven before it is known whether the group is kept; among those that are kept, small
        groups are there by large noise.

        Args:
            persons: (n,) int64 persons in each group; each person in at most `keys` of them.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        each_confidence(confidence, 1)
        law = LaplaceLaw(self.scale)
        noisy = np.asarray(persons, np.int64) + law.draw(len(persons), bits=bits)
        kept = np.flatnonzero((noisy >= self.threshold) & (np.asarray(persons) > 0))
        return Selected(kept, interval_around(noisy[kept], law.half_width(confidence), Fraction(1), confidence))

    @property
    def _groups(self) -> int:
        """Most groups that one person changes."""
        return self.unit.keys * checked_neighbors(self.unit.neighbors).sides


def delta_at_threshold(scale: Fraction, threshold: int, groups: int) -> Fraction:
    """The chance that any of so many groups of one person each is named, rounded up: 1 - (1 - p)^groups.

    Args:
        scale: of the discrete Laplace noise, > 0.
        threshold: noisy counts from here on are named.
        groups: >= 1.

    Example:
        >>> round(float(delta_at_threshold(Fraction(1), 5, 1)), 6)
        0.01339
    """
    p = min(laplace_tail(scale, threshold - 1), Fraction(1))
    return min(up(any_of(p, groups)), Fraction(1))


def any_of(p: Fraction, groups: int) -> Fraction:
    """At least 1 - (1 - p)^groups, and at most groups · p.

    Bonferroni's inequality of the third order, so that no power of a long fraction is taken.

    Example:
        >>> any_of(Fraction(1, 10), 2)
        Fraction(19, 100)
    """
    pairs, triples = groups * (groups - 1) // 2, groups * (groups - 1) * (groups - 2) // 6
    return min(groups * p, groups * p - pairs * p**2 + triples * p**3)


def least_threshold(scale: Fraction, groups: int, delta: Fraction) -> int:
    """The least threshold whose δ is at most delta.

    Example:
        >>> least_threshold(Fraction(1), 1, Fraction(1, 100))
        6
    """
    low, high = 1, 2
    while delta_at_threshold(scale, high, groups) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if delta_at_threshold(scale, middle, groups) <= delta else (middle, high)
    return high


def checked_selection_price(price: ApproxDP) -> None:
    """Refuse a price without a positive ε and δ.

    Raises:
        ParameterError: as said. Remedy: give ApproxDP with both.
    """
    if not isinstance(price, ApproxDP) or price.epsilon <= 0 or price.delta <= 0:
        raise ParameterError(
            "Keys that are read from the table need an epsilon above 0 and a delta above 0.",
            "give ApproxDP(epsilon, delta), or declare the keys.",
        )
