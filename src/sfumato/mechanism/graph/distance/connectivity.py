"""Edges that must be added until a graph is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.graph import component_labels

if TYPE_CHECKING:
    from sfumato.table.graph import Graph


@dataclass(frozen=True, slots=True)
class EdgesToConnect:
    """The distance to the connected graphs: the number of connected components, less 1.

    An added edge joins at most two components, so it is a distance in edges, and a distance to any set changes by at
    most 1 when one edge does.

    Source:
        C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating Noise to Sensitivity in Private Data Analysis", TCC 2006,
        section 3.2 (distance to a property).

    Example:
        >>> from sfumato.table.graph import Graph
        >>> EdgesToConnect().value(Graph(5, np.array([[0, 1], [2, 3]])))
        2
    """

    @property
    def name(self) -> str:
        """What it counts."""
        return "edges to add until the graph is connected"

    @property
    def sensitivity_of_edge(self) -> int:
        """The most by which one edge changes it."""
        return 1

    def bounds(self, vertices: int) -> tuple[int, int]:
        """Least and greatest value of any graph with so many vertices."""
        return 0, vertices - 1

    def value(self, graph: Graph) -> int:
        """The true number."""
        label = component_labels(graph.vertices, graph.edges)
        return int(np.count_nonzero(label == np.arange(graph.vertices))) - 1
