"""Exact core numbers with noise on the result: one edge can move all of them, so the noise grows with the graph."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.event import DiscreteLaplaceNoise
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.cores.shrink import shrink_laplace
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph


@dataclass(frozen=True, slots=True)
class NaiveCores:
    """Core numbers with discrete Laplace noise of scale n/ε.

    One edge moves every core number by at most 1, and it can move all n at once: it closes a path to a cycle.

    Args:
        vertices: public number of vertices n.
        epsilon: > 0, for one edge.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> method = NaiveCores(3, Fraction(100))
        >>> method.decide(Graph(3, np.array([[0, 1], [1, 2], [2, 0]])), bits=SystemBits()).numbers.tolist()
        [2, 2, 2]
    """

    vertices: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        checked_scale(self.event.scale)

    @property
    def name(self) -> str:
        """What it is called."""
        return "core numbers with noise on the result"

    @property
    def event(self) -> DiscreteLaplaceNoise:
        """The price, fixed before the graph is seen."""
        moved = Fraction(self.vertices)
        return DiscreteLaplaceNoise(moved / self.epsilon, moved, self.vertices)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return f"One edge changes each core number by at most 1, and a path closed to a cycle all {self.vertices}."

    @property
    def is_local(self) -> bool:
        """A curator computes the exact core numbers."""
        return False

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The noisy numbers, drawn towards what all of them together tell.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        exact = core_numbers(checked_size(graph, self.vertices))
        noisy = exact + discrete_laplace(self.vertices, self.event.scale, bits=bits)
        return PrivateCores(possible(shrink_laplace(noisy, float(self.event.scale))), (noisy,))
