"""The weight of the lightest spanning tree, each weight private and between public bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.table.graph import component_labels

if TYPE_CHECKING:
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

_LARGEST = 2**30


@dataclass(frozen=True, slots=True)
class SpanningTreeWeight:
    """The weight of a minimum spanning tree of all pairs of vertices; a pair without an edge weighs `high`.

    Neighbors differ in one pair of vertices: its edge is added, removed, or gets another weight. All three change the
    weight of one pair within [low, high], so the tree that was lightest gets heavier by at most high - low, and the new
    lightest one is no heavier than that; the same holds the other way round. Weights outside are clamped.

    With low = 0, high = 1 and edges that weigh 0 it is `EdgesToConnect`.

    Args:
        low: least weight, public; at least -2³⁰.
        high: greatest weight, and that of a pair without an edge; above low, at most 2³⁰.

    Raises:
        ParameterError: bounds outside their range or not in order. Remedy: declare them from knowledge.

    Source:
        C. Dwork et al., TCC 2006, section 3.2, and K. Nissim, S. Raskhodnikova, A. Smith, STOC 2007, section 3 (the
        problem); O. Borůvka, 1926 (the algorithm); pairs without an edge: ours.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> graph = Graph(4, np.array([[0, 1], [1, 2], [0, 2]]), np.array([2, 3, 9]))
        >>> SpanningTreeWeight(0, 10).value(graph)
        15
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        whole(self.low, "low", -_LARGEST, _LARGEST - 1)
        whole(self.high, "high", self.low + 1, _LARGEST)

    @property
    def name(self) -> str:
        """What it measures."""
        return "weight of a minimum spanning tree"

    @property
    def sensitivity_of_edge(self) -> int:
        """The most by which one edge changes it."""
        return self.high - self.low

    def bounds(self, vertices: int) -> tuple[int, int]:
        """Least and greatest value of any graph with so many vertices."""
        return (vertices - 1) * self.low, (vertices - 1) * self.high

    def value(self, graph: Graph) -> int:
        """The true weight: edges that lie in the forest, and `high` for each pair that joins its trees."""
        weights = np.clip(np.asarray(graph.weights), self.low, self.high)
        chosen = spanning_forest(graph.vertices, graph.edges, weights)
        joining = graph.vertices - 1 - len(chosen)
        return int(weights[chosen].sum()) + joining * self.high


def spanning_forest(vertices: int, edges: IntArray, weights: IntArray) -> IntArray:
    """(t,) places of the edges of a lightest spanning forest.

    In each round every component takes its lightest edge to another one; equal weights are told apart by their place.

    Example:
        >>> spanning_forest(3, np.array([[0, 1], [1, 2], [0, 2]]), np.array([5, 1, 1])).tolist()
        [1, 2]
    """
    by_rank, chosen = np.argsort(weights, kind="stable"), np.zeros(len(edges), bool)
    rank = np.empty(len(edges), np.int64)
    rank[by_rank] = np.arange(len(edges))
    while True:
        label = component_labels(vertices, edges[chosen])[edges]
        leaving = np.flatnonzero(label[:, 0] != label[:, 1])
        if not len(leaving):
            return np.flatnonzero(chosen)
        lightest = np.full(vertices, len(edges), np.int64)
        for side in (0, 1):
            np.minimum.at(lightest, label[leaving, side], rank[leaving])
        chosen[by_rank[lightest[lightest < len(edges)]]] = True
