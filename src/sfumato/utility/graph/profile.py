"""What is looked at in a graph, as exact numbers and distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.cores import core_numbers
from sfumato.summary.triangles import triangles_of
from sfumato.table.graph import component_labels
from sfumato.utility.graph.paths import path_lengths

if TYPE_CHECKING:
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray, IntArray

LONGEST = 100
"""Paths that are longer count as none."""


@dataclass(frozen=True, slots=True, eq=False)
class Degrees:
    """What is found of a graph at once.

    Args:
        edges: number of them.
        degrees: vertices of each degree 0, 1, ….
    """

    edges: int
    degrees: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Profile(Degrees):
    """A graph as seen from outside: its edges and degrees, and what takes longer.

    Args:
        edges: number of them.
        degrees: vertices of each degree 0, 1, ….
        cores: vertices of each core number 0, 1, ….
        triangles: number of them.
        transitivity: three triangles over stars of two legs; None without a star.
        clustering: mean over vertices of the share of their pairs of neighbors that are neighbors; 0 for degrees below 2.
        assortativity: correlation of the degrees at both ends of an edge; None where all are equal.
        parts: number of connected parts.
        largest: share of vertices in the largest.
        paths: pairs of sampled sources and other vertices at each distance; place 0: without a path.
    """

    cores: IntArray
    triangles: int
    transitivity: float | None
    clustering: float
    assortativity: float | None
    parts: int
    largest: float
    paths: IntArray


def degrees_of(graph: Graph) -> Degrees:
    """Edges and degrees alone.

    Args:
        graph: at least one vertex.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> degrees_of(Graph(3, np.array([[0, 1]]))).degrees.tolist()
        [1, 2]
    """
    return Degrees(len(graph.edges), np.bincount(graph.degrees))


def profile(graph: Graph, sources: IntArray) -> Profile:
    """All of it.

    Args:
        graph: at least one vertex.
        sources: different vertices, from which shortest paths are measured.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> seen = profile(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]])), np.arange(4))
        >>> seen.triangles, seen.transitivity, seen.cores.tolist(), seen.paths[:3].tolist()
        (1, 0.6, [0, 1, 3], [0, 8, 4])
    """
    degrees, closed = graph.degrees, triangles_of(graph)
    pairs = degrees * (degrees - 1) // 2
    share = np.divide(closed, pairs, out=np.zeros(graph.vertices), where=pairs > 0)
    parts = np.bincount(component_labels(graph.vertices, graph.edges), minlength=graph.vertices)
    return Profile(
        len(graph.edges),
        np.bincount(degrees),
        np.bincount(core_numbers(graph)),
        int(closed.sum()) // 3,
        float(closed.sum() / pairs.sum()) if pairs.any() else None,
        float(share.mean()),
        _correlation(degrees[graph.edges].astype(np.float64)),
        int(np.count_nonzero(parts)),
        float(parts.max() / graph.vertices),
        path_lengths(graph, sources, LONGEST),
    )


def _correlation(ends: FloatArray) -> float | None:
    """Of both ends of edges, each edge taken in both directions."""
    both = ends - (ends.mean() if ends.size else 0.0)
    spread = float((both**2).sum())
    return float(2 * (both[:, 0] * both[:, 1]).sum() / spread) if spread > 0 else None
