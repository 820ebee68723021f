"""A graph whose vertices have few neighbors, made so that one vertex changes little of it: for node privacy.

Edges are put in one by one, in an order of all pairs that is fixed before any graph is seen, each if both of its ends have
room. A vertex more, with all its edges, then changes what can be counted of the result by a bounded amount:

- the degrees of the others by at most θ in all, and with its own by 2θ;
- the number of edges by at most θ;
- the numbers of vertices of degree 1, 2, …, θ by at most 2θ + 1 in all;
- the numbers of vertices of at least each degree 1, 2, …, θ by at most 2θ in all.

It is *not* bounded how many edges differ: one that goes makes room for a second, for which a third goes. So an answer that
is private for edges, asked of the projected graph, is not private for nodes.

Proof: `docs/proofs/graph-statistics.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES, Graph

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.types import BoolArray, IntArray

PAYS_FROM = 500_000
"""Edges from which a compiled loop is worth loading."""
NODE_UNIT = "putting in or taking away all edges of one of the public vertices"
"""The privacy unit in words: whether somebody takes part, with all relations."""


@dataclass(frozen=True, slots=True)
class Projection:
    """To at most so many neighbors of each vertex.

    Args:
        most: θ, the most neighbors that a vertex keeps, 1 … 2³¹. Public: chosen without looking at the graph.
        order: number of the order of all pairs, 0 … 2⁶³ - 1. Public; any will do.

    Raises:
        ParameterError: a number outside its range. Remedy: give one inside.

    Source:
        W.-Y. Day, N. Li, M. Lyu, "Publishing Graph Degree Distribution with Node Differential Privacy", SIGMOD 2016,
        algorithm 1 and lemmas 3 and 6.

    Example:
        >>> star = Graph(5, np.array([[0, 1], [0, 2], [0, 3], [3, 4]]))
        >>> kept = Projection(2, order=0).project(star)
        >>> kept.degrees.max(), len(kept.edges)
        (np.int64(2), 3)
    """

    most: int
    order: int

    def __post_init__(self) -> None:
        whole(self.most, "most", 1, MOST_VERTICES)
        whole(self.order, "order", 0, 2**63 - 1)

    @property
    def edges_moved(self) -> int:
        """The most by which one vertex changes the number of edges: θ."""
        return self.most

    @property
    def degrees_moved(self) -> int:
        """The most by which one vertex changes all degrees together, its own included: 2θ."""
        return 2 * self.most

    @property
    def histogram_moved(self) -> int:
        """The most by which one vertex changes the numbers of vertices of degree 1 … θ together: 2θ + 1 (2 if θ = 1)."""
        return 2 * self.most + 1 if self.most > 1 else 2

    @property
    def at_least_moved(self) -> int:
        """The most by which one vertex changes the numbers of vertices of degree >= 1, …, >= θ together: 2θ."""
        return 2 * self.most

    def project(self, graph: Graph) -> Graph:
        """The graph with the edges that found room."""
        crowded = (graph.degrees > self.most)[graph.edges].any(axis=1)
        if not crowded.any():
            return graph
        kept = self.kept(graph)
        return Graph(graph.vertices, graph.edges[kept], None if graph.weights is None else graph.weights[kept])

    def kept(self, graph: Graph) -> BoolArray:
        """(m,) which edges found room."""
        order = np.argsort(_keys(graph.edges, self.order), kind="stable")
        keep = np.zeros(len(order), np.bool_)
        room = np.full(graph.vertices, self.most, np.int64)
        if pays(len(order), PAYS_FROM):
            compiled(_put_in)(graph.edges, order, room, keep)
        else:
            keep[order[_put_in_at_once(graph.edges[order], room)]] = True
        return keep


def _keys(edges: IntArray, order: int) -> npt.NDArray[np.uint64]:
    """(m,) places of pairs in the order of all pairs; no two pairs have the same, whatever the number of vertices.

    Source:
        G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 16 (SplitMix64),
        which permutes the numbers of 64 bits.
    """
    with np.errstate(over="ignore"):
        x = (edges[:, 0].astype(np.uint64) << np.uint64(31)) | edges[:, 1].astype(np.uint64)
        x = (x + np.uint64(order)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def _put_in(edges: Any, order: Any, room: Any, keep: Any) -> None:
    """One edge after another; numbers of machine code as of Python."""
    for place in order:
        u, v = edges[place, 0], edges[place, 1]
        if room[u] > 0 and room[v] > 0:
            room[u] -= 1
            room[v] -= 1
            keep[place] = True


def _put_in_at_once(edges: IntArray, room: IntArray) -> IntArray:
    """Places of the same edges, many in a round: `edges` in their order.

    An edge is in where at both ends fewer undecided edges come before it than there is room: all of those may be in, and
    it is still. It is out where an end has no room: what took it came before. The first undecided edge is always decided,
    and in a random order there are few rounds.
    """
    at = edges.ravel()
    half = np.argsort(at, kind="stable")  # ends by vertex, and for each vertex in the order
    in_at, room = np.zeros(len(edges), np.bool_), room.copy()
    while len(half):
        vertex = at[half]
        begins = np.flatnonzero(np.diff(vertex, prepend=-1))
        before = np.arange(len(half)) - np.repeat(begins, np.diff(np.append(begins, len(half))))
        fits = np.zeros(2 * len(edges), np.bool_)
        fits[half] = before < room[vertex]
        both = fits[0::2] & fits[1::2]
        in_at |= both
        room -= np.bincount(edges[both].ravel(), minlength=len(room))
        full = (room <= 0)[at]
        half = half[~(both | full[0::2] | full[1::2])[half // 2]]
    return np.flatnonzero(in_at)
