"""The weight of each choice of ranks for all quantiles: a chain of tables of logarithms.

Quantile j takes rank r_j: that many records lie below it. With c_j = r_j - r_{j-1} records in cell j (r_0 = 0,
r_{m+1} = n) and targets T_j that add up to N, the weight of the ranks is

    m! · Π_j e^(-rate·cost_j(c_j)) · Π_r w_r^k / k!

with w_r the number of fine places of rank r, and k how many of the quantiles take rank r. The costs are the
shortfall (T - c)⁺ of each cell if n >= N, and the excess (c - T)⁺ if n < N: because Σ (c_j - T_j) = n - N for all
choices, Σ |c_j - T_j| = |n - N| + 2 Σ cost_j, and what is common to all choices falls out.
"""

from __future__ import annotations

from math import lgamma
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.joint_exponential_sums import log_scan, log_slide

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Costs:
    """What each cell's number of records costs.

    Args:
        targets: T_1 … T_{m+1}, >= 0.
        rate: nats for one record too few, or too many.
        limit: nats beyond which a single cost may be taken as infinite.
        of_excess: whether records above the target cost (n < N); otherwise records that lack do.
    """

    targets: tuple[Fraction, ...]
    rate: float
    limit: float
    of_excess: bool

    def at(self, cell: int, count: IntArray) -> FloatArray:
        """Nats for (…) records in a cell (0 … m)."""
        target = self.targets[cell]
        if self.of_excess:
            floor = target.__floor__()
            return np.asarray(np.maximum((count - floor) - float(target - floor), 0.0) * self.rate)
        ceiling = target.__ceil__()
        return np.asarray(np.maximum((ceiling - count) - float(ceiling - target), 0.0) * self.rate)

    @property
    def reach(self) -> int:
        """Records beyond the target that cost less than the limit, at most."""
        return int(self.limit / self.rate) + 2

    def between(self, cell: int, count: IntArray) -> FloatArray:
        """As `at` for two quantiles of different ranks; infinite beyond `reach`."""
        target = self.targets[cell]
        steps = count - target.__floor__() if self.of_excess else target.__ceil__() - count
        return np.where((count >= 1) & (steps <= self.reach), self.at(cell, count), np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The weights of all choices of ranks inside windows. Private.

    Args:
        costs: of the cells.
        lows: first rank of each quantile's window, nondecreasing.
        highs: last rank of each window, nondecreasing.
        widths: ln w_r for each window.
        entered: ln weight of all choices up to quantile j that reach rank r with j, from a smaller rank.
        left: ln weight of all choices up to j in which j has rank r and is the last one with it.
        ends: ln weight of all choices in which the last quantile has rank r.
    """

    costs: Costs
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    widths: tuple[FloatArray, ...]
    entered: tuple[FloatArray, ...]
    left: tuple[FloatArray, ...]
    ends: FloatArray

    def before(self, j: int, rank: int) -> FloatArray:
        """Ln weights of the ranks of quantile j, given the smaller one's step to `rank` for j + 1."""
        ranks = np.arange(self.lows[j], self.highs[j] + 1)
        return self.left[j] - self.costs.between(j + 1, rank - ranks)

    def runs(self, j: int, rank: int) -> FloatArray:
        """Ln weights of the run of quantiles with this rank, by its first one j, j - 1, …, given its last one j."""
        return np.array([term[0] for term in _runs(self, j, rank, rank)])


def chain(ordered: IntArray, fine: int, costs: Costs, lows: tuple[int, ...], highs: tuple[int, ...]) -> Chain:
    """The tables, quantile after quantile.

    Args:
        ordered: (n,) int64 fine places, nondecreasing, in [0, fine).
        fine: number of fine places.
        costs: of the cells.
        lows: first rank of each window, in [0, n], nondecreasing.
        highs: last rank of each window, >= its first, in [0, n], nondecreasing.

    Returns:
        The chain.
    """
    m, n = len(lows), len(ordered)
    widths = tuple(log_widths(ordered, fine, low, high) for low, high in zip(lows, highs, strict=True))
    entered: list[FloatArray] = [-costs.at(0, np.arange(lows[0], highs[0] + 1))]
    left: list[FloatArray] = []
    for j in range(m):
        partial = Chain(costs, lows, highs, widths, tuple(entered), tuple(left), np.empty(0))
        left.append(_left(partial, j))
        if j + 1 < m:
            entered.append(_enter(partial, j, left[j]))
    ends = left[-1] - costs.at(m, n - np.arange(lows[-1], highs[-1] + 1))
    return Chain(costs, lows, highs, widths, tuple(entered), tuple(left), ends)


def rank_edges(ordered: IntArray, fine: int, low: int, high: int) -> IntArray:
    """(high - low + 2,) fine places: rank low + i holds the places above edge i up to edge i + 1."""
    edges = np.empty(high - low + 2, np.int64)
    edges[0], edges[-1] = -1, fine - 1
    begin, end = max(low, 1), min(high + 1, len(ordered))
    edges[begin - low : end - low + 1] = ordered[begin - 1 : end]
    return edges


def log_widths(ordered: IntArray, fine: int, low: int, high: int) -> FloatArray:
    """(high - low + 1,) ln w_r; -∞ where equal records leave a rank without a place."""
    with np.errstate(divide="ignore"):
        return np.log(np.diff(rank_edges(ordered, fine, low, high)))


def _left(so_far: Chain, j: int) -> FloatArray:
    """The table `left` of quantile j."""
    low, high = so_far.lows[j], so_far.highs[j]
    total = np.full(high - low + 1, -np.inf)
    for term in _runs(so_far, j, low, high):
        total[: len(term)] = np.logaddexp(total[: len(term)], term)
    return total


def _runs(so_far: Chain, j: int, low: int, high: int) -> list[FloatArray]:
    """Ln weights of runs that end with j, by their first quantile j, j - 1, …, at ranks low … that all can have."""
    terms, paid = [], 0.0
    for first in range(j, -1, -1):
        top = min(high, so_far.highs[first])
        if top < low or paid > so_far.costs.limit:
            break
        size, begin = j - first + 1, low - so_far.lows[first]
        entered = so_far.entered[first][begin : begin + top - low + 1]
        at = low - so_far.lows[j]
        widths = so_far.widths[j][at : at + top - low + 1]
        terms.append(entered + size * widths - lgamma(size + 1) - paid)
        paid += float(so_far.costs.at(first, np.zeros(1, np.int64))[0])
    return terms


def _enter(so_far: Chain, j: int, left: FloatArray) -> FloatArray:
    """The table `entered` of quantile j + 1: sums over all smaller ranks of quantile j, weighted with the step's cost."""
    costs, low = so_far.costs, so_far.lows[j]
    high, target = so_far.highs[j], costs.targets[j + 1]
    to = so_far.lows[j + 1], so_far.highs[j + 1]
    if costs.of_excess:
        floor = target.__floor__()
        free = log_slide(left, low, (to[0] - 1, to[1] - 1), floor, 0.0)
        paid = log_slide(left, low, (to[0] - floor - 1, to[1] - floor - 1), costs.reach, costs.rate)
        return np.logaddexp(free, paid - costs.rate * float(floor + 1 - target))
    ceiling = target.__ceil__()
    ends = np.arange(to[0], to[1] + 1) - max(ceiling, 1) - low
    free = np.where(ends >= 0, log_scan(left)[np.clip(ends, 0, high - low)], -np.inf)
    length = min(ceiling - 1, costs.reach)
    paid = log_slide(left[::-1], -high, (ceiling - 1 - to[1], ceiling - 1 - to[0]), max(length, 0), costs.rate)[::-1]
    return np.logaddexp(free, paid - costs.rate * float(target - ceiling + 1))
