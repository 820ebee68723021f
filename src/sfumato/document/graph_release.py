"""The plan of a release of a graph itself: a plan with [graph] and [[protect]], which publishes a table of edges."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.graph import GraphTable
from sfumato.document.source import SourceTable
from sfumato.document.traces import TraceFileOutput, TraceOutput
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KDegreeTable:
    """Each number of neighbors is that of k vertices.

    Args:
        k: vertices of each number of neighbors, at least.
        change: "add" adds edges only, "swap" adds, removes and moves them, which changes fewer.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "k-degree")
    k: int
    change: Literal["add", "swap"] = "swap"


@dataclass(frozen=True, slots=True, kw_only=True)
class KNeighborhoodTable:
    """The neighbors of each vertex, with the edges among them, look like those of k - 1 others.

    Args:
        k: vertices of each neighborhood, at least.
        change: "remove" removes edges only, "add" adds them only, which seldom ends.
        most: edges that may change; more, and nothing is released.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "k-neighborhood")
    k: int
    change: Literal["remove", "add"] = "remove"
    most: int


GraphProtectTable: TypeAlias = KDegreeTable | KNeighborhoodTable


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReleaseDocument:
    """A plan that publishes the edges of a graph, changed, between new numbers. Paths are relative to its folder.

    Args:
        source: where the table of edges is; absent: it is handed over in memory.
        graph: what its columns are, and where the vertices are.
        protect: what is done to the graph, once.
        output: where everything goes.
        engine: duckdb, spark, or the URL of a Spark cluster.
    """

    source: SourceTable | None = None
    graph: GraphTable
    protect: tuple[GraphProtectTable, ...]
    output: TraceOutput = field(default_factory=TraceFileOutput)
    engine: str | None = None
