"""Noisy counts of rows or persons in each group: the noisy histogram."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, interval_around
from sfumato.mechanism.central.sensitivity import of_total
from sfumato.summary.bounded import Term
from sfumato.table.unit import Unit

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Count(Additive):
    """A noisy count for each group.

    Every group gets noise of its own, an empty one too; counts may come out negative (see
    `post_process.nonnegative`). Rows that no declared group holds count nowhere.

    Args:
        unit: persons, and the most they contribute.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.
        distinct: whether each person counts once in a group; the ask must say the same.

    Raises:
        ParameterError: a price of 0, or noise that would not fit 64 bits. Remedy: in the message.

    Example:
        >>> import numpy as np
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> count = Count(Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1)), groups=2)
        >>> count.decide(np.array([[1000, 0]]), confidence=0.95, bits=SystemBits()).values.shape, count.error(0.95)
        ((2,), 3)
    """

    unit: Unit
    price: Price
    groups: int | None
    distinct: bool = False
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the counts."""
        unit = self.unit
        once = Unit(unit.neighbors, unit.person, 1, unit.keys) if self.distinct else unit
        return of_total(once, self.groups, 0, 1, what="count of persons" if self.distinct else "count")

    @property
    def terms(self) -> tuple[Term, ...]:
        """The rows themselves."""
        return (Term(),)

    def error(self, confidence: float) -> int:
        """What the noise of one count does not exceed, with the confidence."""
        return self.noise.law.half_width(confidence)

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy counts, with intervals of the bounded counts.

        Args:
            totals: (1, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = self.error(confidence)
        noisy = self.noise.add(checked_totals(totals, 1, self.groups)[0], bits=bits)
        return interval_around(noisy, reach, Fraction(1), confidence)
