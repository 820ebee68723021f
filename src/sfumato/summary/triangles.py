"""Triangles of a graph in memory, and how many neighbors two vertices have in common.

Source: T. Schank, D. Wagner, "Finding, Counting and Listing All Triangles in Large Graphs", WEA 2005: edges point from the
vertex of lower degree to that of higher, so that no vertex has more than √(2 m) successors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.summary.cores import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

PAYS_FROM = 200_000
"""Edges from which a compiled loop is worth loading."""
_AT_A_TIME = 1 << 21
"""Paths of two edges looked at together."""


def triangles_of(graph: Graph) -> IntArray:
    """(n,) int64 in how many triangles each vertex is; their sum is three times the number of triangles.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> triangles_of(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))).tolist()
        [1, 1, 1, 0]
    """
    start, to = _successors(graph)
    found = np.zeros(graph.vertices, np.int64)
    if pays(len(to), PAYS_FROM):
        compiled(_close)(start, to, found)
    else:
        _close_at_once(start, to, found)
    return found


def number_of_triangles(graph: Graph) -> int:
    """How many sets of three vertices are pairwise neighbors.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> number_of_triangles(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]])))
        1
    """
    return int(triangles_of(graph).sum()) // 3


def most_common_neighbors(graph: Graph) -> int:
    """The most neighbors that two vertices have in common, whether there is an edge between them or not.

    Vertices are looked at by falling degree, until no two of those that are left can have more.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> most_common_neighbors(Graph(4, np.array([[0, 2], [1, 2], [0, 3], [1, 3]])))
        2
    """
    start, to = graph.neighbors()
    order = np.argsort(-np.diff(start), kind="stable")
    return _meet(start, to, order)


def _successors(graph: Graph) -> tuple[IntArray, IntArray]:
    """Neighbors that come later in the order of degrees: where those of each vertex begin, and which; rising."""
    n = graph.vertices
    rank = np.empty(n, np.int64)
    rank[np.argsort(graph.degrees, kind="stable")] = np.arange(n)
    ends = rank[graph.edges]
    swap = (ends[:, 0] > ends[:, 1])[:, None]
    edges = np.where(swap, graph.edges[:, ::-1], graph.edges)
    edges = edges[np.argsort(edges[:, 0] * n + edges[:, 1], kind="stable")]
    return np.concatenate(([0], np.cumsum(np.bincount(edges[:, 0], minlength=n)))), edges[:, 1].copy()


def _close(start: Any, to: Any, found: Any) -> None:
    """For each vertex its successors are marked, and those of its successors looked up."""
    mark = np.full(len(found), -1, np.int64)
    for u in range(len(found)):
        for i in range(start[u], start[u + 1]):
            mark[to[i]] = u
        for i in range(start[u], start[u + 1]):
            v = to[i]
            for j in range(start[v], start[v + 1]):
                w = to[j]
                if mark[w] == u:
                    found[u] += 1
                    found[v] += 1
                    found[w] += 1


def _close_at_once(start: IntArray, to: IntArray, found: IntArray) -> None:
    """The same, many paths at a time, looked up among the sorted edges."""
    n = len(found)
    source = np.repeat(np.arange(n), np.diff(start))
    code = source * n + to
    for begin, end in _blocks(np.diff(start)[to]):
        edge = np.arange(begin, end)
        many = np.diff(start)[to[edge]]
        u, v, w = np.repeat(source[edge], many), np.repeat(to[edge], many), to[places_of(start, to[edge])]
        asked = u * n + w
        closed = code[np.minimum(np.searchsorted(code, asked), len(code) - 1)] == asked
        for corner in (u, v, w):
            found += np.bincount(corner[closed], minlength=n)


def _blocks(costs: IntArray) -> Iterator[tuple[int, int]]:
    """Runs of places whose costs add up to a block; a place that costs more is a run by itself."""
    total, begin = np.cumsum(costs), 0
    while begin < len(costs):
        spent = total[begin - 1] if begin else 0
        end = max(int(np.searchsorted(total, spent + _AT_A_TIME, "right")), begin + 1)
        yield begin, end
        begin = end


def _meet(start: IntArray, to: IntArray, order: IntArray) -> int:
    """For many vertices at a time, how often paths of two edges end where."""
    n, degrees, best = len(order), np.diff(start), 0
    source = np.repeat(np.arange(n), degrees)
    paths = np.bincount(source, degrees[to], minlength=n).astype(np.int64)
    for begin, end in _blocks(paths[order]):
        some = order[begin:end]
        some = some[degrees[some] > best]
        if not len(some):
            break
        middle = to[places_of(start, some)]
        u, w = np.repeat(some, paths[some]), to[places_of(start, middle)]
        kept = (w != u) & (degrees[w] > best)
        _, many = np.unique(u[kept] * n + w[kept], return_counts=True)
        best = max(best, int(many.max(initial=0)))
    return best
