"""A table of edges, tidied and numbered where it is.

Names of vertices become what the engine tells them apart by: numbers in the order of their names, or on a cluster the
names themselves, since to number them all would be the work of one machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import texts
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.summary.edges import Edges, Vertices
from sfumato.table.graph import Graph
from sfumato.table.named_graph import NamedGraph, Tidied

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.edges import EdgesOf, VerticesOf
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Numbered:
    """A tidied graph as tables of the engine.

    Args:
        vertices: table of all vertices, columns name and id.
        edges: table of the edges, each once, columns u and v of ids, u < v.
        ordered: names of all vertices, sorted.
        tidied: what the rows of the table were.
    """

    vertices: str
    edges: str
    ordered: tuple[str, ...]
    tidied: Tidied


def vertices(dialect: SqlDialect, ask: VerticesOf) -> Vertices:
    """The vertices that a table lists; the first row of each counts.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    vertex, others = dialect.cell(ask.vertex), [dialect.cell(name) for name in ask.attributes]
    told = "".join(f", {cell.text} AS a{i}" for i, cell in enumerate(others))
    found = dialect.run(
        f"SELECT CASE WHEN {vertex.is_present} THEN {vertex.text} END AS name{told}, t.__row AS r FROM {dialect.relation} t ORDER BY r"
    )
    cells = found["name"].to_pylist()
    first: dict[str, int] = {}
    for row, name in enumerate(cells):
        if name is not None:
            first.setdefault(name, row)
    names = tuple(sorted(first))
    columns = {column: found[f"a{i}"].to_pylist() for i, column in enumerate(ask.attributes)}
    attributes = {column: tuple(texts[first[name]] for name in names) for column, texts in columns.items()}
    return Vertices(names, attributes, len(cells), cells.count(None))


def numbered(dialect: SqlDialect, ask: EdgesOf, stack: ExitStack) -> Numbered:
    """The tidied edges and the vertices as tables that last as long as the stack.

    Args:
        dialect: the table of edges.
        ask: its columns, and the vertices that there are.
        stack: closed when the tables are not needed any more.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    ends = (dialect.cell(ask.source), dialect.cell(ask.target))
    a, b = (f"CASE WHEN {cell.is_present} THEN {cell.text} END" for cell in ends)
    rows = stack.enter_context(dialect.kept(f"SELECT {a} AS a, {b} AS b FROM {dialect.relation} t"))
    listed = _listed(dialect, ask, rows, stack)
    told = dialect.told_apart("name")
    points = stack.enter_context(dialect.kept(f"SELECT name, {told} AS id FROM {listed} n"))
    pairs = stack.enter_context(
        dialect.kept(
            f"SELECT p.id AS u, q.id AS v, count(*) AS n FROM {rows} r JOIN {points} p ON r.a = p.name "
            f"JOIN {points} q ON r.b = q.name GROUP BY p.id, q.id"
        )
    )
    edges = stack.enter_context(
        dialect.kept(
            f"SELECT least(u, v) AS u, greatest(u, v) AS v, count(*) AS n FROM {pairs} s WHERE u <> v "
            "GROUP BY least(u, v), greatest(u, v)"
        )
    )
    ordered = _named(dialect.run(f"SELECT name FROM {points} p ORDER BY name"))
    return Numbered(points, edges, ordered, _tidied(dialect, ask, (rows, points, pairs, edges)))


def edges(dialect: SqlDialect, ask: EdgesOf) -> Edges:
    """The graph of a table of edges.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    from contextlib import ExitStack

    with ExitStack() as stack:
        found = numbered(dialect, ask, stack)
        graph = in_memory(dialect, found)
    known = ask.vertices
    attributes = {} if known is None else known.attributes
    return Edges(NamedGraph(graph, found.ordered, attributes, known is not None), found.tidied)


def in_memory(dialect: SqlDialect, found: Numbered) -> Graph:
    """The numbered edges as a graph: vertex i has the i-th name."""
    pairs = dialect.run(f"SELECT u, v FROM {found.edges} e")
    ends = [places_of_ids(pairs[column], found.ordered) for column in ("u", "v")]
    return Graph(len(found.ordered), np.stack(ends, axis=1))


def places_of_ids(ids: pa.ChunkedArray, ordered: Sequence[str]) -> IntArray:
    """(m,) int64 places of vertices: numbers from 1 in the order of names, or names that are looked up.

    Args:
        ids: as the engine tells vertices apart.
        ordered: their names, sorted.
    """
    column = ids.combine_chunks()
    if pa.types.is_integer(column.type):
        return (
            np.asarray(np.from_dlpack(column.cast(pa.int64())), np.int64) - 1 if len(column) else np.zeros(0, np.int64)
        )
    import pyarrow.compute as pc

    return np.array(pc.index_in(column.cast(pa.string()), texts(ordered)), np.int64)


def _named(found: pa.Table) -> tuple[str, ...]:
    """The column of names.

    Raises:
        SchemaError: there are none.
    """
    names = tuple(found["name"].to_pylist())
    if not names:
        raise SchemaError(
            "A graph must have a vertex; no row names two ends.", "check the columns, and the codes that mean missing."
        )
    return names


def _listed(dialect: SqlDialect, ask: EdgesOf, rows: str, stack: ExitStack) -> str:
    """A table with the name of each vertex once."""
    if ask.vertices is not None:
        return stack.enter_context(dialect.stored({"name": texts(ask.vertices.names)}))
    ends = f"SELECT a AS name FROM {rows} r WHERE a IS NOT NULL AND b IS NOT NULL"
    others = f"SELECT b AS name FROM {rows} r WHERE a IS NOT NULL AND b IS NOT NULL"
    return stack.enter_context(dialect.kept(f"SELECT DISTINCT name FROM ({ends} UNION ALL {others}) e"))


def _tidied(dialect: SqlDialect, ask: EdgesOf, tables: tuple[str, str, str, str]) -> Tidied:
    """What the rows were."""
    rows, points, pairs, edges = tables
    read = dialect.run(
        f"SELECT count(*) AS n, coalesce(sum(CASE WHEN a IS NULL OR b IS NULL THEN 1 ELSE 0 END), 0) AS missing FROM {rows} r"
    )
    met = dialect.run(
        f"SELECT coalesce(sum(n), 0) AS n, coalesce(sum(CASE WHEN u = v THEN n ELSE 0 END), 0) AS loops FROM {pairs} s"
    )
    left = dialect.run(
        f"SELECT count(*) AS n, coalesce(sum(CASE WHEN n > 1 THEN 1 ELSE 0 END), 0) AS mutual FROM {edges} e"
    )
    n_rows, missing, known = _one(read, "n"), _one(read, "missing"), _one(met, "n")
    loops, n_edges = _one(met, "loops"), _one(left, "n")
    connected = dialect.run(f"SELECT count(*) AS n FROM (SELECT u FROM {edges} e UNION SELECT v FROM {edges} e) c")
    n_vertices = dialect.run(f"SELECT count(*) AS n FROM {points} p")
    return Tidied(
        rows=n_rows, missing=missing, outside=n_rows - missing - known, loops=loops, doubles=known - loops - n_edges,
        mutual=_one(left, "mutual"), edges=n_edges, alone=_one(n_vertices, "n") - _one(connected, "n"),
        repeated=0 if ask.vertices is None else ask.vertices.repeated,
    )  # fmt: skip


def _one(found: pa.Table, column: str) -> int:
    """The only number of a column."""
    return int(found[column][0].as_py())
