"""The plan of a release about a graph as it is written: every table and key. A plan with [graph] is one of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, TypeAlias

from sfumato.document.account import AccountTable, BudgetTable
from sfumato.document.data import LedgerTable
from sfumato.document.graph_statistics import GraphStatisticTable
from sfumato.document.source import FilePlace, Place, SourceTable, SqlPlace
from sfumato.document.trace_statistics import AnswersTable
from sfumato.document.traces import TraceFileOutput, TraceOutput
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VerticesFile(FilePlace):
    """The public table of vertices, in a file.

    Args:
        vertex: column of their names.
        attributes: further columns that are read.
    """

    vertex: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerticesSql(SqlPlace):
    """The public table of vertices, of an SQL database.

    Args:
        vertex: column of their names.
        attributes: further columns that are read.
    """

    vertex: str
    attributes: tuple[str, ...] = ()


VerticesTable: TypeAlias = VerticesSql | VerticesFile


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphTable:
    """What the columns of the table of edges are. A loop is left out; edges between the same two vertices are one edge.

    Args:
        source: column of one end.
        target: column of the other.
        directed: whether an edge has a direction. It is forgotten: edges both ways are one edge, and the owner is told of
            how many pairs there are both.
        vertices: the public table of vertices, which counts those without edges too; absent: the vertices are those of
            the edges, and whoever has an edge is then public.
    """

    source: str
    target: str
    directed: bool = False
    vertices: VerticesTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeUnit:
    """One edge is protected: that two know each other."""

    tag: ClassVar[tuple[str, str]] = ("protects", "edge")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeUnit:
    """One vertex with all its edges is protected.

    Args:
        degree: edges of a vertex that count at most; declared, never looked up. More are left out by a fixed rule.
    """

    tag: ClassVar[tuple[str, str]] = ("protects", "node")
    degree: int


GraphUnit: TypeAlias = EdgeUnit | NodeUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDocument:
    """A plan of a graph: statistics of a table of edges. Paths are relative to the folder of the document.

    Args:
        source: where the table of edges is; absent: it is handed over in memory.
        graph: what its columns are, and where the vertices are.
        unit: what is protected.
        statistics: what is asked.
        answers: how numbers are told.
        output: where everything goes.
        engine: duckdb, spark, or the URL of a Spark cluster.
        account: who pays for differential privacy.
    """

    source: SourceTable | None = None
    graph: GraphTable
    unit: GraphUnit
    statistics: tuple[GraphStatisticTable, ...]
    answers: AnswersTable = AnswersTable()
    output: TraceOutput = field(default_factory=TraceFileOutput)
    engine: str | None = None
    account: AccountTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphData:
    """A private table of edges: where it is, what it protects, and what may be spent. A data document with [graph].

    Args:
        source: where the table of edges is.
        graph: what its columns are, and where the vertices are.
        unit: what is protected.
        budget: of the data set, for all analysts together.
        ledger: where what is spent is kept.
        analysts: budget of each analyst who may ask.
        engine: where the table is read; absent: duckdb.
    """

    source: Place
    graph: GraphTable
    unit: GraphUnit
    budget: BudgetTable
    ledger: LedgerTable
    analysts: Mapping[str, BudgetTable] = field(default_factory=dict)
    engine: str | None = None
