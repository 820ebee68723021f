"""Two graphs with some of the same persons and edges, drawn from one: what a second network looks like to a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """Two graphs, numbered afresh, and who is who.

    Args:
        one: the published graph.
        other: the intruder's.
        person_of_one: (n1,) int64 vertex of the graph that both are drawn from.
        person_of_other: (n2,) int64.
    """

    one: Graph
    other: Graph
    person_of_one: IntArray
    person_of_other: IntArray

    @property
    def truth(self) -> IntArray:
        """(n2,) int64 vertex of `one` of each vertex of `other`; -1: not there."""
        place = np.full(int(max(self.person_of_one.max(), self.person_of_other.max())) + 1, -1, np.int64)
        place[self.person_of_one] = np.arange(len(self.person_of_one))
        return place[self.person_of_other]


def overlapping(graph: Graph, vertices: float, edges: float, *, rng: np.random.Generator) -> Overlap:
    """Two graphs drawn from one, with declared overlap.

    A share of the vertices is in both graphs, and the others are dealt to one of them, by halves. Of the edges between
    common vertices each graph keeps each with probability 2 β / (1 + β), so that the edges of both are the share β of
    the edges of either. Vertices are numbered in a random order.

    Args:
        graph: of all persons.
        vertices: share of all persons who are in both, in (0, 1].
        edges: β, in (0, 1]: |E1 ∩ E2| / |E1 ∪ E2| between common persons, on average.
        rng: of the judge.

    Raises:
        ParameterError: a share outside (0, 1].

    Source:
        A. Narayanan and V. Shmatikov, "De-anonymizing social networks", IEEE S&P 2009, section 5.3 and appendix.

    Example:
        >>> ring = Graph(6, np.array([[i, (i + 1) % 6] for i in range(6)]))
        >>> drawn = overlapping(ring, 1.0, 1.0, rng=np.random.default_rng(1))
        >>> bool((drawn.person_of_one[drawn.truth] == drawn.person_of_other).all()), len(drawn.one.edges)
        (True, 6)
    """
    if not (0 < vertices <= 1 and 0 < edges <= 1):
        raise ParameterError("Shares of vertices and edges in both graphs must be above 0 and at most 1.", "use 0.5.")
    order = rng.permutation(graph.vertices)
    both = max(round(vertices * graph.vertices), 1)
    half = both + (graph.vertices - both) // 2
    keep = 2 * edges / (1 + edges)
    shared = np.zeros(graph.vertices, bool)
    shared[order[:both]] = True
    parts = [np.concatenate((order[:both], some)) for some in (order[both:half], order[half:])]
    persons = [rng.permutation(part) for part in parts]
    one, other = (_part(graph, some, shared, keep, rng) for some in persons)
    return Overlap(one, other, persons[0], persons[1])


def _part(graph: Graph, persons: IntArray, shared: np.ndarray, keep: float, rng: np.random.Generator) -> Graph:
    """The graph of some persons, with a part of the edges between common ones."""
    place = np.full(graph.vertices, -1, np.int64)
    place[persons] = np.arange(len(persons))
    is_here = (place[graph.edges] >= 0).all(axis=1)
    is_kept = ~shared[graph.edges].all(axis=1) | (rng.random(len(graph.edges)) < keep)
    return Graph(len(persons), place[graph.edges[is_here & is_kept]])
