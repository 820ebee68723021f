"""Noisy means in each group: two noisy parts of one whole."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import (
    Additive,
    checked_totals,
    each_confidence,
    in_units,
    interval_around,
    outward,
    quotient,
)
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import of_shares, of_total
from sfumato.numbers.check import LARGEST, whole
from sfumato.summary.bounded import Term
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Mean(Additive):
    """A noisy mean of a declared range column for each group.

    With R = size - 1 and p a row's place, the totals A = Σ p and B = Σ (R - p) are both >= 0, and every row adds R
    to them together. So (A, B) has L1 sensitivity R for one added row, and mean = low + (high - low) · A / (A + B).
    Noise of scale R/ε on each costs ε once: the count (A + B)/R is not paid for again. Against a noisy count with 2/5
    of ε and a noisy centered sum with the rest (the best proportion if the mean may be anywhere), the variance is 28 %
    less for a mean in the middle of the range, and 55 % less at its ends. With discrete Gaussian noise and added or
    removed rows there is no such gain: 28 % more in the middle, 7 % less at the ends.

    The number of rows is never taken from the table, not even where the number of persons is public: which
    of them meet a condition or have the value is private. Where a count is public by itself, see `MeanOfKnownCount`.

    Where both noisy totals come out at most 0, nothing is known: NaN.

    Args:
        column: the column.
        domain: its declared range.
        unit: persons, and the most they contribute.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.
        clamped: whether noisy totals below 0 become 0, so that the mean lies in the declared range (post-processing).

    Raises:
        ParameterError: a price of 0, or a range so fine that the noise would not fit 64 bits. Remedy: a coarser step.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> mean = Mean("age", Range(0, 120, 1), Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1)), groups=1)
        >>> out = mean.decide(np.array([[400_000], [-800_000]]), confidence=0.95, bits=SystemBits())  # 10 000 rows of 40
        >>> bool(39 < out.values[0] < 41)
        True
    """

    column: str
    domain: Range
    unit: Unit
    price: Price
    groups: int | None
    clamped: bool = True
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the two totals."""
        what = f"distances of {self.column!r} from its bounds (in steps)"
        return of_shares(self.unit, self.groups, self.domain.size - 1, 2, what=what)

    @property
    def terms(self) -> tuple[Term, ...]:
        """A and -B."""
        return (Term(((self.column, 0),)), Term(((self.column, self.domain.size - 1),)))

    def error(self, confidence: float, expected: int) -> Fraction | None:
        """What the error of a mean of so many rows does not exceed, with the confidence, whatever its value.

        With noise at most a on A and B, the error is at most a/(n - 2a/R) steps; None: no bound.

        Args:
            confidence: in (0, 1).
            expected: number of rows n, >= 1, a public guess.
        """
        reach = self.noise.law.half_width(each_confidence(confidence, 2))
        left = expected - Fraction(2 * reach, self.domain.size - 1)
        return self.domain.step * reach / left if left > 0 else None

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy means, with intervals of the means of the clamped values, where a group has rows.

        Args:
            totals: (2, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = float(self.noise.law.half_width(each_confidence(confidence, 2)))
        exact = checked_totals(totals, 2, self.groups) * np.array([[1], [-1]])
        noisy = self.noise.add(exact, bits=bits).astype(np.float64)
        shares = _share(*(np.maximum(noisy, 0.0) if self.clamped else noisy))
        least, most = np.maximum(noisy - reach, 0.0), np.maximum(noisy + reach, 0.0)
        low = np.nan_to_num(_share(least[0], most[1]), nan=0.0)
        high = np.nan_to_num(_share(most[0], least[1]), nan=1.0)
        return Estimate(self._value(shares), *outward(self._value(low), self._value(high)), confidence)

    def _value(self, share: FloatArray) -> FloatArray:
        return float(self.domain.low) + in_units(share, self.domain.high - self.domain.low)


@dataclass(frozen=True, slots=True)
class MeanOfKnownCount(Additive):
    """A noisy mean of a whole table whose number of rows is public; the whole price is spent on the sum.

    mean = middle + step · Σ (place - c) / rows, c the middle place. A row without a value counts as the middle: how
    many there are is private. So it is no mean of the values that are there, and `Session` answers with
    `MeanOfReplaced` instead. Exchanging a row moves the sum by at most size - 1 steps.

    Args:
        column: the column.
        domain: its declared range.
        unit: must be a row, with REPLACE.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        rows: the public number of rows, >= 1. All of them: no condition, no grouping.
        clamped: whether means outside the declared range become its ends (post-processing).

    Raises:
        ParameterError: another unit, a price of 0, or noise that would not fit 64 bits. Remedy: use `Mean`; a coarser
            step.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> mean = MeanOfKnownCount("age", Range(0, 120, 1), Unit.row(Neighbors.REPLACE), PureDP(Fraction(1)), rows=1000)
        >>> mean.sensitivity.l1, float(mean.error(0.95))
        (120, 0.359)
    """

    column: str
    domain: Range
    unit: Unit
    price: Price
    rows: int
    clamped: bool = True
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        """Refuse parameters that no noise makes private."""
        whole(self.rows, "rows", 1, LARGEST - 1)
        if self.unit.neighbors is not Neighbors.REPLACE or self.unit.person is not None:
            raise ParameterError(
                "The number of rows is public only where a row is a person and persons are replaced.",
                "use `Mean`, which pays for the count.",
            )

    @property
    def center(self) -> int:
        """The middle place."""
        return (self.domain.size - 1) // 2

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the sum."""
        top = self.domain.size - 1
        what = f"centered sum of {self.column!r} (in steps)"
        return of_total(self.unit, 1, -self.center, top - self.center, what=what)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The centered places."""
        return (Term(((self.column, self.center),)),)

    def error(self, confidence: float) -> Fraction:
        """What the noise of the mean does not exceed, with the confidence."""
        return self.domain.step * self.noise.law.half_width(confidence) / self.rows

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """A noisy mean, with an interval of the mean in which missing values count as the middle.

        Args:
            totals: (1, 1) int64.
            confidence: in (0, 1).
            bits: source of chance.
        """
        reach = self.noise.law.half_width(confidence)
        noisy = self.noise.add(checked_totals(totals, 1, 1)[0], bits=bits)
        found = interval_around(noisy, reach, self.domain.step / self.rows, confidence)
        middle, ends = float(self.domain.value(self.center)), (float(self.domain.low), float(self.domain.high))
        low, high = (np.clip(middle + part, *ends) for part in (found.low, found.high))
        value = np.clip(middle + found.values, *ends) if self.clamped else middle + found.values
        return Estimate(value, *outward(low, high), confidence)


def _share(first: FloatArray, second: FloatArray) -> FloatArray:
    """A part of two, as a share; NaN where the whole is not above 0."""
    return quotient(first, first + second)
