"""A graph: a public number of vertices, and a private set of edges between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.types import IntArray

MOST_VERTICES = 2**31
EDGE_UNIT = "adding or removing one edge between two of the public vertices"
"""The privacy unit in words: a relation between two persons, not a person with all relations."""


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """An undirected graph without loops, each edge once. The vertices 0 … n - 1 are public.

    Directions are forgotten, loops left out and repeated edges merged (the least weight counts), so that every list of
    pairs of vertices is a graph and nothing private can fail later.

    Args:
        vertices: n >= 1.
        edges: (m, 2) whole numbers in [0, n).
        weights: (m,) whole numbers, or None: each edge weighs 0.

    Raises:
        ParameterError: another shape or type, or a vertex outside. Remedy: number the public vertices from 0.

    Example:
        >>> Graph(3, np.array([[1, 0], [0, 1], [2, 2]])).edges.tolist()
        [[0, 1]]
    """

    vertices: int
    edges: IntArray
    weights: IntArray | None = None

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        edges, weights = _checked(self.vertices, self.edges, self.weights)
        is_edge = edges[:, 0] != edges[:, 1]
        low, high, weights = np.minimum(*edges.T)[is_edge], np.maximum(*edges.T)[is_edge], weights[is_edge]
        code = low * self.vertices + high
        if np.any(code[1:] <= code[:-1]):
            code, weights = _once(code, weights) if self.weights is not None else _sorted_once(code)
        object.__setattr__(self, "edges", np.stack(np.divmod(code, self.vertices), axis=1))
        object.__setattr__(self, "weights", weights)

    @property
    def degrees(self) -> IntArray:
        """(n,) int64 how many neighbors each vertex has.

        Example:
            >>> Graph(4, np.array([[0, 1], [1, 2]])).degrees.tolist()
            [1, 2, 1, 0]
        """
        return np.bincount(self.edges.ravel(), minlength=self.vertices)

    def neighbors(self) -> tuple[IntArray, IntArray]:
        """Neighbors of all vertices, one after another.

        Returns:
            (n + 1,) int64 where the neighbors of each vertex begin, and (2 m,) int64 the neighbors, rising for each.

        Example:
            >>> start, to = Graph(4, np.array([[0, 1], [1, 2]])).neighbors()
            >>> start.tolist(), to.tolist()
            ([0, 1, 3, 4, 4], [1, 0, 2, 1])
        """
        start = np.concatenate(([0], np.cumsum(self.degrees)))
        one, other = self.edges.T
        both = np.concatenate((one * self.vertices + other, other * self.vertices + one))
        both.sort()
        return start, both % self.vertices

    @classmethod
    def from_networkx(cls, graph: Any, vertices: list[Any], *, weight: str | None = None) -> Graph:
        """A networkx graph with its public list of vertices.

        Args:
            graph: with `edges(data=…)` as networkx has it.
            vertices: every public vertex once, also those that are not in the graph.
            weight: name of the edges' whole weight, or None.

        Raises:
            ParameterError: a vertex that is not in the list. Remedy: list all that may be in the graph.
        """
        place = {vertex: i for i, vertex in enumerate(vertices)}
        pairs = list(graph.edges(data=weight)) if weight else [(u, v, 0) for u, v in graph.edges()]
        try:
            found = [(place[u], place[v], w) for u, v, w in pairs]
        except KeyError:
            raise ParameterError(
                "An edge has an end that is not in the list of vertices.", "list all public vertices."
            ) from None
        table = np.array(found, np.int64).reshape(-1, 3)
        return cls(len(vertices), table[:, :2], table[:, 2])


def component_labels(vertices: int, edges: IntArray) -> IntArray:
    """(n,) for each vertex the least vertex of its connected component.

    Labels are hooked along edges and shortened until nothing changes, all edges at once.

    Example:
        >>> component_labels(4, np.array([[3, 1], [1, 2]])).tolist()
        [0, 1, 1, 1]
    """
    label = np.arange(vertices, dtype=np.int64)
    while len(edges):
        ends = label[edges]
        edges, ends = edges[ends[:, 0] != ends[:, 1]], ends[ends[:, 0] != ends[:, 1]]
        np.minimum.at(label, ends.max(axis=1), ends.min(axis=1))
        while not np.array_equal(label, shorter := label[label]):
            label = shorter
    return label


def _once(code: IntArray, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Each code once, with its least weight."""
    order = np.lexsort((weights, code))
    found, first = np.unique(code[order], return_index=True)
    return found, weights[order[first]]


def _sorted_once(code: IntArray) -> tuple[IntArray, IntArray]:
    """Each code once, without weight; `numpy.unique` takes ten times as long."""
    code.sort()
    is_first = np.ones(len(code), np.bool_)
    np.not_equal(code[1:], code[:-1], out=is_first[1:])
    return code[is_first], np.zeros(int(is_first.sum()), np.int64)


def _checked(vertices: int, edges: IntArray, weights: IntArray | None) -> tuple[IntArray, IntArray]:
    """Edges and weights as int64."""
    pairs = np.asarray(edges)
    pairs = pairs.reshape(-1, 2).astype(np.int64) if not pairs.size else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ParameterError("Edges must be pairs of whole numbers.", "give an array of shape (edges, 2).")
    if len(pairs) and not (pairs.min() >= 0 and pairs.max() < vertices):
        raise ParameterError(
            "An edge has an end that is no vertex.", "number the public vertices 0 … n - 1 and declare n."
        )
    heavy = np.zeros(len(pairs), np.int64) if weights is None else np.asarray(weights)
    if heavy.shape != (len(pairs),) or heavy.dtype.kind not in "iu":
        raise ParameterError("Weights must be whole numbers, one for each edge.", "measure them in whole units.")
    return pairs.astype(np.int64), heavy.astype(np.int64)
