"""A graph with the names of its vertices and what is known of them, and what was tidied where its edges were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.graph import Graph

LOOPS_AND_DOUBLES = (
    "An edge that leads from a vertex to itself is left out; edges between the same two vertices are one edge."
)
"""The one rule for tables of edges, in words."""


@dataclass(frozen=True, slots=True)
class Tidied:
    """What the rows of a table of edges were: exact counts, for the owner of the table only.

    `rows = missing + outside + loops + doubles + edges`.

    Args:
        rows: of the table.
        missing: rows with an end that names nobody.
        outside: rows with an end that is not among the listed vertices.
        loops: rows from a vertex to itself.
        doubles: rows between two vertices that an earlier row connects, in either direction.
        mutual: pairs of vertices with edges in both directions.
        edges: that are left.
        alone: vertices without an edge.
        repeated: rows of the table of vertices that name a vertex again.
    """

    rows: int
    missing: int
    outside: int
    loops: int
    doubles: int
    mutual: int
    edges: int
    alone: int = 0
    repeated: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class NamedGraph:
    """A graph whose vertices have names.

    Args:
        graph: vertices 0 … n - 1.
        names: (n,) of the vertices, distinct, sorted by their signs.
        attributes: of the vertices, by the name of the column: (n,) texts, None where nothing is known.
        listed: whether a table lists the vertices; otherwise they are those of the edges.
    """

    graph: Graph
    names: tuple[str, ...]
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    listed: bool = False
