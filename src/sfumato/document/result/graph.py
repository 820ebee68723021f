"""What is kept of statistics of a graph: part of `sfumato.release/1`, and exact figures for its owner, `sfumato.graph/1`."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.graph_release import Counts
from sfumato.document.result.keys import OMITTED
from sfumato.document.result.trace_statistics import StatisticTold
from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure
from sfumato.table.named_graph import Tidied


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFound:
    """Statistics of a graph. Nothing in it was not paid for.

    Args:
        unit: what each answer protects.
        vertices: public number of vertices.
        listed: whether a public table lists them; otherwise whoever has an edge is public.
        tables: what was released, in the order of the files.
    """

    unit: str
    vertices: int
    listed: bool
    tables: tuple[StatisticTold, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDrawn:
    """A synthetic graph. Nothing in it was not paid for.

    Args:
        unit: what it protects.
        vertices: public number of vertices.
        listed: whether a public table lists those of the original; otherwise whoever has an edge is public.
        name: what the graph was drawn from.
        price: what that cost, in words.
        argument: why it suffices, in a sentence.
        edges: of the synthetic graph.
        degrees: [degree, vertices] pairs of it.
        cores: [core number, vertices] pairs of it.
    """

    unit: str
    vertices: int
    listed: bool
    name: str
    price: str
    argument: str
    edges: int
    degrees: Counts = ()
    cores: Counts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFigures(Document):
    """Exact figures of a graph, for the owner of its table: they are not private.

    Args:
        figure: cores, degrees, parts or triangles.
        vertices: vertices.
        tidied: what the rows of the table were.
        number: what is counted for each value.
        values: values of vertices (a core number, a degree, the size of a part, a number of triangles), rising.
        counts: how many vertices (parts) have each.
        total: what is counted in all: the largest core, the edges, the parts, the triangles.
        rounds: of the distributed protocol; absent: it was none.
        messages: that were sent in them; absent likewise.
        peeled: vertices that still changed when the rest was done in memory; absent likewise.
    """

    tag: ClassVar = ("format", "sfumato.graph/1")
    figure: str
    vertices: int
    tidied: Tidied
    number: str
    values: tuple[int, ...]
    counts: tuple[int, ...]
    total: int
    rounds: int | None = field(default=None, metadata=OMITTED)
    messages: int | None = field(default=None, metadata=OMITTED)
    peeled: int | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoresTried:
    """One way to private core numbers.

    Args:
        name: what it is called.
        error: mean absolute error of a core number on public random graphs.
        local: whether nobody is trusted: each vertex draws its own noise.
    """

    name: str
    error: float
    local: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CoresRecommended(Document):
    """Which private core numbers err least at a size and an epsilon; nothing private was read.

    Args:
        vertices: public number of vertices.
        edges: about how many edges there are.
        epsilon: for one edge.
        tried: the ways, the least error first.
        zero: error of answering 0 for all, which costs nothing.
        degrees: error of the exact degrees in place of core numbers.
    """

    tag: ClassVar = ("format", "sfumato.cores-recommendation/1")
    vertices: int
    edges: int
    epsilon: str
    tried: tuple[CoresTried, ...]
    zero: float
    degrees: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNearness(Document):
    """How near a graph is to another, for the owner of both: the distances are exact, and not private.

    Args:
        vertices: of the first graph; the other has as many, those without an edge among them.
        edges: of the first.
        other: edges of the other.
        figures: distances; 0 for the graph itself, null where one of both has none.
    """

    tag: ClassVar = ("format", "sfumato.graph-nearness/1")
    vertices: int
    edges: int
    other: int
    figures: tuple[Figure, ...]
