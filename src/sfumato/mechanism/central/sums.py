"""Noisy sums of clamped whole numbers in each group."""

from __future__ import annotations

import math
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, interval_around, saturate
from sfumato.mechanism.central.sensitivity import of_total
from sfumato.summary.bounded import Term

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

_MOST_CENTER = 2**53


@dataclass(frozen=True, slots=True)
class Sum(Additive):
    """A noisy sum of a declared range column for each group.

    With u the greatest number of which low and step are whole multiples, every value is a whole number of u between
    low/u and high/u. The grid place c nearest to the value 0 is public, so

        sum = (step/u) Σ (place - c) + ((low + c·step)/u) · count        in units of u,

    a whole number. If low is a multiple of step the count drops out. Noise is added once, to the whole number.

    A missing value adds nothing.

    Args:
        column: the column.
        domain: its declared range.
        unit: persons, and the most they contribute.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.

    Raises:
        ParameterError: a price of 0, or a range so fine that the noise would not fit 64 bits. Remedy: a coarser step.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> hours = Sum("hours", Range("-1", "10", "0.5"), Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1)), groups=1)
        >>> hours.sensitivity.l1, hours.unit_value, hours.terms
        (20, Fraction(1, 2), (Term(factors=(('hours', 2),)),))
    """

    column: str
    domain: Range
    unit: Unit
    price: Price
    groups: int | None
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        """Refuse parameters that no noise makes private."""
        if abs(self.center) > _MOST_CENTER:
            raise ParameterError(
                "The range of {column!r} lies too far from 0 for its step.",
                "declare a coarser step.",
                column=self.column,
            )

    @property
    def unit_value(self) -> Fraction:
        """The value that the whole numbers count: u."""
        low, step = self.domain.low, self.domain.step
        top = math.gcd(low.numerator * step.denominator, step.numerator * low.denominator)
        return Fraction(top, low.denominator * step.denominator)

    @property
    def center(self) -> int:
        """The place whose value is nearest to 0, also where it lies outside the range."""
        return round(-self.domain.low / self.domain.step)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the sums, in units of u."""
        low = min(int(self.domain.low / self.unit_value), 0)
        high = max(int(self.domain.high / self.unit_value), 0)
        return of_total(
            self.unit, self.groups, low, high, what=f"sum of {self.column!r} (in units of {self.unit_value})"
        )

    @property
    def terms(self) -> tuple[Term, ...]:
        """The centered places, and the rows where the center is not 0 itself; over rows that have the column."""
        places = Term(((self.column, self.center),))
        return (places,) if self._rest == 0 else (places, Term())

    def error(self, confidence: float) -> Fraction:
        """What the noise of one sum does not exceed, with the confidence."""
        return self.noise.law.half_width(confidence) * self.unit_value

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy sums, with intervals of the sums of the clamped values.

        Args:
            totals: (1 or 2, groups) int64; where the rows are read too, only those that have the column.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = self.noise.law.half_width(confidence)
        noisy = self.noise.add(self._combined(checked_totals(totals, len(self.terms), self.groups)), bits=bits)
        return interval_around(noisy, reach, self.unit_value, confidence)

    @property
    def _rest(self) -> int:
        """The value at the center, in units of u."""
        return int((self.domain.low + self.center * self.domain.step) / self.unit_value)

    def _combined(self, totals: IntArray) -> IntArray:
        """(groups,) the sums in units of u, clamped to ±2⁶²."""
        if self._rest == 0:
            return np.asarray(totals[0], np.int64)
        factor, rest = int(self.domain.step / self.unit_value), self._rest
        rows = zip(totals[0].tolist(), totals[1].tolist(), strict=True)
        return np.array([saturate(factor * places + rest * count) for places, count in rows], np.int64)
