"""The graph that a mechanism was declared for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.table.graph import Graph


def checked_size(graph: Graph, vertices: int) -> Graph:
    """The graph, if it has the declared number of public vertices.

    Raises:
        ParameterError: another number. Remedy: declare the number of public vertices.
    """
    if graph.vertices != vertices:
        raise ParameterError(
            "The graph must have the {vertices} declared vertices; it has {vertices2}.",
            "declare the number of public vertices.",
            vertices=vertices,
            vertices2=graph.vertices,
        )
    return graph
