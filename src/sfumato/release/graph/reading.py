"""A table of edges, with that of the vertices, read as a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.release.reread import read_again
from sfumato.summary.edges import EdgesOf, VerticesOf
from sfumato.table.graph import Graph
from sfumato.table.source import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.graph import GraphTable
    from sfumato.engine.base import Engine, Receipt
    from sfumato.release.pipeline import Run
    from sfumato.summary.edges import Edges, Vertices
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


def edges_of(engine: Engine[Any], table: Any, said: GraphTable, vertices: Source | None) -> Edges:
    """A table of edges as a graph.

    Args:
        engine: where data live.
        table: of edges.
        said: its columns, and those of the vertices.
        vertices: the public table of vertices; None: no table lists them.
    """
    listed = said.vertices
    known = None if listed is None else vertices_of(engine, vertices, listed.vertex, listed.attributes)
    return engine.summarize(table, edges_ask((said.source, said.target), known))


def handle_again(run: Run[Any], receipt: Receipt) -> Any:
    """A table of numbers that was written, to be read again."""
    plain, header = replace(run.plan, source=None), replace(run.header, dialect=Dialect())
    return read_again(run.engine, plain, header, receipt, bits=run.tools.bits)


def graph_again(run: Run[Any], said: GraphTable, receipt: Receipt, vertices: int) -> Graph:
    """A graph between numbers that was written, read again.

    Args:
        run: that wrote it.
        said: its columns.
        receipt: of the file.
        vertices: how many there are, with those in no row.
    """
    again = handle_again(run, receipt)
    named = run.engine.summarize(again, edges_ask((said.source, said.target), None)).named
    names = np.array([int(name) for name in named.names], np.int64)
    return Graph(vertices, names[named.graph.edges])
