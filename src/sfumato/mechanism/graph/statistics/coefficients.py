"""Clustering and assortativity: ratios of noisy numbers, with intervals that hold because those of the numbers do.

Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import clipped, each_confidence, outward
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.graph.parts import OfParts
from sfumato.mechanism.graph.statistics.counts import StarCount
from sfumato.mechanism.graph.statistics.ladder_count import LadderCount
from sfumato.mechanism.graph.statistics.subgraphs import DegreeProducts, Stars, Triangles
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray

Range = tuple[float, float, float]
"""A released number, and the ends of its interval."""


@dataclass(frozen=True, slots=True)
class Transitivity(OfParts):
    """The clustering coefficient of the whole graph: three times the triangles over the stars of two legs.

    Half of epsilon goes to each number, from the ladder.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Newman, S. Strogatz, D. Watts, "Random graphs with arbitrary degree distributions", Phys. Rev. E 64, 2001.

    Example:
        >>> from itertools import combinations
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> complete = Graph(8, np.array(list(combinations(range(8), 2))))
        >>> method = Transitivity(8, Fraction(10**3))
        >>> method.decide(complete, confidence=0.9, bits=SystemBits()).values.tolist()
        [1.0]
    """

    vertices: int
    epsilon: Fraction

    @property
    def parts(self) -> tuple[LadderCount, LadderCount]:
        """The two numbers."""
        half = self.epsilon / 2
        return LadderCount(Triangles(), self.vertices, half), LadderCount(Stars(2), self.vertices, half)

    @property
    def name(self) -> str:
        """What it is called."""
        return "transitivity from noisy triangles and stars"

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return "It reads only the noisy numbers of triangles and of stars of two legs, each of which is paid for."

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The coefficient in [0, 1] (NaN where no star is left), with a proven interval; arrays have one entry.

        A graph without stars has no coefficient; its interval then says nothing.

        Args:
            graph: with the declared number of vertices.
            confidence: of the interval, in (0, 1).
            bits: source of chance.
        """
        each = float(each_confidence(confidence, 2))
        (t, t_low, t_high), (s, s_low, s_high) = (
            _range(part.decide(graph, confidence=each, bits=bits)) for part in self.parts
        )
        low = 3 * t_low / s_high if s_high > 0 else 0.0
        high = 3 * t_high / s_low if s_low > 0 else 1.0
        return clipped_ratio(3 * t / s if s > 0 else np.nan, low, high, (0.0, 1.0), confidence)


@dataclass(frozen=True, slots=True)
class DegreeAssortativity(OfParts):
    """The correlation of the degrees at both ends of an edge: whether those with many neighbors have such neighbors.

    With m edges, P the sum over edges of the product of degrees, Q = Σ d² and C = Σ d³ over vertices, it is
    (4 m P - Q²)/(2 m C - Q²). Q and C are those of stars of two and three legs and of edges. A tenth of epsilon goes to
    edges, the rest evenly to stars of two legs, of three, and P.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Newman, "Mixing patterns in networks", Phys. Rev. E 67, 2003, equation 23.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> star = Graph(6, np.array([[0, i] for i in range(1, 6)]))
        >>> method = DegreeAssortativity(6, Fraction(10**4))
        >>> method.decide(star, confidence=0.9, bits=SystemBits()).values.tolist()
        [-1.0]
    """

    vertices: int
    epsilon: Fraction

    @property
    def parts(self) -> tuple[StarCount, LadderCount, LadderCount, LadderCount]:
        """The four numbers."""
        n, most = self.vertices, self.epsilon * Fraction(3, 10)
        return (
            StarCount(n, 1, 1, Neighbors.EDGE, PureDP(self.epsilon / 10)),
            LadderCount(Stars(2), n, most),
            LadderCount(Stars(3), n, most),
            LadderCount(DegreeProducts(), n, most),
        )

    @property
    def name(self) -> str:
        """What it is called."""
        return "degree assortativity from noisy numbers"

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return "It reads only noisy numbers of edges, stars and products of degrees, each of which is paid for."

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The coefficient in [-1, 1] (NaN where all degrees seem equal), with a proven interval; arrays have one entry.

        Args:
            graph: with the declared number of vertices.
            confidence: of the interval, in (0, 1).
            bits: source of chance.
        """
        each = float(each_confidence(confidence, 4))
        found = [_range(part.decide(graph, confidence=each, bits=bits)) for part in self.parts]
        m, two, three, products = (np.array(part) for part in found)
        squares, cubes = 2 * two + 2 * m, 6 * three + 6 * two + 2 * m
        top, bottom = (_less_square(k * m * x, squares) for k, x in ((4, products), (2, cubes)))
        ends = (-1.0, 1.0)
        if bottom[1] > 0:
            corners = [t / b for t in top[1:] for b in bottom[1:]]
            ends = min(corners), max(corners)
        return clipped_ratio(top[0] / bottom[0] if bottom[0] > 0 else np.nan, *ends, (-1.0, 1.0), confidence)


def _range(found: Estimate) -> Range:
    """Of an estimate with one entry."""
    return float(found.values[0]), float(found.low[0]), float(found.high[0])


def _less_square(product: FloatArray, square: FloatArray) -> tuple[float, float, float]:
    """Value, low and high of a product less a square, all numbers >= 0."""
    return (
        float(product[0] - square[0] ** 2),
        float(product[1] - square[2] ** 2),
        float(product[2] - square[1] ** 2),
    )


def clipped_ratio(value: float, low: float, high: float, within: tuple[float, float], confidence: float) -> Estimate:
    """An estimate with one entry, within what the coefficient can be; ends are rounded outward."""
    ends = outward(np.array([low]), np.array([high]))
    return clipped(Estimate(np.array([value]), *ends, confidence), *within)
