"""What a mechanism was declared for: a graph of so many vertices, a share of epsilon."""

from __future__ import annotations

from fractions import Fraction
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


def checked_share(share: Fraction) -> Fraction:
    """A share of epsilon that leaves both parts something to pay with.

    Raises:
        ParameterError: no fraction, or not between 0 and 1. Remedy: give one.
    """
    if not isinstance(share, Fraction) or not 0 < share < 1:
        raise ParameterError("`share` must be an exact fraction between 0 and 1.", "use Fraction(1, 10), say.")
    return share
