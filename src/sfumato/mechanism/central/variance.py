"""Noisy variances in each group: three noisy parts of one whole."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, each_confidence, in_units, outward, quotient
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import of_shares
from sfumato.summary.bounded import Term

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray, IntArray

ROUNDING = 2.0**-48
"""More than a difference of two products of shares can err in floats."""


@dataclass(frozen=True, slots=True)
class Variance(Additive):
    """A noisy variance (mean squared distance from the mean, divisor n) of a declared range column for each group.

    With R = size - 1 and p a row's place, every row adds R² to the totals U = Σ (R - p)², V = Σ 2p(R - p), W = Σ p²
    together, none of which is below 0. So (U, V, W) has L1 sensitivity R² for one added row, and

        variance = (high - low)² · (U W - V²/4) / (U + V + W)².

    One noise of scale R²/ε on each pays for the count, the mean and the variance.

    Where the noisy whole comes out at most 0, nothing is known: NaN. A noisy variance below 0 becomes 0, above a
    quarter of the squared range that quarter, if `clamped`; so a standard deviation is never the root of a negative.

    Args:
        column: the column.
        domain: its declared range.
        unit: persons, and the most they contribute.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.
        clamped: whether noisy totals below 0 become 0 and the variance is cut to what is possible (post-processing).

    Raises:
        ParameterError: a price of 0, or a range so fine that the noise would not fit 64 bits. Remedy: a coarser step.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> spread = Variance("x", Range(-1, 10, 1), Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1)), groups=1)
        >>> spread.sensitivity.l1, spread.noise.law.scale
        (121, Fraction(121, 1))
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
        """How far one person moves the three totals."""
        what = f"products of the distances of {self.column!r} from its bounds (in squared steps)"
        return of_shares(self.unit, self.groups, (self.domain.size - 1) ** 2, 3, what=what)

    @property
    def terms(self) -> tuple[Term, ...]:
        """U, -V/2 and W."""
        bottom, top = (self.column, 0), (self.column, self.domain.size - 1)
        return (Term((top, top)), Term((bottom, top)), Term((bottom, bottom)))

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy variances, with intervals of the variances of the clamped values, where a group has rows.

        Args:
            totals: (3, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = float(self.noise.law.half_width(each_confidence(confidence, 3)))
        exact = np.clip(checked_totals(totals, 3, self.groups), -(2**61), 2**61) * np.array([[1], [-2], [1]])
        noisy = self.noise.add(exact, bits=bits).astype(np.float64)
        least, most = np.maximum(noisy - reach, 0.0), np.maximum(noisy + reach, 0.0)
        shares = _spread(*(np.maximum(noisy, 0.0) if self.clamped else noisy))
        if self.clamped:
            shares = np.clip(shares, 0.0, 0.25)
        squared = (self.domain.high - self.domain.low) ** 2
        low, high = (in_units(part, squared) for part in spread_between(least, most))
        return Estimate(in_units(shares, squared), *outward(low, high), confidence)


def deviation_of(variance: Estimate) -> Estimate:
    """Standard deviations from variances (post-processing); the root of a variance below 0 is 0.

    Example:
        >>> parts = np.array([-4.0]), np.array([-9.0]), np.array([9.0])
        >>> deviation_of(Estimate(*parts, confidence=0.95)).high.round(6).tolist()
        [3.0]
    """
    value, low, high = (np.sqrt(np.maximum(x, 0.0)) for x in (variance.values, variance.low, variance.high))
    return Estimate(value, *outward(low, high), variance.confidence)


def spread_between(least: FloatArray, most: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least and greatest f = (U W - V²/4)/(U + V + W)² with U, V, W between bounds >= 0, cut to [0, 1/4].

    f falls in V wherever it is >= 0. In U it rises up to U = W + V + V²/2W and falls after it, and the same in W. So
    with the greatest V the least f is at a corner. With the least V a greatest f lies on an edge of the rectangle
    of U and W: inside it both slopes are 0 at once only for V = 0, U = W, a ridge that reaches an edge.

    Args:
        least: (3, ...) lower bounds of U, V, W.
        most: (3, ...) upper bounds.

    Returns:
        Lower and upper bound of f; 0 and 1/4 where nothing else is known.

    Example:
        >>> box = np.array([[4.0], [2.0], [4.0]])
        >>> [part.round(9).tolist() for part in spread_between(box, box)]
        [[0.15], [0.15]]
    """
    ends = (least, most)
    corners = [_spread(u[0], most[1], w[2]) for u in ends for w in ends]
    edges = []
    for end in ends:
        edges.append(_spread(_best(end[2], least, most, 0), least[1], end[2]))
        edges.append(_spread(end[0], least[1], _best(end[0], least, most, 2)))
    low = np.nan_to_num(np.minimum.reduce(corners), nan=0.0)
    high = np.nan_to_num(np.maximum.reduce(edges), nan=0.25)
    return np.clip(low - ROUNDING, 0.0, 0.25), np.clip(high + ROUNDING, 0.0, 0.25)


def _best(other: FloatArray, least: FloatArray, most: FloatArray, part: int) -> FloatArray:
    """The U (or W) within its bounds that makes f greatest, given the other and the least V."""
    bend = np.where(least[1] == 0, 0.0, quotient(least[1] ** 2, 2 * other, np.inf))
    return np.asarray(np.clip(other + least[1] + bend, least[part], most[part]), np.float64)


def _spread(u: FloatArray, v: FloatArray, w: FloatArray) -> FloatArray:
    """(U W - V²/4)/(U + V + W)²; NaN where the whole is not above 0."""
    whole = u + v + w
    return quotient(u * w - v * v / 4, np.sign(whole) * whole**2)
