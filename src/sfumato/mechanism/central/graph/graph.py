"""What is a graph here? A public number of vertices, and private edges between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import IntArray

MOST_VERTICES = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """An undirected graph without loops; an edge that is given twice, in either direction, counts once.

    Neighbors differ in one edge: the vertices and their number are public, who is linked to whom is not.

    Args:
        n_vertices: at least 1, public.
        edges: (m, 2) int64 vertices 0 … n-1, sorted and distinct; use `graph_of`.
    """

    n_vertices: int
    edges: IntArray

    def __repr__(self) -> str:
        """No private number."""
        return f"Graph({self.n_vertices} vertices)"


def graph_of(n_vertices: int, edges: IntArray) -> Graph:
    """A graph from pairs of vertices in any order; loops and repeated edges are left out.

    Args:
        n_vertices: public number of vertices, 1 … 2³¹ - 1.
        edges: (m, 2) int, vertices from 0 to n_vertices - 1.

    Raises:
        ParameterError: another shape, or a vertex outside. Remedy: number the vertices from 0.

    Example:
        >>> graph_of(3, np.array([[1, 0], [0, 1], [2, 2]])).edges.tolist()
        [[0, 1]]
    """
    if isinstance(n_vertices, bool) or not 1 <= n_vertices <= MOST_VERTICES:
        raise ParameterError(f"A graph has 1 to 2^31 - 1 vertices; got {n_vertices!r}.", "declare how many there are.")
    pairs = np.asarray(edges)
    if pairs.size == 0:
        return Graph(n_vertices, np.zeros((0, 2), np.int64))
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ParameterError("Edges must be pairs of whole numbers, one row for each.", "give an (m, 2) array.")
    if pairs.min() < 0 or pairs.max() >= n_vertices:
        raise ParameterError(f"Every vertex must lie in 0 … {n_vertices - 1}.", "number the vertices from 0.")
    ordered = np.sort(pairs.astype(np.int64), axis=1)
    return Graph(n_vertices, np.unique(ordered[ordered[:, 0] != ordered[:, 1]], axis=0).reshape(-1, 2))
