"""Noisy covariance matrices, one small noisy table for each pair of columns."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.calibration import shared
from sfumato.account.event import ApproxDP, Composed, checked_price
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import Additive, checked_totals, each_confidence, in_units, outward, quotient
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import of_shares
from sfumato.mechanism.central.variance import ROUNDING, Variance
from sfumato.numbers.check import LARGEST, whole
from sfumato.numbers.exact import exact
from sfumato.summary.bounded import Term

if TYPE_CHECKING:
    from sfumato.account.event import Event, Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PairCovariance(Additive):
    """A noisy covariance (divisor n) of two declared range columns for each group.

    With p and q the places and R, S the greatest ones, every row adds R·S to the totals U = Σ (R - p)(S - q),
    V = Σ p(S - q), W = Σ (R - p)q, X = Σ pq together, none of which is below 0. Their L1 sensitivity is R·S, and

        covariance = range · range · (U X - V W) / (U + V + W + X)².

    Args:
        columns: two different columns.
        domains: their declared ranges.
        unit: persons, and the most they contribute.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        groups: number of declared groups; None: unknown when the price is fixed.
        clamped: whether noisy totals below 0 become 0 and the covariance is cut to what is possible.

    Raises:
        ParameterError: as `Variance`. Remedy: a coarser step.
    """

    columns: tuple[str, str]
    domains: tuple[Range, Range]
    unit: Unit
    price: Price
    groups: int | None
    clamped: bool = True
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the four totals."""
        tops = self._tops
        what = f"products of the distances of {self.columns[0]!r} and {self.columns[1]!r} from their bounds (in steps)"
        return of_shares(self.unit, self.groups, tops[0] * tops[1], 4, what=what)

    @property
    def terms(self) -> tuple[Term, ...]:
        """U, -V, -W and X."""
        (p, q), (top_p, top_q) = self.columns, self._tops
        return (
            Term(((p, top_p), (q, top_q))),
            Term(((p, 0), (q, top_q))),
            Term(((p, top_p), (q, 0))),
            Term(((p, 0), (q, 0))),
        )

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy covariances, with intervals of the covariances of the clamped values.

        Args:
            totals: (4, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        reach = float(self.noise.law.half_width(each_confidence(confidence, 4)))
        exact_totals = checked_totals(totals, 4, self.groups) * np.array([[1], [-1], [-1], [1]])
        noisy = self.noise.add(exact_totals, bits=bits).astype(np.float64)
        least, most = np.maximum(noisy - reach, 0.0), np.maximum(noisy + reach, 0.0)
        kept = np.maximum(noisy, 0.0) if self.clamped else noisy
        together = kept.sum(axis=0)
        number = quotient(kept[0] * kept[3] - kept[1] * kept[2], np.sign(together) * together**2)
        squared = (self.domains[0].high - self.domains[0].low) * (self.domains[1].high - self.domains[1].low)
        low, high = (in_units(part, squared) for part in _between(least, most))
        value = np.clip(number, -0.25, 0.25) if self.clamped else number
        return Estimate(in_units(value, squared), *outward(low, high), confidence)

    @property
    def _tops(self) -> tuple[int, int]:
        """The greatest places."""
        return self.domains[0].size - 1, self.domains[1].size - 1


@dataclass(frozen=True, slots=True)
class Covariance:
    """A noisy covariance matrix (divisor n) of several declared range columns for each group.

    The price is divided evenly among the d variances and the d(d - 1)/2 covariances. The matrix is symmetric; it
    may have negative eigenvalues, which `post_process.nearest_semidefinite` removes.

    Args:
        columns: at least two, all different.
        domains: their declared ranges.
        unit: persons, and the most they contribute.
        price: of the whole matrix.
        groups: number of declared groups; None: unknown when the price is fixed.
        clamped: as `Variance`.

    Raises:
        ParameterError: fewer than two columns, one that stands twice, or as `Variance`. Remedy: in the message.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> both = (Range(0, 10, 1), Range(-1, 1, 1))
        >>> matrix = Covariance(("x", "y"), both, Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(3)), groups=1)
        >>> len(matrix.terms), [event.scale for event in matrix.event.events]
        (10, [Fraction(100, 1), Fraction(4, 1), Fraction(20, 1)])
    """

    columns: tuple[str, ...]
    domains: tuple[Range, ...]
    unit: Unit
    price: Price
    groups: int | None
    clamped: bool = True
    parts: tuple[Variance | PairCovariance, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        d = len(self.columns)
        if d < 2 or len(set(self.columns)) < d or len(self.domains) != d:
            raise ParameterError(
                "A covariance matrix needs at least two different columns with a range each; got {columns}.",
                "name each column once, and use `Variance` for a single one.",
                columns=list(self.columns),
            )
        cells = self._cells
        prices = shared(checked_price(self.price), [Fraction(1, len(cells))] * len(cells))
        made = tuple(self._part(cell, price) for cell, price in zip(cells, prices, strict=True))
        object.__setattr__(self, "parts", made)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.parts[0].noise.name

    @property
    def event(self) -> Event:
        """The price: of all parts together."""
        if isinstance(self.price, ApproxDP):
            return self.price
        return Composed(tuple(part.event for part in self.parts))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The totals of all parts, in order; all over rows that have every column."""
        return tuple(term for part in self.parts for term in part.terms)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return f"{len(self.parts)} parts, each with its own share of the price. " + " ".join(
            part.argument for part in self.parts
        )

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """(groups, d, d) noisy covariance matrices, each cell with its own interval.

        Args:
            totals: (terms, groups) int64.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        each_confidence(confidence, 1)
        groups = checked_totals(totals, len(self.terms), self.groups).shape[1]
        d, start = len(self.columns), 0
        out = np.empty((3, groups, d, d), np.float64)
        for (i, j), part in zip(self._cells, self.parts, strict=True):
            found = part.decide(totals[start : start + len(part.terms)], confidence=confidence, bits=bits)
            start += len(part.terms)
            out[:, :, i, j] = out[:, :, j, i] = found.values, found.low, found.high
        return Estimate(out[0], out[1], out[2], confidence)

    @property
    def _cells(self) -> list[tuple[int, int]]:
        """Diagonal first, then the pairs above it."""
        d = range(len(self.columns))
        return [*((i, i) for i in d), *combinations(d, 2)]

    def _part(self, cell: tuple[int, int], price: Price) -> Variance | PairCovariance:
        (i, j), columns, domains = cell, self.columns, self.domains
        if i == j:
            return Variance(columns[i], domains[i], self.unit, price, self.groups, self.clamped)
        return PairCovariance(
            (columns[i], columns[j]), (domains[i], domains[j]), self.unit, price, self.groups, self.clamped
        )


def mean_vector_sensitivity(gamma: str | float | Fraction, n: int) -> Fraction:
    """L1 sensitivity of the mean of n vectors of L1 norm at most γ, one replaced and n public: 2γ/n.

    Args:
        gamma: γ > 0.
        n: public number of vectors, >= 1.

    Example:
        >>> mean_vector_sensitivity(3, 10)
        Fraction(3, 5)
    """
    return 2 * exact("gamma", gamma) / whole(n, "n", 1, LARGEST - 1)


def covariance_sensitivity(gamma: str | float | Fraction, n: int) -> Fraction:
    """L1 sensitivity of the covariance matrix (divisor n) of n vectors of L1 norm at most γ: 6γ²/n.

    Proof: C = (1/n) Σ v vᵀ - μμᵀ. |v vᵀ|₁ = |v|₁² <= γ², so exchanging one moves the first part by at most 2γ²/n. And
    |μμᵀ - νν ᵀ|₁ <= |μ - ν|₁ (|μ|₁ + |ν|₁) <= (2γ/n)(2γ). The bound 8γ²/n is known; it does not need μ to be bounded.

    Args:
        gamma: γ > 0.
        n: public number of vectors, >= 1.

    Example:
        >>> covariance_sensitivity(1, 100)
        Fraction(3, 50)
    """
    return 6 * exact("gamma", gamma) ** 2 / whole(n, "n", 1, LARGEST - 1)


def _between(least: FloatArray, most: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounds of (U X - V W)/(U + V + W + X)²: each share of the whole lies between bounds, then interval arithmetic."""
    low = [quotient(least[i], most.sum(axis=0) - most[i] + least[i], 0.0) for i in range(4)]
    high = [quotient(most[i], least.sum(axis=0) - least[i] + most[i], 1.0) for i in range(4)]
    bottom = low[0] * low[3] - high[1] * high[2] - ROUNDING
    top = high[0] * high[3] - low[1] * low[2] + ROUNDING
    return np.clip(bottom, -0.25, 0.25), np.clip(top, -0.25, 0.25)
