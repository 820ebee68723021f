"""What is asked of a table of edges: the edges themselves, numbered, and exact figures of their graph.

All of it is for somebody who may see the table. Vertices are canonical texts, so that 7, "7" and 7.0 are one vertex; a
loop is left out, and edges between the same two vertices are one edge (`table.named_graph.LOOPS_AND_DOUBLES`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.summary.ask import Ask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.table.named_graph import NamedGraph, Tidied
    from sfumato.types import IntArray

MOST_LOCAL = 200_000_000
"""Edges that are peeled in the memory of one computer at most: about 48 bytes for each."""


@dataclass(frozen=True, slots=True, eq=False)
class Vertices:
    """The vertices of a table that lists them.

    Args:
        names: distinct canonical texts, sorted.
        attributes: of the first row that names the vertex, by column; None where missing.
        rows: of the table.
        missing: rows that name nobody.
    """

    names: tuple[str, ...]
    attributes: Mapping[str, tuple[str | None, ...]]
    rows: int
    missing: int

    @property
    def repeated(self) -> int:
        """Rows that name a vertex again."""
        return self.rows - self.missing - len(self.names)


@dataclass(frozen=True, slots=True)
class VerticesOf(Ask[Vertices]):
    """The vertices that a table lists.

    Args:
        vertex: column of their names.
        attributes: further columns.
    """

    vertex: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """A table of edges as a graph.

    Args:
        named: the graph and the names of its vertices.
        tidied: what its rows were.
    """

    named: NamedGraph
    tidied: Tidied


@dataclass(frozen=True, slots=True, eq=False)
class EdgesOf(Ask[Edges]):
    """The graph of a table of edges, numbered in the engine.

    Args:
        source: column of one end.
        target: column of the other.
        vertices: the vertices that there are; rows with another end are left out. None: those of the edges.
    """

    source: str
    target: str
    vertices: Vertices | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OfVertices:
    """A whole number of each vertex.

    Args:
        names: (n,) vertices, sorted.
        numbers: (n,) int64.
        tidied: what the rows of the table were.
    """

    names: tuple[str, ...]
    numbers: IntArray
    tidied: Tidied


@dataclass(frozen=True, slots=True, eq=False)
class Cores(OfVertices):
    """Core numbers, and how they were found.

    Args:
        rounds: of Montresor's protocol, the first (degrees are sent) and the last (nothing changes) among them.
        messages: estimates that vertices sent to a neighbor in these rounds.
        peeled: vertices that still changed when the rest was peeled in memory; 0: the rounds came to their end.
    """

    rounds: int
    messages: int
    peeled: int


@dataclass(frozen=True, slots=True, eq=False)
class CoresOf(Ask[Cores]):
    """Core numbers of all vertices, exactly.

    Args:
        edges: the table of edges.
        most_local: edges that may be peeled in memory, where rounds change few vertices; 0: rounds to the end.
    """

    edges: EdgesOf
    most_local: int = MOST_LOCAL


@dataclass(frozen=True, slots=True, eq=False)
class DegreesOf(Ask[OfVertices]):
    """How many neighbors each vertex has, exactly."""

    edges: EdgesOf


@dataclass(frozen=True, slots=True, eq=False)
class PartsOf(Ask[OfVertices]):
    """Connected parts, exactly: the number of a vertex is the least place of a vertex of its part."""

    edges: EdgesOf


@dataclass(frozen=True, slots=True, eq=False)
class TrianglesOf(Ask[OfVertices]):
    """In how many triangles each vertex is, exactly; a third of the sum is the number of triangles."""

    edges: EdgesOf
