"""Edges that must be removed until a graph falls apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.graph import Graph

MOST_VERTICES = 4096
"""The matrix of n² numbers and n² steps on rows of it must stay affordable."""


@dataclass(frozen=True, slots=True)
class EdgesToDisconnect:
    """The distance to the graphs that are not connected: the global minimum cut; 0 where it already falls apart.

    It is a distance to a set, so one edge changes it by at most 1. By Menger's theorem it is also the largest number of
    paths without a common edge that join every two vertices (the least maximum flow).

    Source:
        M. Stoer and F. Wagner, "A Simple Min-Cut Algorithm", Journal of the ACM 44, 1997; distance to a property: Dwork et
        al., TCC 2006, section 3.2.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> EdgesToDisconnect().value(Graph(3, np.array([[0, 1], [1, 2], [2, 0]])))
        2
    """

    @property
    def name(self) -> str:
        """What it counts."""
        return "edges to remove until the graph is not connected"

    @property
    def sensitivity_of_edge(self) -> int:
        """The most by which one edge changes it."""
        return 1

    def bounds(self, vertices: int) -> tuple[int, int]:
        """Least and greatest value of any graph with so many vertices.

        Raises:
            ParameterError: fewer than 2 vertices, which never fall apart, or more than 4096. Remedy: other vertices.
        """
        if not 2 <= vertices <= MOST_VERTICES:
            raise ParameterError(
                "A minimum cut needs 2 to {most_vertices} vertices; got {vertices}.",
                "choose such a set of vertices.",
                most_vertices=MOST_VERTICES,
                vertices=vertices,
            )
        return 0, vertices - 1

    def value(self, graph: Graph) -> int:
        """The true number, in about n² steps on rows of n numbers."""
        self.bounds(graph.vertices)
        weight = np.zeros((graph.vertices, graph.vertices), np.int64)
        weight[graph.edges[:, 0], graph.edges[:, 1]] = 1
        weight += weight.T
        best = graph.vertices
        while len(weight) > 1:
            cut, last, before = _phase(weight)
            best = min(best, cut)
            weight[before] += weight[last]
            weight[:, before] = weight[before]
            weight[before, before] = 0
            weight = np.delete(np.delete(weight, last, 0), last, 1)
        return best


def _phase(weight: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> tuple[int, int, int]:
    """A cut of the phase: vertices are added by how strongly they are tied to those before; the last one is cut off."""
    tied, last, before = weight[0].copy(), 0, 0
    tied[0] = -1
    cut = 0
    for _ in range(len(weight) - 1):
        before, last = last, int(np.argmax(tied))
        cut = int(tied[last])
        tied = np.where(tied < 0, tied, tied + weight[last])
        tied[last] = -1
    return cut, last, before
