"""The data document of a graph: a private table of edges declared once, for all who may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.account import budget_of
from sfumato.document.codec import read
from sfumato.document.graph import GraphData
from sfumato.document.header import DATA, without_header
from sfumato.document.loading import about, load, under
from sfumato.document.source import source_of
from sfumato.frozen import dataclass
from sfumato.release.graph.plan import check_graph, unit_of
from sfumato.table.source import located_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.account.budget import Budget
    from sfumato.table.source import Source
    from sfumato.table.unit import Unit
    from sfumato.table.values import Table


@dataclass(frozen=True, slots=True)
class DeclaredGraph:
    """A private table of edges.

    Args:
        said: the document.
        source: the table.
        vertices: the public table of vertices; None: there is none.
        unit: what is protected.
        budget: of the data set, for all analysts together.
        dataset: name of the data set in the ledger.
        ledger: URL of the ledger.
        analysts: budget of each analyst who may ask.
    """

    said: GraphData
    source: Source
    vertices: Source | None
    unit: Unit
    budget: Budget
    dataset: str
    ledger: str
    analysts: Mapping[str, Budget]


def read_declared_graph(path: Path) -> DeclaredGraph:
    """Read the data document of a graph; paths inside it are relative to its folder.

    Raises:
        PlanError: it cannot be read, or a key is absent, unknown or out of range.
    """
    return load(path, "data document", lambda tables: declared_graph_from(tables, folder=path.parent))


def declared_graph_from(document: Table, *, folder: Path) -> DeclaredGraph:
    """The declarations of a parsed TOML document."""
    title = "the data document"
    said = read(GraphData, without_header(document, DATA, title), title)
    with about("graph"):
        check_graph(said.graph, said.unit)
    with under("budget"):
        budget = budget_of(said.budget, "[budget]")
    analysts = {}
    for name, one in said.analysts.items():
        with under("analysts", name):
            analysts[name] = budget_of(one, f"[analysts.{name}]")
    vertices = said.graph.vertices
    return DeclaredGraph(
        said=said,
        source=source_of(said.source, folder),
        vertices=None if vertices is None else source_of(vertices, folder),
        unit=unit_of(said.unit),
        budget=budget,
        dataset=said.ledger.dataset,
        ledger=located_url(folder, said.ledger.url),
        analysts=analysts,
    )
