"""How many vertices have how many neighbors: numbers of vertices by degree, by group, and the sorted degrees.

Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.graph.statistics.totals import OverGroups, Projected
from sfumato.mechanism.local.projections import isotonic
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.table.unit import Neighbors
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class DegreeCounts(Projected, OverGroups):
    """Numbers of vertices of each degree, in each declared group.

    Noise is added to the numbers of vertices of degree *at least* 1, 2, …, most. One edge raises two degrees by 1, and so
    these numbers by 2 in all, where it moves four numbers of vertices of *exactly* each degree. Differences give the
    latter back with half the variance of direct noise.

    Args:
        groups: of public vertices; `Groups.one(n)` for all together.
        most: larger degrees count as this, 1 … 2³¹. Where vertices are protected the graph is projected to it.
        protects: `Neighbors.EDGE` or `Neighbors.NODE`.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        order: of the projection.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Hay, C. Li, G. Miklau, D. Jensen, "Accurate Estimation of the Degree Distribution of Private Networks", ICDM
        2009, for edges; Day, Li, Lyu, SIGMOD 2016, section 5, for nodes.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.graph.groups import Groups
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> from sfumato.table.unit import Neighbors
        >>> counts = DegreeCounts(Groups.one(1000), 3, Neighbors.EDGE, PureDP(Fraction(1)))
        >>> found = counts.decide(Graph(1000, np.array([[0, 1]])), confidence=0.999999, bits=SystemBits())
        >>> found.values.shape, bool(found.values[0, 0] > 900)
        ((1, 4), True)
    """

    groups: Groups
    most: int
    protects: Neighbors
    price: Price
    order: int = 0
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.most, "most", 1, MOST_VERTICES)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the numbers of vertices of degree at least 1, 2, … move."""
        if self.projection is None:
            what = "One edge raises two degrees by 1, each of which changes one number of vertices of at least some degree."
            return Sensitivity(2, 4, 2, what)
        theta = self.most
        what = (
            f"One vertex changes the degrees of the projection by at most {2 * theta} in all, and each unit changes one "
            "number of vertices of at least some degree."
        )
        return Sensitivity(self.projection.at_least_moved, (theta + 1) ** 2 + theta - 1, 2 * theta, what)

    @property
    def mean_error(self) -> None:
        """None: what is left of noise after the fit depends on the graph."""
        return

    def error(self, confidence: float | Fraction) -> int:
        """Half of the widest interval of one number of vertices of a degree: two noises."""
        return self.noise.law.half_width_of_two(confidence)

    def of(self, graph: Graph) -> IntArray:
        """(groups, most) vertices of degree at least 1, …, most."""
        degree = np.minimum(graph.degrees, self.most)
        cells = np.bincount(self.groups.codes * (self.most + 1) + degree, minlength=self.groups.many * (self.most + 1))
        exactly = cells.reshape(self.groups.many, self.most + 1)
        return exactly[:, ::-1].cumsum(axis=1)[:, -2::-1].copy()

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(groups, most + 1) numbers of vertices of degree 0, 1, …, and most or more; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        return self.exactly(self.noisy(graph, bits=bits), confidence)

    def at_least(self, noisy: IntArray, confidence: float) -> Estimate:
        """(groups, most) numbers of vertices of degree at least 1, …, most, from released totals.

        Values never rise with the degree: the nearest such sequence.
        """
        sizes = self.groups.sizes[:, None]
        found = self.around(noisy, confidence, 0, sizes)
        falling = np.stack([isotonic(row.astype(np.float64), increasing=False) for row in noisy])
        return spread(np.clip(falling, 0, sizes), found.low, found.high, confidence)

    def exactly(self, noisy: IntArray, confidence: float) -> Estimate:
        """(groups, most + 1) numbers of vertices of degree 0, …, most or more, from released totals; values add up."""
        sizes = self.groups.sizes[:, None]
        ends = np.concatenate((sizes, noisy, np.zeros_like(sizes)), axis=1)
        reach = np.full(self.most + 1, self.noise.law.half_width_of_two(confidence))
        reach[[0, -1]] = self.noise.law.half_width(confidence)
        steps = (ends[:, :-1] - ends[:, 1:]).astype(np.float64)
        falling = np.stack([isotonic(row.astype(np.float64), increasing=False) for row in noisy])
        fitted = np.concatenate((sizes, np.clip(falling, 0, sizes), np.zeros_like(sizes)), axis=1)
        low, high = (np.clip(end, 0, sizes) for end in (steps - reach, steps + reach))
        return spread(np.asarray(fitted[:, :-1] - fitted[:, 1:], np.float64), low, high, confidence)


@dataclass(frozen=True, slots=True, eq=False)
class DegreeSequence(Projected, OverGroups):
    """All degrees, sorted within declared groups: noise on each, and the nearest sequence that never falls.

    One edge changes two of the sorted degrees by 1. Where many vertices have the same degree, the fit takes the mean of
    their noises, so what is left of the noise is at the steps. Which vertex has which degree is not told.

    Args:
        groups: of public vertices; `Groups.one(n)` for all together.
        most: larger degrees count as this; where vertices are protected the graph is projected to it.
        protects: `Neighbors.EDGE` or `Neighbors.NODE`.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        order: of the projection.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Hay et al., ICDM 2009, section 3.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.graph.groups import Groups
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> from sfumato.table.unit import Neighbors
        >>> degrees = DegreeSequence(Groups.one(3), 2, Neighbors.EDGE, PureDP(Fraction(10**4)))
        >>> degrees.decide(Graph(3, np.array([[0, 1], [1, 2]])), confidence=0.9, bits=SystemBits()).values.tolist()
        [1.0, 1.0, 2.0]
    """

    groups: Groups
    most: int
    protects: Neighbors
    price: Price
    order: int = 0
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.most, "most", 1, MOST_VERTICES)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the sorted degrees move."""
        if self.projection is None:
            return Sensitivity(2, 2, 2, "One edge raises two degrees by 1, and so two of the sorted degrees.")
        moved = self.projection.degrees_moved
        what = (
            f"One vertex changes the degrees of the projection by at most {moved} in all, and sorting moves no further."
        )
        return Sensitivity(moved, moved * self.most, self.vertices, what)

    @property
    def mean_error(self) -> None:
        """None: what is left of noise after the fit depends on the graph."""
        return

    def of(self, graph: Graph) -> IntArray:
        """(n,) degrees, rising within each group; groups one after another."""
        return np.minimum(graph.degrees, self.most)[np.lexsort((graph.degrees, self.groups.codes))]

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(n,) degrees, rising within each group, groups one after another; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        noisy, most = self.noisy(graph, bits=bits), min(self.most, self.vertices - 1)
        found = self.around(noisy, confidence, 0, most)
        parts = np.split(noisy.astype(np.float64), np.cumsum(self.groups.sizes)[:-1])
        rising = np.concatenate([isotonic(part, increasing=True) for part in parts if len(part)])
        return spread(np.clip(rising, 0, most), found.low, found.high, confidence)


def spread(values: FloatArray, low: FloatArray, high: FloatArray, confidence: float) -> Estimate:
    """Fitted numbers with intervals that were not fitted: wide enough to hold them too.

    Example:
        >>> spread(np.array([3.0]), np.array([4.0]), np.array([5.0]), 0.9).low.tolist()
        [3.0]
    """
    return Estimate(values, np.minimum(low, values), np.maximum(high, values), confidence)
