"""Noisy totals of what persons contribute to declared groups, each person bounded by a rule of its own.

The rule looks at one person's contributions and at chance that is drawn for that person alone: who else is in the table
changes nothing of what is kept of a person, so one person moves the totals by what is kept of that person, at most.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, interval_around
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import of_shares, of_total
from sfumato.numbers.check import whole
from sfumato.summary.contributions import Contributions
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.summary.bounded import Term
    from sfumato.types import IntArray


class Kept(Enum):
    """Which contributions of a person who has too many are kept."""

    SAMPLED = "sampled"
    """Each choice equally likely, drawn anew with every answer."""
    FIRST = "first"
    """The first ones, in the order of time."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of a person counts.

    Args:
        neighbors: which tables are neighbors: one person is added or removed, or replaced.
        most: most contributions of a person that are kept, >= 1.
        once: whether a person counts at most once in a group; then `most` is a number of groups.
        amount: the greatest amount of one contribution, >= 1; a greater one is cut to it.
        kept: which ones are kept.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> visits = Contributions(np.zeros(3, int), np.array([0, 0, 1]), np.array([1, 1, 1]), groups=4)
        >>> first = Limit(Neighbors.ADD_REMOVE, most=1, once=False, kept=Kept.FIRST)
        >>> first.bounded(visits, bits=SystemBits()).totals().tolist()
        [1, 0, 0, 0]
    """

    neighbors: Neighbors
    most: int
    once: bool
    amount: int = 1
    kept: Kept = Kept.SAMPLED

    def __post_init__(self) -> None:
        whole(self.most, "most", 1, 2**31 - 1)
        whole(self.amount, "amount", 1, 2**31 - 1)

    def bounded(self, given: Contributions, *, bits: Bits) -> Contributions:
        """What is kept of each person, with amounts cut.

        Args:
            given: contributions in the order of time within each person.
            bits: chance, where contributions are sampled.
        """
        single = given.once() if self.once else given
        n = len(single)
        drawn = np.arange(n) if self.kept is Kept.FIRST else bits.words(n)
        order = np.lexsort((drawn, single.person))
        person = single.person[order]
        starts = np.flatnonzero(np.diff(person, prepend=person[:1] - 1))
        rank = np.arange(n) - np.repeat(starts, np.diff(np.append(starts, n)))
        found = single.at(np.sort(order[rank < self.most]))
        return Contributions(found.person, found.group, np.minimum(found.amount, self.amount), found.groups)

    def sensitivity(self, groups: int | None) -> Sensitivity:
        """How far one person moves the totals; proof: docs/proofs/mobility.md.

        Once in a group: at most `most` totals, each by at most `amount`. Else: by most · amount in all, which may fall
        on one total.

        Args:
            groups: number of declared groups; None: unknown.
        """
        if self.once:
            unit = Unit(self.neighbors, "person", 1, self.most)
            return of_total(unit, groups, 0, self.amount, what="total")
        if groups == 1:
            return of_total(Unit(self.neighbors, "person", self.most, 1), 1, 0, self.amount, what="total")
        parts = self.neighbors.sides * self.most if groups is None else min(self.neighbors.sides * self.most, groups)
        return of_shares(Unit(self.neighbors, "person", 1, 1), 1, self.most * self.amount, parts, what="totals")

    @property
    def sentence(self) -> str:
        """The rule in words, without a full stop."""
        what = "groups" if self.once else "contributions"
        which = "drawn at random" if self.kept is Kept.SAMPLED else "the first ones"
        cut = f", each cut to {self.amount}" if self.amount > 1 else ""
        return f"at most {self.most} {what} of a person count{cut} ({which})"


@dataclass(frozen=True, slots=True)
class PersonTotals(Additive):
    """A noisy total for each declared group, of what is kept of each person.

    Args:
        limit: how much of a person counts.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.

    Raises:
        ParameterError: a price of 0, or noise that would not fit 64 bits. Remedy: in the message.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.noise.bits import SystemBits
        >>> flows = PersonTotals(Limit(Neighbors.ADD_REMOVE, most=5, once=False), PureDP(Fraction(1)), groups=100)
        >>> flows.sensitivity.l1, flows.sensitivity.squared_l2, flows.error(0.95)
        (5, 25, 15)
    """

    limit: Limit
    price: Price
    groups: int | None
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the totals."""
        return self.limit.sensitivity(self.groups)

    @property
    def terms(self) -> tuple[Term, ...]:
        """None: totals are made of contributions, not by an engine."""
        return ()

    def error(self, confidence: float) -> int:
        """What the noise of one total does not exceed, with the confidence."""
        return self.noise.law.half_width(confidence)

    def totals(self, given: Contributions, *, bits: Bits) -> IntArray:
        """(1, groups) int64: totals of what is kept, without noise."""
        return self.limit.bounded(given, bits=bits).totals().reshape(1, -1)

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy totals, with intervals of the totals of what is kept.

        Args:
            totals: (1, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = self.error(confidence)
        noisy = self.noise.add(checked_totals(totals, 1, self.groups)[0], bits=bits)
        return whole_ends(interval_around(noisy, reach, Fraction(1), confidence))


def whole_ends(found: Estimate) -> Estimate:
    """An interval of a whole number with whole ends, which hold the same whole numbers.

    Example:
        >>> one = np.array([5.0])
        >>> whole_ends(Estimate(one, one - 2.0000001, one + 2.0000001, 0.9)).low.tolist()
        [3.0]
    """
    return Estimate(found.values, np.ceil(found.low), np.floor(found.high), found.confidence)
