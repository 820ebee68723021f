"""A table of edges, with that of the vertices, read as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.summary.edges import EdgesOf, VerticesOf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.summary.edges import Vertices
    from sfumato.table.source import Source


def vertices_of(
    engine: Engine[Any], source: Source | None, vertex: str, attributes: Sequence[str] = ()
) -> Vertices | None:
    """The vertices that a table lists; None: there is no table.

    Args:
        engine: where data live.
        source: the table.
        vertex: column of names.
        attributes: further columns.
    """
    if source is None:
        return None
    return engine.summarize(engine.scan(source), VerticesOf(vertex, tuple(attributes)))


def edges_ask(ends: tuple[str, str], vertices: Vertices | None) -> EdgesOf:
    """What is asked of the table of edges."""
    return EdgesOf(*ends, vertices)
