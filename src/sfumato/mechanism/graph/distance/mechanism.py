"""Noisy whole numbers of a graph that one edge hardly moves."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from sfumato.account.event import DiscreteLaplaceNoise
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import LaplaceLaw, clipped, interval_around
from sfumato.mechanism.central.tail import laplace_half_width
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.table.graph import EDGE_UNIT, MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph


class GraphNumber(Protocol):
    """A whole number of a graph that one edge changes by little."""

    @property
    def name(self) -> str:
        """What it counts or measures."""
        ...

    @property
    def sensitivity_of_edge(self) -> int:
        """The most by which one edge changes it."""
        ...

    def bounds(self, vertices: int) -> tuple[int, int]:
        """Least and greatest value of any graph with so many vertices; refuses what it cannot answer."""
        ...

    def value(self, graph: Graph) -> int:
        """The true number."""
        ...


@dataclass(frozen=True, slots=True)
class NoisyGraphNumber:
    """A graph's number with discrete Laplace noise of scale Δ/ε, clamped to what any graph can have.

    Args:
        number: which one.
        vertices: public number of vertices.
        epsilon: > 0, for one edge.

    Raises:
        ParameterError: an ε or vertices outside their range. Remedy: in the message.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
        >>> from sfumato.table.graph import Graph
        >>> from sfumato.noise.bits import SystemBits
        >>> method = NoisyGraphNumber(EdgesToConnect(), 1000, Fraction(1))
        >>> found = method.decide(Graph(1000, np.array([[0, 1]])), confidence=0.999999, bits=SystemBits())
        >>> bool(abs(found.values[0] - 998) < 30)
        True
    """

    number: GraphNumber
    vertices: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        self.number.bounds(self.vertices)
        checked_scale(self.event.scale)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"discrete Laplace mechanism ({self.number.name})"

    @property
    def event(self) -> DiscreteLaplaceNoise:
        """The price, fixed before the graph is seen."""
        moved = Fraction(self.number.sensitivity_of_edge)
        return DiscreteLaplaceNoise(moved / self.epsilon, moved)

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return EDGE_UNIT

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return f"One edge changes the {self.number.name} by at most {self.number.sensitivity_of_edge}."

    @property
    def mean_error(self) -> float:
        """E|noise|, before the number is cut to what any graph can have."""
        return LaplaceLaw(self.event.scale).mean_error

    def error(self, confidence: float | Fraction) -> int:
        """Half of the interval, known before the graph is seen."""
        return laplace_half_width(self.event.scale, confidence)

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The noisy number, with a proven interval; arrays have one entry.

        Args:
            graph: with the declared number of vertices.
            confidence: of the interval, in (0, 1).
            bits: source of chance.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        reach, (least, most) = self.error(confidence), self.number.bounds(self.vertices)
        noisy = self.number.value(checked_size(graph, self.vertices)) + discrete_laplace(1, self.event.scale, bits=bits)
        return clipped(interval_around(noisy, reach, Fraction(1), confidence), least, most)
