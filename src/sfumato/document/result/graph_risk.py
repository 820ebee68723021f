"""Who is found in a graph, tried by its owner: `sfumato.graph-risk/1`."""

from __future__ import annotations

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure
from sfumato.types import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsFound:
    """Persons found from a few who are known, in a second graph drawn from the same.

    Args:
        seeds: persons who are known, drawn among those with most neighbors.
        common_vertices: declared share of persons in both graphs.
        common_edges: declared share of edges between them that are in both.
        persons: others in both graphs.
        found: share of them who are found.
        claimed: persons of whom the attack says who they are.
        right: share of these claims that are right; null: none.
        control: share found by the same attack in a graph of as many random edges.
    """

    seeds: int
    common_vertices: Share
    common_edges: Share
    persons: int
    found: Share
    claimed: int
    right: Share | None
    control: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRisks(Document):
    """Who is found in a graph: for the owner of its table.

    Args:
        vertices: of the graph.
        edges: of it.
        risk: found, and unique, by what is around a person.
        seeds: found from seeds.
    """

    tag: ClassVar = ("format", "sfumato.graph-risk/1")
    vertices: int
    edges: int
    risk: tuple[Figure, ...]
    seeds: SeedsFound
