"""Numbers of patterns from the ladder: noise as large as one edge matters near this graph, without a delta."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence, outward
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.tail import laplace_half_width
from sfumato.mechanism.graph.size import checked_share, checked_size
from sfumato.mechanism.graph.statistics.ladder import climb, farthest
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.table.graph import EDGE_UNIT, MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.mechanism.graph.statistics.subgraphs import Pattern
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph

LARGEST = 2**62
"""A rung is drawn from whole numbers of 64 bits."""


@dataclass(frozen=True, slots=True)
class LadderCount:
    """A noisy number of patterns, and an interval from a noisy size.

    The number is drawn from the ladder at ε (1 - share). How wide the rungs are is private; so the interval takes the size
    with discrete Laplace noise at ε · share, as large as it may be.

    Args:
        pattern: what is counted.
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
        share: of epsilon, for the interval alone, in (0, 1).

    Raises:
        ParameterError: a number outside its range, or rungs wider than 2⁶². Remedy: in the message.

    Source:
        J. Zhang et al., "Private Release of Graph Statistics using Ladder Functions", SIGMOD 2015, algorithm 1.

    Example:
        >>> from sfumato.mechanism.graph.statistics.subgraphs import Triangles
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> triangle = Graph(30, np.array([[0, 1], [1, 2], [0, 2]]))
        >>> method = LadderCount(Triangles(), 30, Fraction(1))
        >>> found = method.decide(triangle, confidence=0.999999, bits=SystemBits())
        >>> bool(found.low[0] <= 1 <= found.high[0])
        True
    """

    pattern: Pattern
    vertices: int
    epsilon: Fraction
    share: Fraction = Fraction(1, 10)

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        checked_share(self.share)
        checked_scale(self.noise_of_size)
        checked_scale(2 / self.epsilon_of_ladder)
        if self.pattern.widths(self.vertices).at(self.vertices) > LARGEST:
            raise ParameterError(
                "The {name} of a graph with so many vertices moves by more than 2^62 with one edge.",
                "count stars of fewer legs.",
                name=self.pattern.name,
            )

    @property
    def name(self) -> str:
        """What it is called."""
        return f"ladder mechanism ({self.pattern.name})"

    @property
    def event(self) -> PureDP:
        """The price, fixed before the graph is seen."""
        return PureDP(self.epsilon)

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return EDGE_UNIT

    @property
    def epsilon_of_ladder(self) -> Fraction:
        """What the number costs."""
        return self.epsilon * (1 - self.share)

    @property
    def noise_of_size(self) -> Fraction:
        """The scale of the noise that the size gets, 1/(ε · share)."""
        return 1 / (self.epsilon * self.share)

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return (
            f"One edge changes the {self.pattern.name} by at most the width of a rung and moves every rung by at most one; "
            "it changes the size by at most 1."
        )

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The noisy number, with a proven interval; arrays have one entry.

        Args:
            graph: with the declared number of vertices.
            confidence: of the interval, in (0, 1).
            bits: source of chance.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        checked_size(graph, self.vertices)
        size, widths = self.pattern.size(graph), self.pattern.widths(self.vertices)
        noisy = climb(self.pattern.value(graph), size, widths, self.epsilon_of_ladder, bits=bits)
        noisy_size = size + int(discrete_laplace(1, self.noise_of_size, bits=bits)[0])
        reach = self.reach(noisy_size, confidence)
        most = self.pattern.most(self.vertices)
        value, low, high = (float(min(max(x, 0), most)) for x in (noisy, noisy - reach, noisy + reach))
        ends = outward(np.array([low]), np.array([high]))
        return Estimate(np.array([value]), *ends, confidence)

    def reach(self, noisy_size: int, confidence: float | Fraction) -> int:
        """How far the noisy number is from the true one, with the confidence, given the noisy size.

        The size is larger than the noisy one by no more than noise is below 0; the rest of the chance is the ladder's.
        """
        missed = 1 - each_confidence(confidence, 2)
        above = noisy_size + laplace_half_width(self.noise_of_size, 1 - 2 * missed)
        most = min(max(above, 0), self.pattern.most_size(self.vertices))
        return farthest(most, self.pattern.widths(self.vertices), self.epsilon_of_ladder, missed)
