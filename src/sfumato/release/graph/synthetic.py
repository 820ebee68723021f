"""The stages of a run that publishes a synthetic graph: numbers are paid for, a graph is drawn from them, written, read again.

How near it is to the original is private, and told nowhere. What is told costs nothing: the published graph is taken for an
original, drawn anew at the same price, and both are compared in what the numbers know. That is how much noise and chance do;
what the numbers do not know of a graph (triangles, groups, inner cores) cannot be told so, and is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.document.graph import EdgeUnit
from sfumato.document.graph_synthetic import FromDegreesTable, FromJointDegreesTable
from sfumato.document.loading import about
from sfumato.document.result.graph import GraphDrawn
from sfumato.document.result.release import Done, Person, Promise, ReleaseResult, Worth
from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.synthetic.graphs import FromDegrees, FromGroups, FromJointDegrees, SyntheticGraph
from sfumato.noise.bits import KeyedBits
from sfumato.noise.permutation import permutation
from sfumato.release.answer.price import in_words, pure_in
from sfumato.release.graph.edges import counts_of
from sfumato.release.graph.plan import unit_of
from sfumato.release.graph.reading import edges_of, graph_again, handle_again
from sfumato.release.graph.registry import largest_degree, protected_by
from sfumato.release.graph.run import PRIVATE, told_source, with_vertices
from sfumato.release.graph.statistic import SMALL, groups_of
from sfumato.release.promised import promised
from sfumato.release.record import column_entries, envelope, told, written_files
from sfumato.summary.cores import core_numbers
from sfumato.summary.edges import VerticesOf
from sfumato.table.graph import Graph
from sfumato.utility.graph.measure import measure_degrees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.account.event import Event
    from sfumato.document.graph import GraphUnit
    from sfumato.document.graph_synthetic import GraphSyntheticDocument, SyntheticTable
    from sfumato.engine.base import Receipt
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.table.named_graph import NamedGraph
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

VERTEX = "vertex"
_REDRAWN, _QUICK = 3, 100_000
"""How often the published graph is drawn anew, and the edges up to which more than once."""
_EXPECTED = (
    "Distance of a graph that is drawn anew from the published one, at the same price, from it: what noise does. {text}"
)
_EDGES, _DEGREES = "graph_edges", "graph_degrees"
"""What the numbers know of a graph; from groups, degrees are not kept as they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What follows from a plan of a synthetic graph alone.

    Args:
        said: the plan.
        unit: what is protected.
        make: what draws the graph, for public vertices with their groups.
    """

    said: GraphSyntheticDocument
    unit: Unit
    make: Callable[[Groups], SyntheticGraph]

    @property
    def event(self) -> Event:
        """What it costs, the same for all vertices and groups."""
        return self.make(SMALL).event

    @property
    def by(self) -> str | None:
        """The attribute whose groups the vertices keep; None: they have none."""
        return getattr(self.said.synthetic, "by", None)

    @property
    def promise(self) -> Guarantee:
        """What is promised, and which vertices are public."""
        return with_vertices(promised(self.event, self.unit, None), self.said.graph)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What will be published.

    Args:
        graph: between new numbers.
        labels: the group of each new vertex; (): they have none.
        make: what drew it, for these vertices.
        old: (n,) int64 the vertex that each number was drawn for; of groups alone it matters.
    """

    graph: Graph
    labels: tuple[str, ...]
    make: SyntheticGraph
    old: IntArray


@dataclass(frozen=True, slots=True)
class Measured:
    """How near a redrawn graph is."""

    worth: tuple[Worth, ...] = ()
    risk_after: tuple[()] = ()


SyntheticOutcome: TypeAlias = "Outcome[Asked, NamedGraph, Drawn, None]"
"""A run that published a synthetic graph."""


def drawing_of(said: GraphSyntheticDocument) -> Asked:
    """What a plan asks for.

    Raises:
        PlanError: it does not protect what the unit says, or names an attribute that the vertices do not have.
        ParameterError: a number out of range.
    """
    vertices, by = said.graph.vertices, getattr(said.synthetic, "by", None)
    if by is not None and (vertices is None or by not in vertices.attributes):
        raise PlanError(
            "A synthetic graph is by an attribute of the vertices, which [graph] must name in `attributes`; absent: {by!r}.",
            "add it to `vertices = {{ path = …, vertex = …, attributes = […] }}`.",
            by=by,
        ).below("graph", "vertices", "attributes")
    with about("synthetic"):
        asked = Asked(said, unit_of(said.unit), _maker(said.synthetic, said.unit))
        _ = asked.event  # what is out of range is refused here
    return asked


def _maker(said: SyntheticTable, unit: GraphUnit) -> Callable[[Groups], SyntheticGraph]:
    """What draws a graph, for public vertices with their groups.

    Raises:
        PlanError: vertices are protected, and the numbers protect edges.
    """
    epsilon = pure_in(said.price).epsilon
    if isinstance(said, FromDegreesTable):
        most, protects = largest_degree(said.most, unit), protected_by(unit)
        return lambda groups: FromDegrees(groups.vertices, most, protects, epsilon)
    if not isinstance(unit, EdgeUnit):
        raise PlanError(
            "A synthetic graph from {name!r} protects single edges, not a vertex with all its edges.",
            'write `protects = "edge"` in [unit], or draw it from `degrees`.',
            name=said.tag[1],
        )
    if isinstance(said, FromJointDegreesTable):
        most, classes = said.most, said.classes
        return lambda groups: FromJointDegrees(groups.vertices, most, classes, epsilon)
    return lambda groups: FromGroups(groups, epsilon)


def summarize(run: Run[Asked]) -> NamedGraph:
    """The table as a graph."""
    return edges_of(run.engine, run.table, run.built.said.graph, run.plan.vertices).named


def decide(run: Run[Asked], counted: NamedGraph) -> Drawn:
    """A graph drawn from noisy numbers, and new numbers for its vertices in a random order."""
    groups, labels = groups_of(counted, run.built.by)
    make = run.built.make(groups)
    drawn = make.draw(counted.graph, bits=run.tools.bits)
    number = permutation(drawn.vertices, bits=run.tools.bits)
    old = np.argsort(number)
    texts = () if run.built.by is None else tuple(labels[code] for code in groups.codes[old].tolist())
    return Drawn(Graph(drawn.vertices, number[drawn.edges]), texts, make, old)


def tables(run: Run[Asked], counted: NamedGraph, decided: Drawn) -> tuple[Any, ...]:
    """The edges, each once, between new numbers; and the group of each number, where they have one."""
    del counted
    said, edges, by = run.built.said.graph, decided.graph.edges, run.built.by
    made = run.engine.make({said.source: edges[:, 0], said.target: edges[:, 1]})
    if by is None:
        return (made,)
    return made, run.engine.make({VERTEX: np.arange(decided.graph.vertices), by: list(decided.labels)})


def verify(run: Run[Asked], counted: NamedGraph, decided: Drawn, receipts: Sequence[Receipt]) -> None:
    """Read again what was written.

    Raises:
        InternalError: it is not what was drawn.
    """
    del counted
    edges = decided.graph.edges
    is_same = receipts[0].n_rows == len(edges)
    if is_same and len(edges):
        again = graph_again(run, run.built.said.graph, receipts[0], decided.graph.vertices)
        is_same = np.array_equal(again.edges, edges)
    by = run.built.by
    if is_same and by is not None:
        listed = run.engine.summarize(handle_again(run, receipts[1]), VerticesOf(VERTEX, (by,)))
        names = map(int, listed.names)
        is_same = [decided.labels[i] for i in names] == [text or "" for text in listed.attributes[by]]
    if not is_same:
        raise InternalError("The written edges differ from those that were drawn; they must not be used.")


def measure(outcome: SyntheticOutcome) -> Measured:
    """How far a graph drawn from the published one is from it, on average."""
    drawn = outcome.decided
    told_ = Graph(drawn.graph.vertices, drawn.old[drawn.graph.edges])
    bits = KeyedBits(bytes(32), is_secure=False)
    many = _REDRAWN if len(told_.edges) <= _QUICK else 1
    found = [measure_degrees(drawn.make.draw(told_, bits=bits), told_) for _ in range(many)]
    known = {_EDGES} if outcome.run.built.by is not None else {_EDGES, _DEGREES}
    worth = []
    for figures in zip(*found, strict=True):
        first, values = figures[0], [one.value for one in figures if one.value is not None]
        if first.name in known:
            label, mean = f"{first.label}, of a graph drawn anew", float(np.mean(values)) if values else None
            worth.append(
                Worth(
                    first.name, label, mean, _EXPECTED.format(text=first.definition), first.source, "lower", before=0.0
                )
            )
    return Measured(tuple(worth))


def record(outcome: SyntheticOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run, which tells nothing of the edges that was not paid for."""
    plan, method, asked, graph = outcome.plan, outcome.run.method, outcome.run.built, outcome.decided.graph
    checked = "the written edges were read again and are those that were drawn"
    return ReleaseResult(
        **envelope(plan),
        source=told_source(outcome),
        unit=Person(person=None, persons=None),
        columns=column_entries(plan, ()),
        done=Done(method=method.name, summary=method.done, why=method.why),
        paid=outcome.paid,
        promise=(Promise(**told(asked.promise), holds=True, checked=checked),),
        graph_drawn=GraphDrawn(
            unit=asked.unit.sentence,
            vertices=graph.vertices,
            listed=outcome.counted.listed,
            name=outcome.decided.make.name,
            price=in_words(pure_in(asked.said.synthetic.price)),
            argument=outcome.decided.make.argument,
            edges=len(graph.edges),
            degrees=counts_of(graph.degrees),
            cores=counts_of(core_numbers(graph)),
        ),
        worth=measured.worth,
        notes=(PRIVATE, _OF_NOBODY),
        files=written_files(outcome.receipts),
    )


_OF_NOBODY = (
    "The graph is of nobody: its vertices have new numbers in a random order, and those without an edge are in no row. What the "
    "numbers do not know it does not have: hardly any triangles, and innermost cores that are too small."
)
