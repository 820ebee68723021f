"""Core numbers of a graph in memory: by peeling, and by the rounds of messages of Montresor.

The k-core is the largest part of a graph in which every vertex has k neighbors within the part; the core number of
a vertex is the largest k whose core holds it.

Source: V. Batagelj, M. Zaveršnik, "An O(m) algorithm for cores decomposition of networks", 2003; A. Montresor,
F. De Pellegrini, D. Miorandi, "Distributed k-core decomposition", PODC 2011.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

COMPILING_PAYS_FROM = 2_000_000
"""Edges from which a compiled loop is worth loading."""

_SMALL = 64
"""Vertices that leave together; fewer are faster one by one."""


def core_numbers(graph: Graph) -> IntArray:
    """(n,) int64 exact core number of each vertex; O(n + m) steps, also on a long path.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> core_numbers(Graph(5, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))).tolist()
        [2, 2, 2, 1, 0]
    """
    start, to = graph.neighbors()
    if pays(len(graph.edges), COMPILING_PAYS_FROM):
        core = np.diff(start)
        compiled(_peel_loop)(start, to, core)
        return core
    return peel(start, to)


def peel(start: IntArray, to: IntArray) -> IntArray:
    """The core numbers without a compiler: vertices leave together while many do, one by one while few do.

    Args:
        start: (n + 1,) where the neighbors of each vertex begin.
        to: neighbors.
    """
    left, core = np.diff(start), np.full(len(start) - 1, -1, np.int64)
    alive = np.arange(len(core))
    while len(alive):
        k = int(left[alive].min())
        leaving = alive[left[alive] <= k]
        core[leaving] = k
        while len(leaving):
            together = _few if len(leaving) <= _SMALL else _many
            leaving = together(start, to, left, core, leaving)
        alive = alive[core[alive] < 0]
    return core


def _many(start: IntArray, to: IntArray, left: IntArray, core: IntArray, leaving: IntArray) -> IntArray:
    """Take away the edges of vertices that leave together; those that must leave next, already told their core."""
    k = int(core[leaving[0]])
    ends = to[places_of(start, leaving)]
    met, lost = np.unique(ends[core[ends] < 0], return_counts=True)
    left[met] -= lost
    following = met[left[met] <= k]
    core[following] = k
    return following


def _few(start: IntArray, to: IntArray, left: IntArray, core: IntArray, leaving: IntArray) -> IntArray:
    """The same one by one, and those that follow, until none or many must leave."""
    begin, end, degree, number = start.data, to.data, left.data, core.data
    stack, k = leaving.tolist(), int(core[leaving[0]])
    while stack and len(stack) <= 2 * _SMALL:
        one = stack.pop()
        for i in range(begin[one], begin[one + 1]):
            other = end[i]
            if number[other] < 0:
                degree[other] -= 1
                if degree[other] <= k:
                    number[other] = k
                    stack.append(other)
    return np.array(stack, np.int64)


def places_of(start: IntArray, chosen: IntArray) -> IntArray:
    """Where the neighbors of chosen vertices stand, vertex by vertex.

    Example:
        >>> places_of(np.array([0, 2, 3, 6]), np.array([2, 0])).tolist()
        [3, 4, 5, 0, 1]
    """
    many = start[chosen + 1] - start[chosen]
    before = np.cumsum(many) - many
    places: IntArray = np.arange(int(many.sum())) + np.repeat(start[chosen] - before, many)
    return places


def h_indices(start: IntArray, values: IntArray) -> IntArray:
    """(n,) int64 the largest h such that h of a vertex's values are at least h; by counting, without sorting.

    Args:
        start: (n + 1,) where the values of each vertex begin.
        values: whole numbers; below 0 counts as 0.

    Example:
        >>> h_indices(np.array([0, 3, 3, 5]), np.array([1, 5, 2, 0, -7])).tolist()
        [2, 0, 0]
    """
    many = np.diff(start)
    first = start[:-1] + np.arange(len(many))  # each vertex has one bin more than values
    held = np.maximum(np.minimum(values, np.repeat(many, many)), 0)
    bins = np.bincount(np.repeat(first, many) + held, minlength=len(values) + len(many))
    below = np.cumsum(bins) - bins
    rank = np.arange(len(bins)) - np.repeat(first, many + 1)
    enough = np.repeat(start[1:], many + 1) - below >= rank  # rank 0 always has enough
    found: IntArray = np.add.reduceat(enough, first, dtype=np.int64) - 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """What is said in one round.

    Args:
        estimates: (n,) what each vertex has said last; the core numbers from above.
        messages: how many were sent: each vertex whose estimate is new tells all its neighbors.
    """

    estimates: IntArray
    messages: int


def montresor_rounds(graph: Graph) -> Iterator[Round]:
    """The synchronous rounds of Montresor's one-to-one protocol, until one in which nobody has news.

    First each vertex tells its degree, then the h-index of what its neighbors told last.

    Yields:
        Round: the first has the degrees and the last but one the core numbers, which the last repeats.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> [(one.estimates.tolist(), one.messages) for one in montresor_rounds(Graph(3, np.array([[0, 1], [1, 2]])))]
        [([1, 2, 1], 4), ([1, 1, 1], 2), ([1, 1, 1], 0)]
    """
    start, to = graph.neighbors()
    said = degrees = np.diff(start)
    yield Round(said, int(degrees.sum()))
    news = degrees > 0
    while news.any():
        following = h_indices(start, said[to])
        news, said = following < said, following
        yield Round(said, int(degrees[news].sum()))


def _peel_loop(start: Any, to: Any, core: Any) -> None:
    """Vertices leave by rising degree; `core` comes with the degrees and goes with the core numbers."""
    n = len(core)
    most: Any = 0
    for v in range(n):
        most = max(most, core[v])
    begin = np.zeros(most + 2, np.int64)
    for v in range(n):
        begin[core[v] + 1] += 1
    for d in range(most + 1):
        begin[d + 1] += begin[d]
    fill = begin.copy()
    order, place = np.empty(n, np.int64), np.empty(n, np.int64)
    for v in range(n):
        place[v] = fill[core[v]]
        order[place[v]] = v
        fill[core[v]] += 1
    for i in range(n):
        v = order[i]
        for e in range(start[v], start[v + 1]):
            u = to[e]
            d = core[u]
            if d > core[v]:  # u moves to the front of its degree, and the front one place on
                front = begin[d]
                w = order[front]
                order[front], order[place[u]] = u, w
                place[w], place[u] = place[u], front
                begin[d] += 1
                core[u] -= 1
