"""What is kept of a release of a graph itself: part of `sfumato.release/1`."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from sfumato.frozen import dataclass

Counts: TypeAlias = tuple[tuple[int, int], ...]
"""[number, vertices that have it] pairs, rising."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAfter:
    """How many vertices have each number.

    Args:
        before: [number, vertices] pairs of the original.
        after: of the release.
    """

    before: Counts = ()
    after: Counts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReleased:
    """A graph that was changed and published.

    Args:
        vertices: number of vertices; those without edges are in no row.
        edges: of the original.
        added: edges of the release that were not there.
        removed: edges that are no more.
        least: fewest edges with which the numbers of neighbors could be reached; null: not known.
        degrees: numbers of neighbors.
        cores: core numbers.
    """

    vertices: int
    edges: int
    added: int
    removed: int
    least: int | None = None
    degrees: BeforeAfter = field(default_factory=BeforeAfter)
    cores: BeforeAfter = field(default_factory=BeforeAfter)
