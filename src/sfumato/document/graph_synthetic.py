"""The plan of a synthetic graph: a plan with [graph] and [synthetic], which publishes a table of edges of nobody."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, TypeAlias

from sfumato.document.account import AccountTable
from sfumato.document.graph import GraphTable, GraphUnit
from sfumato.document.source import SourceTable
from sfumato.document.trace_statistics import PriceTable
from sfumato.document.traces import TraceFileOutput, TraceOutput
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FromDegreesTable:
    """A graph with noisy numbers of neighbors, and pairs at random: nearly no triangles, no groups.

    Args:
        most: larger degrees count as this; absent where vertices are protected, whose degree [unit] says.
        price: a pure epsilon.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "degrees")
    most: int | None = None
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FromJointDegreesTable:
    """The same, whose edges join vertices of many and of few neighbors as in the original. Protects edges.

    Args:
        most: larger degrees count as this.
        classes: degrees at which classes begin, rising from 1; the last one decides how much noise there is.
        price: a pure epsilon.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "joint-degrees")
    most: int
    classes: tuple[int, ...] = (1, 2, 3, 5, 9, 17, 33)
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FromGroupsTable:
    """A graph with noisy numbers of edges within and between groups, and noisy degrees within them. Protects edges.

    Args:
        by: attribute of the vertices; a second table tells the group of each new vertex.
        price: a pure epsilon.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "groups")
    by: str
    price: PriceTable


SyntheticTable: TypeAlias = FromDegreesTable | FromJointDegreesTable | FromGroupsTable


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSyntheticDocument:
    """A plan that publishes a synthetic graph, drawn from noisy numbers alone. Paths are relative to its folder.

    Args:
        source: where the table of edges is; absent: it is handed over in memory.
        graph: what its columns are, and where the vertices are.
        unit: what is protected.
        synthetic: what the graph is drawn from.
        output: where everything goes.
        engine: duckdb, spark, or the URL of a Spark cluster.
        account: who pays for differential privacy.
    """

    source: SourceTable | None = None
    graph: GraphTable
    unit: GraphUnit
    synthetic: SyntheticTable
    output: TraceOutput = field(default_factory=TraceFileOutput)
    engine: str | None = None
    account: AccountTable | None = None
