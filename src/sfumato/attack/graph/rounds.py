"""Whether two persons know each other, from what was published of rounds or of core numbers, by likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.cores import core_numbers, h_indices
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class NoisyRounds:
    """What every vertex said in each round, with Laplace noise (discrete or not).

    Args:
        said: (rounds, n) the degrees, and then the h-index of what the neighbors had said.
        scales: (rounds,) float64 of the noise.
    """

    said: IntArray
    scales: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class AllButThese:
    """An intruder who knows every edge but some: the one of whom a privacy promise speaks.

    Args:
        graph: with all edges but those between the pairs.
        pairs: (m, 2) int64 persons of whom it is asked whether they know each other; no person is in two pairs.
    """

    graph: Graph
    pairs: IntArray


@dataclass(frozen=True, slots=True)
class EdgeOfRounds:
    """For each pair: is what the two said likelier with an edge between them than without?

    The two differ only in what the two ends say, and by 1 at most in each round; the likelihoods are compared exactly.

    Example:
        >>> view = NoisyRounds(np.array([[1, 1, 0, 0]]), np.array([0.1]))
        >>> asked = AllButThese(Graph(4, np.zeros((0, 2), int)), np.array([[0, 1], [2, 3]]))
        >>> EdgeOfRounds().guess(view, asked, np.random.default_rng(1)).tolist()
        [True, False]
    """

    attack: ClassVar[str] = "edge of rounds"

    def guess(self, view: NoisyRounds, knowledge: AllButThese, rng: np.random.Generator, /) -> BoolArray:
        """(m,) bool, whether there is an edge; a coin where both are equally likely."""
        without = knowledge.graph
        withal = Graph(without.vertices, np.concatenate((without.edges, knowledge.pairs)))
        ratio = (_log_likelihood(view, withal) - _log_likelihood(view, without))[knowledge.pairs].sum(axis=1)
        return _decide(ratio, rng)


@dataclass(frozen=True, slots=True, eq=False)
class NoisyNumbers:
    """Core numbers of a graph with Laplace noise.

    Args:
        said: (n,).
        scale: of the noise.
    """

    said: IntArray
    scale: float


@dataclass(frozen=True, slots=True)
class EdgeOfCores:
    """For each pair, of which alone is not known whether there is an edge: are the core numbers likelier with it?

    Example:
        >>> view = NoisyNumbers(np.array([2, 2, 2]), 0.5)
        >>> asked = AllButThese(Graph(3, np.array([[0, 1], [1, 2]])), np.array([[0, 2]]))
        >>> EdgeOfCores().guess(view, asked, np.random.default_rng(1)).tolist()
        [True]
    """

    attack: ClassVar[str] = "edge of core numbers"

    def guess(self, view: NoisyNumbers, knowledge: AllButThese, rng: np.random.Generator, /) -> BoolArray:
        """(m,) bool; each pair is decided as if the graph held all edges but it."""
        graph, out = knowledge.graph, np.zeros(len(knowledge.pairs))
        without = np.abs(view.said - core_numbers(graph)).sum()
        for i, pair in enumerate(knowledge.pairs):
            withal = core_numbers(Graph(graph.vertices, np.concatenate((graph.edges, pair[None]))))
            out[i] = (without - np.abs(view.said - withal).sum()) / view.scale
        return _decide(out, rng)


def _log_likelihood(view: NoisyRounds, graph: Graph) -> FloatArray:
    """(n,) how likely each vertex says what it said, given what all said before; up to a constant."""
    start, to = graph.neighbors()
    own, heard, out = np.diff(start), view.said[0], np.zeros(graph.vertices)
    for i, (said, scale) in enumerate(zip(view.said, view.scales, strict=True)):
        if i:
            own = np.minimum(own, h_indices(start, heard[to]))
            heard = np.minimum(heard, said)
        out -= np.abs(said - own) / scale
    return out


def _decide(ratio: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Whether a log-likelihood ratio is above 0; a coin at 0."""
    return np.asarray((ratio > 0) | ((ratio == 0) & (rng.random(len(ratio)) < 0.5)))
