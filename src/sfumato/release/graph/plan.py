"""From the document of a plan of a graph to a plan, and what follows from it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.codec import read
from sfumato.document.graph import EdgeUnit, GraphDocument
from sfumato.document.graph_release import GraphReleaseDocument
from sfumato.document.graph_synthetic import GraphSyntheticDocument
from sfumato.document.loading import about
from sfumato.document.source import source_of
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.accounted import account_from
from sfumato.release.graph.registry import attributes_in, statistics_of
from sfumato.release.graph.statistic import event_of
from sfumato.release.method.registry import method_named
from sfumato.release.plan import MethodChoice, Plan
from sfumato.release.traces.plan import output_of
from sfumato.table.schema import Column, Role, Schema
from sfumato.table.unit import Unit

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.account.event import Event
    from sfumato.document.graph import GraphTable, GraphUnit, VerticesTable
    from sfumato.document.graph_statistics import GraphStatisticTable
    from sfumato.release.graph.statistic import Statistic
    from sfumato.table.values import Table

METHOD, EDGES, SYNTHETIC = "graph-statistics", "graph-edges", "graph-synthetic"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What follows from a plan of a graph alone.

    Args:
        said: the plan.
        unit: what the answers protect.
        statistics: what is asked.
        event: what all cost together.
    """

    said: GraphDocument
    unit: Unit
    statistics: tuple[Statistic, ...]
    event: Event


def plan_of_graph(document: Table, tables: Table, *, folder: Path) -> Plan:
    """Build a plan of a graph.

    Args:
        document: the plan as it was written, for the record.
        tables: the same without its first line.
        folder: what relative paths are relative to.

    Raises:
        PlanError: a key is absent, unknown or out of range.
    """
    said: GraphDocument | GraphReleaseDocument | GraphSyntheticDocument
    if "protect" in tables:
        said, method = read(GraphReleaseDocument, tables, "the plan"), EDGES
    elif "synthetic" in tables:
        said, method = read(GraphSyntheticDocument, tables, "the plan"), SYNTHETIC
    else:
        said, method = read(GraphDocument, tables, "the plan"), METHOD
    with about("graph"):
        check_graph(said.graph, EdgeUnit() if isinstance(said, GraphReleaseDocument) else said.unit)
    account = None if isinstance(said, GraphReleaseDocument) else said.account
    vertices = said.graph.vertices
    plan = Plan(
        document=document,
        source=None if said.source is None else source_of(said.source, folder),
        schema=Schema(
            (Column(said.graph.source, Role.QUASI_IDENTIFYING), Column(said.graph.target, Role.QUASI_IDENTIFYING))
        ),
        first=(),
        promises=(),
        method=MethodChoice(method, said=said),
        output=output_of(said.output, folder),
        engine=said.engine,
        account=None if account is None else account_from(account, folder),
        vertices=None if vertices is None else source_of(vertices, folder),
    )
    method_named(plan.method.name).check(plan)
    return plan


def asked_of(said: GraphDocument) -> Asked:
    """The statistics of a plan.

    Raises:
        PlanError: none is asked for, or one cannot be made private as it is declared.
    """
    if not said.statistics:
        raise PlanError("A plan of a graph must ask for statistics; it has none.", "add [[statistics]].")
    check_attributes(said.statistics, said.graph.vertices)
    unit, statistics = unit_of(said.unit), statistics_of(said.statistics, said.unit)
    return Asked(said, unit, statistics, event_of(statistics))


def unit_of(said: GraphUnit) -> Unit:
    """The unit that a ledger writes down."""
    if isinstance(said, EdgeUnit):
        return Unit.edge()
    with about("unit", "degree"):
        return Unit.node(edges=said.degree, groups=1)


def check_attributes(said: tuple[GraphStatisticTable, ...], vertices: VerticesTable | None) -> None:
    """Refuse statistics by an attribute that the vertices do not have.

    Raises:
        PlanError: they have not. Remedy: name it in [graph].
    """
    absent = [name for name in attributes_in(said) if vertices is None or name not in vertices.attributes]
    if absent:
        raise PlanError(
            "A statistic is by an attribute of the vertices, which [graph] must name in `attributes`; absent: {absent}.",
            "add it to `vertices = {{ path = …, vertex = …, attributes = […] }}`.",
            absent=absent,
        ).below("graph", "vertices", "attributes")


def check_graph(said: GraphTable, unit: GraphUnit) -> None:
    """Refuse a [graph] that is none.

    Raises:
        PlanError: one column for both ends, or no table of vertices where vertices are protected.
    """
    if said.source == said.target:
        raise PlanError("[graph] must name two different columns.", "correct the names.")
    if said.vertices is None and not isinstance(unit, EdgeUnit):
        raise PlanError(
            "Where a vertex is protected, the vertices must be listed: those of the edges tell who has one.",
            "add `vertices = {{ path = …, vertex = … }}` to [graph].",
        )
