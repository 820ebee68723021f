"""Exact core numbers by Montresor's rounds, each round a group-by over edges.

Every vertex has an estimate from above, at first its degree. In a round, a vertex that lost support (a neighbor's
estimate fell below its own) takes the h-index of its neighbors' estimates: the largest h such that h of them are at least
h. When no estimate falls any more, they are the core numbers. A long path needs as many rounds as half its vertices, so
where a round changes few vertices and the graph fits into memory, it is fetched and peeled.

Source: A. Montresor, F. De Pellegrini, D. Miorandi, "Distributed k-core decomposition", PODC 2011.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import ints
from sfumato.engine.sql.graph.edges import in_memory, numbered, places_of_ids
from sfumato.frozen import dataclass
from sfumato.summary.cores import core_numbers
from sfumato.summary.edges import Cores, OfVertices

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.engine.sql.graph.edges import Numbered
    from sfumato.summary.edges import CoresOf, DegreesOf
    from sfumato.types import IntArray

FEW = 4
"""Where fewer than one in so many vertices changed in a round, peeling in memory takes less than the rounds that are left."""


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """Estimates after a round.

    Args:
        estimates: table with id, k and degree.
        fallen: table of those that changed: id, former and k.
        n_fallen: their number.
        messages: that they send.
    """

    estimates: str
    fallen: str
    n_fallen: int
    messages: int


def cores(dialect: SqlDialect, ask: CoresOf) -> Cores:
    """Core numbers with the rounds and messages that they took.

    Args:
        dialect: the table of edges.
        ask: its columns, and how many edges may be peeled in memory.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    with ExitStack() as stack:
        graph = numbered(dialect, ask.edges, stack)
        fits = graph.tidied.edges <= ask.most_local
        both = stack.enter_context(dialect.kept(both_ways(graph)))
        with ExitStack() as first:
            estimates = first.enter_context(dialect.kept(_degrees(both)))
            rounds, messages, peeled = 1, 2 * graph.tidied.edges, 0
            last, held = _Round(estimates, "", len(graph.ordered), messages), first.pop_all()
        while last.messages:
            if rounds > 1 and fits and last.n_fallen * FEW < len(graph.ordered):
                peeled = last.n_fallen
                break
            following, next_held = _next(dialect, both, last)
            held.close()
            last, held = following, next_held
            rounds, messages = rounds + 1, messages + last.messages
        with held:
            found = core_numbers(in_memory(dialect, graph)) if peeled else _numbers(dialect, graph, last.estimates)
    return Cores(graph.ordered, found, graph.tidied, rounds, messages, peeled)


def degrees(dialect: SqlDialect, ask: DegreesOf) -> OfVertices:
    """How many neighbors each vertex has."""
    with ExitStack() as stack:
        graph = numbered(dialect, ask.edges, stack)
        found = stack.enter_context(dialect.kept(_degrees(f"({both_ways(graph)})")))
        return OfVertices(graph.ordered, _numbers(dialect, graph, found), graph.tidied)


def both_ways(graph: Numbered) -> str:
    """Each edge from both of its ends."""
    return f"SELECT u, v FROM {graph.edges} e UNION ALL SELECT v AS u, u AS v FROM {graph.edges} e"


def _degrees(both: str) -> str:
    """The first estimates."""
    return f"SELECT u AS id, count(*) AS k, count(*) AS degree FROM {both} b GROUP BY u"


def _next(dialect: SqlDialect, both: str, last: _Round) -> tuple[_Round, ExitStack]:
    """One round, and what holds its tables."""
    with ExitStack() as stack:

        def kept(query: str) -> str:
            table: AbstractContextManager[str] = dialect.kept(query)
            return stack.enter_context(table)

        fallen = kept(_fallen(both, last))
        estimates = kept(
            f"SELECT e.id AS id, coalesce(f.k, e.k) AS k, e.degree AS degree FROM {last.estimates} e "
            f"LEFT JOIN {fallen} f ON e.id = f.id"
        )
        told = dialect.run(f"SELECT count(*) AS n, coalesce(sum(degree), 0) AS sent FROM {fallen} f")
        n, sent = int(ints(told, "n")[0]), int(told["sent"][0].as_py())
        return _Round(estimates, fallen, n, sent), stack.pop_all()


def _fallen(both: str, last: _Round) -> str:
    """The vertices whose estimate falls: id, former, k and degree.

    Only who lost support can fall: an estimate above it became one below it. Estimates of neighbors count up to the
    vertex's own, so that few different ones are left to be counted.
    """
    if not last.fallen:
        asked = f"{last.estimates} s"
    else:
        lost = (
            f"SELECT DISTINCT b.u AS id, s.k AS k, s.degree AS degree FROM {last.fallen} f JOIN {both} b ON b.v = f.id "
            f"JOIN {last.estimates} s ON s.id = b.u WHERE s.k > f.k AND s.k <= f.former"
        )
        asked = f"({lost}) s"
    counted = (
        f"SELECT s.id AS id, s.k AS own, s.degree AS degree, least(e.k, s.k) AS k, count(*) AS n FROM {asked} "
        f"JOIN {both} b ON b.u = s.id JOIN {last.estimates} e ON e.id = b.v GROUP BY s.id, s.k, s.degree, least(e.k, s.k)"
    )
    ranked = f"SELECT id, own, degree, k, sum(n) OVER (PARTITION BY id ORDER BY k DESC) AS c FROM ({counted}) q"
    best = f"SELECT id, own, degree, CAST(max(least(k, c)) AS BIGINT) AS k FROM ({ranked}) r GROUP BY id, own, degree"
    return f"SELECT id, own AS former, k, degree FROM ({best}) h WHERE k < own"


def _numbers(dialect: SqlDialect, graph: Numbered, table: str) -> IntArray:
    """(n,) the number k of each vertex, 0 for those that are not in the table."""
    found = dialect.run(f"SELECT id, k FROM {table} e")
    out = np.zeros(len(graph.ordered), np.int64)
    out[places_of_ids(found["id"], graph.ordered)] = ints(found, "k")
    return out
