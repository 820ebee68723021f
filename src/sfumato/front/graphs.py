"""Graphs from any table of edges that Sfumato reads: as they are, their exact figures, and noisy statistics of them."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.document.result.graph import GraphFigures, GraphNearness
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.release.accounted import charge_to, settle_with
from sfumato.release.answer.query import digest_of
from sfumato.release.engines import engine_of
from sfumato.release.graph.reading import edges_ask, vertices_of
from sfumato.release.graph.statistic import event_of
from sfumato.release.measure import SEED
from sfumato.summary.edges import Cores, CoresOf, DegreesOf, PartsOf, TrianglesOf
from sfumato.table.graph import Graph
from sfumato.table.source import source_from
from sfumato.utility.graph.measure import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.release.graph.statistic import Found, Statistic
    from sfumato.release.plan import AccountChoice
    from sfumato.summary.ask import Ask
    from sfumato.summary.edges import EdgesOf, OfVertices
    from sfumato.table.named_graph import NamedGraph, Tidied
    from sfumato.table.unit import Unit

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """Where a graph is: columns of a table of edges, and a table of vertices if there is one.

    A loop is left out, and edges between the same two vertices are one edge, whatever their direction.

    Args:
        source: column of one end; None: the first of the table.
        target: column of the other; None: the second.
        vertices: table that lists the vertices, also those without edges; rows with another end are left out. None: the
            vertices are those of the edges.
        vertex: column of their names in that table; None: the first.
        attributes: further columns of it that are kept.
    """

    source: str | None = None
    target: str | None = None
    vertices: object = field(default=None, kw_only=True)
    vertex: str | None = field(default=None, kw_only=True)
    attributes: tuple[str, ...] = field(default=(), kw_only=True)


def read_graph(
    source: object, columns: EdgeColumns | None = None, *, engine: object = None
) -> tuple[NamedGraph, Tidied]:
    """Read a table of edges: CSV, Parquet, Excel, a frame, a database.

    Args:
        source: a path, a table in memory or a source.
        columns: its columns; None: the first two.
        engine: where the table is read, as `sfumato.run` has it.

    Returns:
        The graph with the names of its vertices, and what was wrong with the rows, by counts.

    Raises:
        SourceError: a table cannot be read.
        SchemaError: a column is absent, or nobody is named.

    Example:
        >>> import pyarrow as pa
        >>> table = pa.table({"who": ["ann", "ben", "ann", "ben"], "whom": ["ben", "ann", "ann", "cid"]})
        >>> named, found = read_graph(table)
        >>> named.names, named.graph.edges.tolist(), found.loops, found.doubles
        (('ann', 'ben', 'cid'), [[0, 1], [1, 2]], 1, 1)
    """
    found = _asked(source, columns, engine, lambda edges: edges)
    return found.named, found.tidied


FIGURES: Mapping[str, Callable[[EdgesOf], Ask[Any]]] = {
    "cores": CoresOf,
    "degrees": DegreesOf,
    "parts": PartsOf,
    "triangles": TrianglesOf,
}
"""Exact figures by name: what an engine is asked for each."""


def graph_numbers(
    source: object, figure: str, columns: EdgeColumns | None = None, *, engine: object = None
) -> OfVertices:
    """An exact number of each vertex: for the owner of the table, since it is not private.

    Core numbers are found by rounds of group-bys over edges where the table is, so that a cluster does the work.

    Args:
        source: a path, a table in memory or a source.
        figure: "cores", "degrees", "parts" (the least place of a vertex of the same part) or "triangles".
        columns: the columns of the table; None: the first two.
        engine: where the work is done, as `sfumato.run` has it.

    Raises:
        SourceError: a table cannot be read.
        SchemaError: a column is absent, or nobody is named.

    Example:
        >>> import pyarrow as pa
        >>> table = pa.table({"u": [1, 2, 3, 3], "v": [2, 3, 1, 4]})
        >>> found = graph_numbers(table, "cores")
        >>> found.names, found.numbers.tolist()
        (('1', '2', '3', '4'), [2, 2, 2, 1])
    """
    found: OfVertices = _asked(source, columns, engine, FIGURES[figure])
    return found


def told_of(figure: str, found: OfVertices) -> GraphFigures:
    """The exact numbers of all vertices in short: how many have each.

    Args:
        figure: one of `FIGURES`.
        found: what `graph_numbers` gave.
    """
    numbers, total = found.numbers, int(found.numbers.sum())
    if figure == "parts":
        _, numbers = np.unique(numbers, return_counts=True)
    values, counts = np.unique(numbers, return_counts=True)
    totals = {"cores": int(values.max()), "degrees": total // 2, "parts": len(numbers), "triangles": total // 3}
    rounds = (found.rounds, found.messages, found.peeled) if isinstance(found, Cores) else (None, None, None)
    return GraphFigures(
        figure=figure, vertices=len(found.names), tidied=found.tidied, number=_NUMBER[figure],
        values=tuple(values.tolist()), counts=tuple(counts.tolist()), total=totals[figure], rounds=rounds[0],
        messages=rounds[1], peeled=rounds[2],
    )  # fmt: skip


_NUMBER = {"cores": "core number", "degrees": "degree", "parts": "vertices of a part", "triangles": "triangles"}
"""What is counted in each figure."""


def graph_nearness(
    source: object, other: object, columns: EdgeColumns | None = None, *, engine: object = None
) -> GraphNearness:
    """How near another graph is to this one: twelve exact distances, for the owner of both.

    The other one may have fewer vertices in its rows: those without an edge are in none.

    Args:
        source: a path, a table in memory or a source.
        other: another, with the same columns.
        columns: of both; None: the first two. A table of vertices is that of the first.
        engine: where they are read, as `sfumato.run` has it.

    Raises:
        SchemaError: the other one names more vertices. Remedy: list those of the first.

    Example:
        >>> import pyarrow as pa
        >>> one, other = pa.table({"u": [1, 2, 3], "v": [2, 3, 1]}), pa.table({"u": [7, 8], "v": [8, 9]})
        >>> found = graph_nearness(one, other)
        >>> [(figure.label, figure.value) for figure in found.figures][:1]
        [('Edges', 0.3333333333333333)]
    """
    first = read_graph(source, columns, engine=engine)[0].graph
    second = read_graph(other, None if columns is None else replace(columns, vertices=None), engine=engine)[0].graph
    if second.vertices > first.vertices:
        raise SchemaError(
            "Both graphs must have as many vertices; the first has {n_first:,}, the other names {n_other:,}.",
            "list the vertices of the first with `vertices`.",
            n_first=first.vertices,
            n_other=second.vertices,
        )
    whole = Graph(first.vertices, second.edges)
    return GraphNearness(
        vertices=first.vertices, edges=len(first.edges), other=len(whole.edges),
        figures=measure(whole, first, rng=np.random.default_rng(SEED)),
    )  # fmt: skip


def graph_statistics(
    named: NamedGraph,
    statistics: Sequence[Statistic],
    unit: Unit,
    *,
    confidence: float = 0.95,
    account: AccountChoice | None = None,
    bits: Bits | None = None,
) -> tuple[Found, ...]:
    """Numbers of a graph with noise that protects an edge, or a vertex with its edges.

    What all statistics cost is charged before the graph is looked at.

    Args:
        named: the graph, with public vertices (`read_graph`).
        statistics: what is asked (`release.graph.registry.statistics_of`).
        unit: what each answer protects: `Unit.edge()` or `Unit.node(…)`, as the statistics were made for.
        confidence: of each interval by itself, in (0, 1).
        account: who pays. None: nobody, and nobody adds up what is asked.
        bits: chance; None: the system's.

    Raises:
        BudgetExceeded: too little is left; nothing was charged and nothing was read.
        LedgerError: the request was answered before, or the ledger cannot be used.

    Example:
        >>> import pyarrow as pa
        >>> from fractions import Fraction
        >>> from sfumato.document.graph import EdgeUnit
        >>> from sfumato.document.graph_statistics import EdgesToConnectTable
        >>> from sfumato.document.trace_statistics import PriceTable
        >>> from sfumato.release.graph.registry import statistics_of
        >>> from sfumato.table.unit import Unit
        >>> named, _ = read_graph(pa.table({"u": list(range(0, 2000, 2)), "v": list(range(1, 2000, 2))}))
        >>> asked = statistics_of((EdgesToConnectTable(price=PriceTable(epsilon=Fraction(1))),), EdgeUnit())
        >>> (found,) = graph_statistics(named, asked, Unit.edge())
        >>> abs(found.values[0] - 999) < 40
        np.True_
    """
    event, chance = event_of(statistics), bits if bits is not None else SystemBits()
    if account is not None:
        meaning = digest_of({"statistics": [[one.title, one.price, repr(one.event)] for one in statistics],
                             "unit": unit.sentence, "confidence": str(confidence)})  # fmt: skip
        charge_to(account, event, unit, question=meaning, note="statistics of a graph")
    found = tuple(one.found(named, confidence=confidence, bits=chance) for one in statistics)
    if account is not None:
        settle_with(account, "statistics of a graph", bits=chance)
    return found


def _asked(source: object, columns: EdgeColumns | None, engine: object, ask: Callable[[EdgesOf], Ask[S]]) -> S:
    """What an engine answers about a table of edges."""
    said, given = columns or EdgeColumns(), source_from(source)
    with engine_of(engine, getattr(given, "frame", None)) as where:
        known = None
        if said.vertices is not None:
            listed = source_from(said.vertices)
            vertex = said.vertex or _first(where, where.scan(listed), 1)[0]
            known = vertices_of(where, listed, vertex, said.attributes)
        table = where.scan(given)
        first, second = (None, None) if said.source and said.target else _first(where, table, 2)
        ends = (said.source or str(first), said.target or str(second))
        return where.summarize(table, ask(edges_ask(ends, known)))


def _first(engine: Engine[Any], table: Any, n: int) -> tuple[str, ...]:
    """The first columns of a table.

    Raises:
        SchemaError: it has fewer.
    """
    names = engine.header(table).names
    if len(names) < n:
        raise SchemaError(
            "A table of edges must have two columns; this one has {n_names}.",
            "check its delimiter.",
            n_names=len(names),
        )
    return names[:n]
