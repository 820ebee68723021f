"""The two private algorithms as the course prints them, to reproduce; their price is what they truly cost.

Both are said to be ε-private. The first adds noise of scale 1/ε to core numbers of which one edge can move all n: it
costs nε. The second adds noise of scale Z/ε in each of Z rounds in which one edge moves two published numbers: it
costs 2ε, and 2ε R/Z when it goes on for R rounds "until converged", which nobody can tell from noisy numbers.

Source: B. Nguyen, course on anonymisation, after Eichler, Rossi, Nguyen, Berthomé, Vazirgiannis, APVP 2017; with discrete Laplace noise.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import Composed, DiscreteLaplaceNoise
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.montresor import ENDS, MOST_ROUNDS, noisy_rounds
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph


@dataclass(frozen=True, slots=True)
class PublishedNaive:
    """Algorithm 2 of the course: exact core numbers with Laplace noise of scale 1/ε.

    Args:
        vertices: public number of vertices n.
        stated: the ε that is said to hold; the true one is n times as large.

    Example:
        >>> from sfumato.account.cost import pure_epsilon
        >>> pure_epsilon(PublishedNaive(34, Fraction(1)).event)
        Fraction(34, 1)
    """

    vertices: int
    stated: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_scale(1 / checked_epsilon(self.stated))

    @property
    def name(self) -> str:
        """What it is called."""
        return "naive Montresor, as published"

    @property
    def event(self) -> DiscreteLaplaceNoise:
        """The true price."""
        return DiscreteLaplaceNoise(1 / self.stated, Fraction(self.vertices), self.vertices)

    @property
    def argument(self) -> str:
        """What it costs and why."""
        return f"One edge can move all {self.vertices} core numbers by 1, so the noise costs {self.vertices} times ε."

    @property
    def is_local(self) -> bool:
        """Its messages are exact, so somebody must be trusted."""
        return False

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The noisy core numbers, cut to what they can be."""
        exact = core_numbers(checked_size(graph, self.vertices))
        noisy = exact + discrete_laplace(self.vertices, self.event.scale, bits=bits)
        return PrivateCores(possible(noisy), (noisy,))


@dataclass(frozen=True, slots=True)
class PublishedMontresor:
    """Algorithm 3 of the course: Montresor's rounds, each published with noise of scale Z/ε.

    Args:
        vertices: public number of vertices.
        stated: the ε that is said to hold; the true one is twice as large.
        rounds: Z, "an estimate of the number of steps"; so many vectors are published, the degrees among them.

    Example:
        >>> from sfumato.account.cost import pure_epsilon
        >>> pure_epsilon(PublishedMontresor(34, Fraction(1), 5).event)
        Fraction(2, 1)
    """

    vertices: int
    stated: Fraction
    rounds: int

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        whole(self.rounds, "rounds", 1, MOST_ROUNDS)
        checked_scale(self.scale)

    @property
    def scale(self) -> Fraction:
        """Of the noise of every round."""
        return self.rounds / checked_epsilon(self.stated)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"noisy Montresor, as published, Z = {self.rounds}"

    @property
    def event(self) -> Composed:
        """The true price."""
        return Composed((DiscreteLaplaceNoise(self.scale, ENDS, 2),) * self.rounds)

    @property
    def argument(self) -> str:
        """What it costs and why."""
        return "One edge moves two published numbers by 1 in each of Z rounds, so noise of scale Z/ε costs 2ε."

    @property
    def is_local(self) -> bool:
        """Each vertex publishes its own noisy estimate."""
        return True

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The least that each vertex published, cut to what core numbers can be."""
        rounds = noisy_rounds(checked_size(graph, self.vertices), (self.scale,) * self.rounds, bits=bits)
        return PrivateCores(possible(reduce(np.minimum, rounds)), rounds)
