"""Noisy means in a whole group, where persons are replaced: a noisy centered sum and a noisy count."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, each_confidence, in_units, outward, quotient
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.central.variance import ROUNDING
from sfumato.summary.bounded import Term
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.noise.bits import Bits
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class MeanOfReplaced(Additive):
    """A noisy mean of the present values of a declared range column, in one group, where persons are replaced.

    With R = size - 1, p a row's place, c the middle, the totals are D = Σ (2p - R), twice the centered sum in steps, and
    T = Σ R, the number of rows that have a value. |D| <= T, and mean = low + (high - low) · (1 + D/T)/2. How many rows
    have a value is private, also where the number of rows is public, so T gets noise too.

    Exchanging a value moves D by at most 2R and T not at all; where one of the two rows has no value, each moves by at
    most R. So (D, T) have L1 sensitivity 2R, and (3D, 5T) L2² sensitivity max(36, 34) R². Against the two parts of
    `Mean`, whose L1 sensitivity is 2R here too, the variance is a half for pure prices, and 0.68 of
    it (at the ends of the range) to all of it (in the middle) for others.

    Where the noisy T comes out at most 0, nothing is known: NaN.

    Args:
        column: the column.
        domain: its declared range.
        unit: persons, with REPLACE, and the most rows of one.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        clamped: whether means outside the declared range become its ends (post-processing).

    Raises:
        ParameterError: another unit, a price of 0, or noise that would not fit 64 bits. Remedy: use `Mean`; a coarser
            step.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Unit
        >>> unit = Unit.row(Neighbors.REPLACE)
        >>> mean = MeanOfReplaced("age", Range(0, 120, 1), unit, PureDP(Fraction(1)))
        >>> out = mean.decide(np.array([[400_000], [-800_000]]), confidence=0.95, bits=SystemBits())  # 10 000 rows of 40
        >>> mean.sensitivity.l1, bool(39 < out.values[0] < 41)
        (240, True)
    """

    column: str
    domain: Range
    unit: Unit
    price: Price
    clamped: bool = True
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        """Refuse parameters that no noise makes private."""
        if self.unit.neighbors is not Neighbors.REPLACE:
            raise ParameterError(
                "Rows with a value are counted together with their sum only where persons are replaced.", "use `Mean`."
            )

    @property
    def weights(self) -> tuple[int, int]:
        """How often D and T are counted before noise is added: the proportion with the least noise of the mean."""
        return (1, 1) if isinstance(self.price, PureDP) else (3, 5)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the two weighted totals.

        The distances from both bounds, A and B, are >= 0 and add up to at most M = rows · R for a person, so those of
        two persons differ by a point of the hexagon with corners ±(M, 0), ±(0, M) and ±(M, -M); and D = A - B, T = A + B.
        A norm is largest at a corner.
        """
        most, (u, v) = self.unit.rows * (self.domain.size - 1), self.weights
        l1, squared = max(2 * u, u + v) * most, max(4 * u**2, u**2 + v**2) * most**2
        text = (
            f"A row adds its distance from the middle of {self.column!r} (in half steps) to one total and the count of "
        )
        text += (
            f"its value (in as many) to another, weighted {u} to {v}. Replacing a person moves both by at most {l1} in "
        )
        return Sensitivity(l1, squared, 2, f"{text}all: L1 sensitivity {l1}.")

    @property
    def terms(self) -> tuple[Term, ...]:
        """A and -B, the distances from both bounds."""
        return (Term(((self.column, 0),)), Term(((self.column, self.domain.size - 1),)))

    def error(self, confidence: float, expected: int) -> Fraction | None:
        """What the error of a mean of so many present values does not exceed, with the confidence, whatever its value.

        With noises d of D and t of T, |d| + |t| <= y, the error is at most y/(Rn - y) half ranges; None: no bound.

        Args:
            confidence: in (0, 1).
            expected: number of rows n with a value, >= 1, a public guess.
        """
        reach, top = Fraction(self.noise.law.half_width_of_two(confidence), min(self.weights)), self.domain.size - 1
        left = top * expected - reach
        return self.domain.step * top * reach / (2 * left) if left > 0 else None

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """A noisy mean, with an interval of the mean of the clamped values that are present, if any is.

        Args:
            totals: (2, 1) int64.
            confidence: in (0, 1).
            bits: source of chance.
        """
        reach, (u, v) = float(self.noise.law.half_width(each_confidence(confidence, 2))), self.weights
        first, second = np.clip(checked_totals(totals, 2, 1), -(2**62 // (2 * v)), 2**62 // (2 * v))
        exact = np.stack([u * (first + second), v * (first - second)])
        summed, counted = self.noise.add(exact, bits=bits) / np.array([[u], [v]])
        ratio = quotient(summed, counted)
        least, most = np.maximum(counted - reach / v, 0.0), np.maximum(counted + reach / v, 0.0)
        low, high = summed - reach / u, summed + reach / u
        low = quotient(low, np.where(low < 0, least, most), -1.0) - ROUNDING
        high = quotient(high, np.where(high > 0, least, most), 1.0) + ROUNDING
        start, half = float(self.domain.low), (self.domain.high - self.domain.low) / 2
        value = np.clip(ratio, -1.0, 1.0) if self.clamped else ratio
        ends = (start + in_units(1 + np.clip(part, -1.0, 1.0), half) for part in (low, high))
        return Estimate(start + in_units(1 + value, half), *outward(*ends), confidence)


def mean_for(column: str, domain: Range, unit: Unit, price: Price, groups: int | None) -> Mean | MeanOfReplaced:
    """The mean with less noise: `MeanOfReplaced` for one group of replaced persons, else `Mean`.

    With several groups a person can leave one for another, where D and T move by 2R in each: `Mean` is better there.

    Args:
        column: the column.
        domain: its declared range.
        unit: persons, and the most they contribute.
        price: what is offered.
        groups: number of declared groups; None: unknown.

    Example:
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Unit
        >>> unit, age, price = Unit.row(Neighbors.REPLACE), Range(0, 120, 1), PureDP(Fraction(1))
        >>> [type(mean_for("age", age, unit, price, groups)).__name__ for groups in (1, 2)]
        ['MeanOfReplaced', 'Mean']
    """
    if unit.neighbors is Neighbors.REPLACE and groups == 1:
        return MeanOfReplaced(column, domain, unit, price)
    return Mean(column, domain, unit, price, groups)
