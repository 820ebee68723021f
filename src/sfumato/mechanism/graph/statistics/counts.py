"""Noisy numbers of edges, of stars where vertices are protected, and of edges within and between groups; connected parts.

Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
from sfumato.mechanism.graph.groups import between, pairs_between, square
from sfumato.mechanism.graph.statistics.subgraphs import MOST_LEGS, stars
from sfumato.mechanism.graph.statistics.totals import OverGroups, Projected
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class ConnectedParts:
    """The number of connected parts, vertices without an edge included; one edge changes it by at most 1.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> ConnectedParts().value(Graph(5, np.array([[0, 1], [2, 3]])))
        3
    """

    @property
    def name(self) -> str:
        """What it counts."""
        return "number of connected parts"

    @property
    def sensitivity_of_edge(self) -> int:
        """The most by which one edge changes it."""
        return 1

    def bounds(self, vertices: int) -> tuple[int, int]:
        """Least and greatest value of any graph with so many vertices."""
        return 1, vertices

    def value(self, graph: Graph) -> int:
        """The true number."""
        return EdgesToConnect().value(graph) + 1


@dataclass(frozen=True, slots=True)
class StarCount(Projected):
    """The number of edges (stars of one leg), or of stars with two legs and more where vertices are protected.

    One vertex moves the stars of the projection by its own, C(θ, k), and by those of others, whose degrees move by at most
    θ in all: θ C(θ - 1, k - 1) = k C(θ, k). Together (k + 1) C(θ, k); edges are θ, half of that, as each has two ends.
    Where edges are protected stars of two legs and more are for `LadderCount`.

    Args:
        vertices: public number of vertices.
        legs: k, 1 … 8.
        most: θ of the projection; not used where edges are protected.
        protects: `Neighbors.EDGE` (one leg only) or `Neighbors.NODE`.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        order: of the projection.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.unit import Neighbors
        >>> StarCount(100, 2, 10, Neighbors.NODE, PureDP(Fraction(1))).sensitivity.l1
        135
    """

    vertices: int
    legs: int
    most: int
    protects: Neighbors
    price: Price
    order: int = 0
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        whole(self.most, "most", 1, MOST_VERTICES)
        whole(self.legs, "legs", 1, MOST_LEGS)
        if self.protects is Neighbors.EDGE and self.legs > 1:
            raise ParameterError(
                "One edge may change stars of two legs and more by as much as there are vertices.",
                "use `LadderCount`, or protect vertices.",
            )
        if self.vertices * math.comb(self.most, self.legs) >= 2**62:
            raise ParameterError(
                "So many stars do not fit 64 bits.", "project to fewer neighbors, or count fewer legs."
            )

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the number moves."""
        if self.projection is None:
            return Sensitivity(1, 1, 1, "One edge changes the number of edges by 1.")
        moved = (self.legs + 1) * math.comb(self.most, self.legs) if self.legs > 1 else self.projection.edges_moved
        moved = max(moved, 1)
        what = f"One vertex changes the number of {self._what} of the projection by at most {moved}."
        return Sensitivity(moved, moved**2, 1, what)

    @property
    def _what(self) -> str:
        return "edges" if self.legs == 1 else f"stars with {self.legs} legs"

    def of(self, graph: Graph) -> IntArray:
        """(1,) the number."""
        return np.array([len(graph.edges) if self.legs == 1 else stars(graph.degrees, self.legs)])

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(1,) the number of the graph, or of its projection, which is no larger than that of the graph.

        Args:
            graph: with the declared number of vertices.
            confidence: in (0, 1).
            bits: source of chance.
        """
        most = self.vertices * math.comb(self.largest_degree, self.legs)
        return self.around(self.noisy(graph, bits=bits), confidence, 0, most // 2 if self.legs == 1 else most)


@dataclass(frozen=True, slots=True, eq=False)
class MixingMatrix(OverGroups):
    """Numbers of edges within each declared group and between every two.

    For edges only: the projection bounds how many edges one vertex adds, not which others come and go.

    Args:
        groups: of public vertices.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.

    Source:
        M. Newman, "Mixing patterns in networks", Phys. Rev. E 67, 2003, section II, for what it is good for.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.graph.groups import Groups
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> mixing = MixingMatrix(Groups(np.array([0, 0, 1]), 2), PureDP(Fraction(10**4)))
        >>> mixing.decide(Graph(3, np.array([[0, 1], [0, 2]])), confidence=0.9, bits=SystemBits()).values.tolist()
        [[1.0, 1.0], [1.0, 0.0]]
    """

    groups: Groups
    price: Price
    protects: Neighbors = field(init=False, default=Neighbors.EDGE)
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.groups.many, "groups", 1, 2**15)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the numbers move."""
        return Sensitivity(1, 1, 1, "One edge lies within one group or between two: it changes one number by 1.")

    def of(self, graph: Graph) -> IntArray:
        """(g (g + 1) / 2,) edges of each pair of groups, in the order of the upper triangle."""
        return between(self.groups.codes, graph.edges, self.groups.many)

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(groups, groups) edges, symmetric; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        return self.square(self.noisy(graph, bits=bits), confidence)

    def square(self, noisy: IntArray, confidence: float) -> Estimate:
        """The matrix from released totals."""
        found = self.around(noisy, confidence, 0, self.pairs)
        return Estimate(square(found.values), square(found.low), square(found.high), confidence)

    @property
    def pairs(self) -> IntArray:
        """(g (g + 1) / 2,) pairs of vertices of each pair of groups: the most edges there can be."""
        return pairs_between(self.groups.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class GroupDegrees(Projected, OverGroups):
    """The sum of the degrees of each declared group; over its public size, the mean degree.

    Args:
        groups: of public vertices.
        most: θ of the projection; not used where edges are protected.
        protects: `Neighbors.EDGE` or `Neighbors.NODE`.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        order: of the projection.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.graph.groups import Groups
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> from sfumato.table.unit import Neighbors
        >>> degrees = GroupDegrees(Groups(np.array([0, 0, 1]), 2), 9, Neighbors.EDGE, PureDP(Fraction(10**4)))
        >>> degrees.decide(Graph(3, np.array([[0, 1], [0, 2]])), confidence=0.9, bits=SystemBits()).values.tolist()
        [3.0, 1.0]
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
        """How far the sums move."""
        if self.projection is None:
            return Sensitivity(2, 4, min(2, self.groups.many), "One edge raises two degrees by 1, of one group or two.")
        moved = self.projection.degrees_moved
        what = f"One vertex changes the degrees of the projection by at most {moved} in all."
        return Sensitivity(moved, moved**2, self.groups.many, what)

    def of(self, graph: Graph) -> IntArray:
        """(g,) sums of degrees."""
        return np.bincount(self.groups.codes, graph.degrees, minlength=self.groups.many).astype(np.int64)

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(g,) sums of degrees; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        return self.around(self.noisy(graph, bits=bits), confidence, 0, self.groups.sizes * self.largest_degree)
