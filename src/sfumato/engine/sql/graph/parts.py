"""Connected parts and triangles by joins over edges."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import ints
from sfumato.engine.sql.graph.edges import numbered, places_of_ids
from sfumato.summary.edges import OfVertices

if TYPE_CHECKING:
    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.engine.sql.graph.edges import Numbered
    from sfumato.summary.edges import PartsOf, TrianglesOf
    from sfumato.types import IntArray


def parts(dialect: SqlDialect, ask: PartsOf) -> OfVertices:
    """For each vertex the least place of a vertex of its part.

    Each part hangs itself below the least part that an edge connects it with; ways to the top are then halved until
    each vertex knows its top. So much is done anew with the edges that still connect two parts.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    with ExitStack() as stack:
        graph = numbered(dialect, ask.edges, stack)

        def kept(query: str) -> str:
            return stack.enter_context(dialect.kept(query))

        label = kept(f"SELECT id, id AS top FROM {graph.vertices} p")
        edges = kept(f"SELECT u, v FROM {graph.edges} e")
        while _count(dialect, edges):
            hung = kept(f"SELECT greatest(u, v) AS id, min(least(u, v)) AS top FROM {edges} e GROUP BY greatest(u, v)")
            hung = _shortened(dialect, hung, stack)
            label = kept(_moved(label, hung, "l.id AS id", "top"))
            edges = kept(
                "SELECT DISTINCT least(u, v) AS u, greatest(u, v) AS v FROM (SELECT coalesce(f.top, e.u) AS u, "
                f"coalesce(g.top, e.v) AS v FROM {edges} e LEFT JOIN {hung} f ON e.u = f.id LEFT JOIN {hung} g ON e.v = g.id) m "
                "WHERE u <> v"
            )
        found = dialect.run(f"SELECT id, top FROM {label} l")
        return OfVertices(graph.ordered, _in_order(graph, found), graph.tidied)


def triangles(dialect: SqlDialect, ask: TrianglesOf) -> OfVertices:
    """In how many triangles each vertex is.

    Each edge is led from its end with fewer neighbors to the other, so that few paths of two edges begin at a vertex; a
    triangle is found once, where the ends of such a path are connected.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.

    Source:
        S. Suri, S. Vassilvitskii, "Counting triangles and the curse of the last reducer", WWW 2011, section 4.
    """
    with ExitStack() as stack:
        graph = numbered(dialect, ask.edges, stack)
        degree = stack.enter_context(
            dialect.kept(
                f"SELECT id, count(*) AS k FROM (SELECT u AS id FROM {graph.edges} e UNION ALL SELECT v AS id FROM {graph.edges} e) b "
                "GROUP BY id"
            )
        )
        fewer = "d.k < g.k OR (d.k = g.k AND e.u < e.v)"
        led = stack.enter_context(
            dialect.kept(
                f"SELECT CASE WHEN {fewer} THEN u ELSE v END AS a, CASE WHEN {fewer} THEN v ELSE u END AS b "
                f"FROM {graph.edges} e JOIN {degree} d ON e.u = d.id JOIN {degree} g ON e.v = g.id"
            )
        )
        found = stack.enter_context(
            dialect.kept(
                f"SELECT x.a AS a, x.b AS b, y.b AS c FROM {led} x JOIN {led} y ON x.b = y.a JOIN {led} z ON z.a = x.a AND z.b = y.b"
            )
        )
        ends = " UNION ALL ".join(f"SELECT {end} AS id FROM {found} t" for end in "abc")
        counted = dialect.run(f"SELECT id, count(*) AS n FROM ({ends}) s GROUP BY id")
        out = np.zeros(len(graph.ordered), np.int64)
        out[places_of_ids(counted["id"], graph.ordered)] = ints(counted, "n")
        return OfVertices(graph.ordered, out, graph.tidied)


def _shortened(dialect: SqlDialect, hung: str, stack: ExitStack) -> str:
    """Each way to the top in one step."""
    while True:
        longer = f"SELECT count(*) AS n FROM {hung} h JOIN {hung} f ON h.top = f.id"
        if not int(ints(dialect.run(longer), "n")[0]):
            return hung
        hung = stack.enter_context(dialect.kept(_moved(hung, hung, "l.id AS id", "top")))


def _moved(label: str, hung: str, kept: str, top: str) -> str:
    """The labels, each replaced by what it hangs below."""
    return f"SELECT {kept}, coalesce(h.top, l.{top}) AS top FROM {label} l LEFT JOIN {hung} h ON l.{top} = h.id"


def _count(dialect: SqlDialect, table: str) -> int:
    """Rows of a table."""
    return int(ints(dialect.run(f"SELECT count(*) AS n FROM {table} e"), "n")[0])


def _in_order(graph: Numbered, found: object) -> IntArray:
    """(n,) places of the tops, in the order of the vertices."""
    out = np.zeros(len(graph.ordered), np.int64)
    out[places_of_ids(found["id"], graph.ordered)] = places_of_ids(found["top"], graph.ordered)  # type: ignore[index]
    return out
