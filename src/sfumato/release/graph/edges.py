"""The stages of a run that releases a graph itself: read, changed, written between new numbers, read again, attacked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.document.graph_release import KDegreeTable
from sfumato.document.result.graph_release import BeforeAfter, GraphReleased
from sfumato.document.result.release import Done, Person, Promise, ReleaseResult, Risks
from sfumato.errors import InternalError, NoSolution
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.syntactic.k_degree import KDegree, degree_anonymity
from sfumato.mechanism.graph.syntactic.k_neighborhood import KNeighborhood, neighborhood_anonymity
from sfumato.noise.permutation import permutation
from sfumato.release.graph.reading import edges_of, graph_again
from sfumato.release.graph.risks import risks_of
from sfumato.release.measure import SEED
from sfumato.release.record import column_entries, envelope, finite, source_table, told, worth_of, written_files
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import Graph
from sfumato.utility.graph.measure import measure as measure_graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.graph_release import GraphProtectTable, GraphReleaseDocument
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.graph.syntactic.k_degree import Changed
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.summary.edges import Edges
    from sfumato.summary.figure import Figure
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Built:
    """What follows from the plan alone.

    Args:
        said: the plan.
        change: what is done to the graph.
    """

    said: GraphReleaseDocument
    change: KDegree | KNeighborhood

    def anonymity(self, graph: Graph) -> int:
        """The k that a graph has, by counting."""
        return degree_anonymity(graph) if isinstance(self.change, KDegree) else neighborhood_anonymity(graph)


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What will be released.

    Args:
        done: the changed graph, and what it took.
        number: (n,) int64 the number under which each vertex is released.
    """

    done: Changed
    number: IntArray

    @property
    def edges(self) -> IntArray:
        """(m, 2) int64 released edges, in the order of the new numbers."""
        graph = self.done.graph
        return Graph(graph.vertices, self.number[graph.edges]).edges


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured of a released graph."""

    worth: tuple[Figure, ...]
    risk_before: tuple[Figure, ...]
    risk_after: tuple[Figure, ...]


EdgesOutcome: TypeAlias = "Outcome[Built, Edges, Decided, Graph]"
"""A run that released edges."""


def change_of(said: GraphProtectTable) -> KDegree | KNeighborhood:
    """What a plan asks for.

    Raises:
        ParameterError: a number out of range.
    """
    if isinstance(said, KDegreeTable):
        return KDegree(said.k, said.change)
    return KNeighborhood(said.k, said.change, said.most)


def summarize(run: Run[Built]) -> Edges:
    """The table as a graph."""
    return edges_of(run.engine, run.table, run.built.said.graph, run.plan.vertices)


def decide(run: Run[Built], counted: Edges) -> Decided:
    """The changed graph, and new numbers in a random order.

    Raises:
        NoSolution: it cannot be changed so, or no edge is left.
    """
    done = run.built.change.decide(counted.named.graph)
    if not len(done.graph.edges):
        raise NoSolution("A released graph must have an edge; none is left.", "ask for a smaller k, or k-degree.")
    return Decided(done, permutation(done.graph.vertices, bits=run.tools.bits))


def tables(run: Run[Built], counted: Edges, decided: Decided) -> tuple[Any]:
    """The edges, each once, between new numbers."""
    del counted
    said, edges = run.built.said.graph, decided.edges
    return (run.engine.make({said.source: edges[:, 0], said.target: edges[:, 1]}),)


def verify(run: Run[Built], counted: Edges, decided: Decided, receipts: Sequence[Receipt]) -> Graph:
    """The written graph, read again and counted.

    Raises:
        InternalError: it is not the one decided, or not as anonymous as promised.
    """
    del counted
    published = graph_again(run, run.built.said.graph, receipts[0], decided.done.graph.vertices)
    if not np.array_equal(published.edges, decided.edges):
        raise InternalError("The written edges differ from those decided; they must not be used.")
    if run.built.anonymity(published) < run.built.change.k:
        raise InternalError("The written graph is less anonymous than promised; it must not be used.")
    return published


def measure(outcome: EdgesOutcome) -> Measured:
    """How near the graph is, and how many persons are found in it and in the original."""
    before, after = outcome.counted.named.graph, outcome.published
    return Measured(
        worth=measure_graph(after, before, rng=np.random.default_rng(SEED)),
        risk_before=risks_of(before),
        risk_after=risks_of(after),
    )


def record(outcome: EdgesOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run."""
    plan, method, before = outcome.plan, outcome.run.method, outcome.counted.named.graph
    done, built = outcome.decided.done, outcome.run.built
    n = before.vertices
    return ReleaseResult(
        **envelope(plan),
        source=source_table(outcome.header, plan.source),
        unit=Person(person=None, persons=n),
        columns=column_entries(plan, ()),
        done=Done(method=method.name, summary=method.done, why=method.why),
        promise=(
            Promise(
                **told(built.change.guarantee()),
                measured=float(built.anonymity(outcome.published)),
                holds=True,
                checked="the written edges were read again, and vertices that look alike were counted in them",
            ),
        ),
        graph_release=GraphReleased(
            vertices=n,
            edges=len(before.edges),
            added=done.added,
            removed=done.removed,
            least=done.least,
            degrees=BeforeAfter(before=counts_of(before.degrees), after=counts_of(outcome.published.degrees)),
            cores=BeforeAfter(before=counts_of(core_numbers(before)), after=counts_of(core_numbers(outcome.published))),
        ),
        worth=tuple(worth_of(figure) for figure in measured.worth),
        risk=Risks(before=finite(measured.risk_before), after=finite(measured.risk_after)),
        notes=(*outcome.header.notes, _NOTE),
        files=written_files(outcome.receipts),
    )


_NOTE = (
    "Loops are left out, edges between the same two vertices are one edge, and vertices without an edge are in no row; "
    "vertices have new numbers in a random order."
)


def counts_of(values: IntArray) -> tuple[tuple[int, int], ...]:
    """How many have each value."""
    found, many = np.unique(values, return_counts=True)
    return tuple(zip(found.tolist(), many.tolist(), strict=True))
