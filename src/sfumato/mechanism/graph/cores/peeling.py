"""Peeling with noise on each question, as published, at the price that both lists of an edge truly need.

A vertex draws ρ once and fresh ν for each question "are at most k neighbors still here?". With scales s₁ and s₂ the
whole process costs 2/s₁ + 1/s₂: the end that leaves first moves its ρ; the other moves its ρ and the ν of its leaving.
Published: s₁ = 4/ε and s₂ = 8/ε, which would be ε = 5/8.

Source: L. Dhulipala, G. Z. Li, Q. C. Liu, arXiv 2312.07706 (peeling); L. Dhulipala et al., FOCS 2022, and P. Mundra et
al., arXiv 2506.20828 (levels). The price: docs/proofs/private-cores.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from math import ceil, log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import places_of
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

_ARGUMENT = (
    "With the edge, the end that leaves first moves its noise by 1, and the other moves its own by 1 and that of the "
    "question at which it leaves by 1; without it, the first moves its noise by 1."
)


_BACK = 0.75
"""Powers by which a vertex stays late: half a power of rounding, and what the last round of others lets it climb on."""


class Questions:
    """Who is still here, and the noise that each vertex drew once. It holds secret noise.

    Args:
        graph: private.
        once: scale of the noise that a vertex draws once.
        each: scale of the fresh noise of each question.
        bits: source of chance.
    """

    __slots__ = ("_bits", "_each", "_least", "_start", "_to", "here")

    def __init__(self, graph: Graph, once: Fraction, each: Fraction, *, bits: Bits) -> None:
        self._start, self._to = graph.neighbors()
        self._least = np.diff(self._start) - discrete_laplace(graph.vertices, once, bits=bits)
        self._each, self._bits = each, bits
        self.here = np.arange(graph.vertices)

    def ask(self, threshold: int) -> IntArray:
        """The vertices that leave: neighbors still here + noise are at most the threshold; it is public."""
        fresh = discrete_laplace(len(self.here), self._each, bits=self._bits)
        is_leaving = self._least[self.here] + fresh <= threshold
        leaving, self.here = self.here[is_leaving], self.here[~is_leaving]
        np.subtract.at(self._least, self._to[places_of(self._start, leaving)], 1)
        return leaving


class _Asking(ABC):
    """Asks each vertex again and again; a frozen dataclass with `vertices` and `epsilon`, for one edge."""

    __slots__ = ()

    vertices: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        self._check()
        checked_scale(self.once, "scale")

    @abstractmethod
    def _check(self) -> None:
        """Refuse parameters outside their range."""

    @property
    def once(self) -> Fraction:
        """Scale of the noise that each vertex draws once."""
        return 4 / checked_epsilon(self.epsilon)

    @property
    def each(self) -> Fraction:
        """Scale of the noise of each question."""
        return 2 / self.epsilon

    @property
    def event(self) -> PureDP:
        """The price, fixed before the graph is seen."""
        return PureDP(2 / self.once + 1 / self.each)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return _ARGUMENT

    @property
    def is_local(self) -> bool:
        """Each vertex draws its own noise and says when it leaves, or where it stays."""
        return True

    def _questions(self, graph: Graph, bits: Bits) -> Questions:
        """Who is still there: everybody.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        return Questions(checked_size(graph, self.vertices), self.once, self.each, bits=bits)


@dataclass(frozen=True, slots=True)
class MatPeeling(_Asking):
    """Peeling by multidimensional AboveThreshold: k is asked until nobody leaves, then k + step.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
        step: by which k rises, >= 1.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> path = Graph(4, np.array([[0, 1], [1, 2], [2, 3]]))
        >>> MatPeeling(4, Fraction(400)).decide(path, bits=SystemBits()).numbers.tolist()
        [1, 1, 1, 1]
    """

    vertices: int
    epsilon: Fraction
    step: int = 1

    def _check(self) -> None:
        whole(self.step, "step", 1, MOST_VERTICES)

    @property
    def name(self) -> str:
        """What it is called."""
        return "MAT peeling"

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The k at which each vertex left, and the question (the whole process).

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        questions = self._questions(graph, bits)
        core, left = np.zeros(self.vertices, np.int64), np.zeros(self.vertices, np.int64)
        k = question = 0
        while len(questions.here):
            leaving = questions.ask(k)
            core[leaving], left[leaving] = k, question
            question += 1
            k += 0 if len(leaving) else self.step
        return PrivateCores(possible(core), (left,))


@dataclass(frozen=True, slots=True)
class LevelStructure(_Asking):
    """The level data structure of the local edge model: vertices climb while enough neighbors climb with them.

    In round r the vertices at level r compare their neighbors there with (1 + φ)^⌊r/L⌋, L rounds for each power; who has
    too few stays for good. Every vertex at the last level stays there.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
        growth: φ > 0.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        P. Mundra et al., arXiv 2506.20828: L is a quarter of the number of powers. Their estimate is proven to a factor,
        (2 + 1/2)(1 + φ)^…, and errs by more than 0 for all on most graphs; here it is the power at which a vertex stays,
        three quarters of a power back.
    """

    vertices: int
    epsilon: Fraction
    growth: Fraction = Fraction(1, 4)

    def _check(self) -> None:
        if self.growth <= 0:
            raise ParameterError("`growth` must be above 0.", "give Fraction(1, 2), say.")

    @property
    def powers(self) -> int:
        """How many powers of 1 + φ reach n."""
        return max(1, ceil(log(self.vertices) / log(1 + self.growth)))

    @property
    def rounds_each(self) -> int:
        """L: rounds for each power."""
        return max(1, self.powers // 4)

    @property
    def name(self) -> str:
        """What it is called."""
        return "level data structure"

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The estimate of each vertex, and its level (the whole process).

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        questions = self._questions(graph, bits)
        base, last = 1 + float(self.growth), self.rounds_each * self.powers
        level = np.full(self.vertices, last, np.int64)
        for r in range(last):
            level[questions.ask(int(base ** (r // self.rounds_each)))] = r
        numbers = np.rint(base ** (level / self.rounds_each - _BACK)).astype(np.int64)
        return PrivateCores(possible(numbers), (level,))
