"""What costs little thought: degrees, and one guess for all. A method that errs more than these is worth nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import DiscreteLaplaceNoise
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.montresor import ENDS
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph


@dataclass(frozen=True, slots=True)
class NoisyDegrees:
    """The noisy degree of each vertex in place of its core number, which is never larger.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
    """

    vertices: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_scale(ENDS / checked_epsilon(self.epsilon))

    @property
    def name(self) -> str:
        """What it is called."""
        return "noisy degrees"

    @property
    def event(self) -> DiscreteLaplaceNoise:
        """The price, fixed before the graph is seen."""
        return DiscreteLaplaceNoise(ENDS / self.epsilon, ENDS, 2)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return "One edge changes the degrees of its two ends by 1."

    @property
    def is_local(self) -> bool:
        """Each vertex publishes its own noisy degree."""
        return True

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The noisy degrees, cut to what core numbers can be."""
        degrees = checked_size(graph, self.vertices).degrees
        noisy = degrees + discrete_laplace(self.vertices, self.event.scale, bits=bits)
        return PrivateCores(possible(noisy), (noisy,))


@dataclass(frozen=True, slots=True)
class OneGuess:
    """The same number for all: noisy edges over vertices.

    The mean core number is at least m/n: in the order of peeling each vertex has at most its core number of neighbors
    that leave later, and every edge is counted once.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
    """

    vertices: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_scale(1 / checked_epsilon(self.epsilon))

    @property
    def name(self) -> str:
        """What it is called."""
        return "edges over vertices for all"

    @property
    def event(self) -> DiscreteLaplaceNoise:
        """The price, fixed before the graph is seen."""
        return DiscreteLaplaceNoise(1 / self.epsilon, Fraction(1), 1)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return "One edge changes the number of edges by 1."

    @property
    def is_local(self) -> bool:
        """A curator counts the edges."""
        return False

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The same guess for every vertex."""
        edges = len(checked_size(graph, self.vertices).edges)
        noisy = edges + discrete_laplace(1, self.event.scale, bits=bits)
        guess = np.full(self.vertices, round(int(noisy[0]) / self.vertices), np.int64)
        return PrivateCores(possible(guess), (noisy,))
