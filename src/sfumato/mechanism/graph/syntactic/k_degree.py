"""k-degree anonymity: every degree is that of k vertices, by the fewest edges added, or added and removed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.graph_anonymity import k_degree_guarantee
from sfumato.mechanism.graph.syntactic.changing import (
    exchange,
    graph_of,
    hand_over,
    join,
    pair_off,
    take,
)
from sfumato.mechanism.graph.syntactic.sequence import cheapest_degrees
from sfumato.numbers.check import whole
from sfumato.summary.neighborhoods import near_sets

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.summary.neighborhoods import Near
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

Change = Literal["add", "swap"]


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """A graph to be published, and what it cost.

    Args:
        graph: changed.
        added: edges of it that were not there.
        removed: edges that are no more.
        least: no fewer edges can do (the optimum of the degrees, which no graph may have exactly); None: not known.
    """

    graph: Graph
    added: int
    removed: int
    least: int | None


def degree_anonymity(graph: Graph) -> int:
    """How many vertices share the rarest degree: the k of k-degree anonymity, by counting.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> degree_anonymity(Graph(4, np.array([[0, 1], [1, 2], [2, 3]])))
        2
    """
    count = np.bincount(graph.degrees)
    return int(count[count > 0].min())


@dataclass(frozen=True, slots=True)
class KDegree:
    """Change a graph so that whoever knows a person's degree is left with k vertices.

    The degrees are the optimum of `cheapest_degrees`. `add`: the graph is kept and edges are added, between vertices
    that owe degrees as long as there are such, and then to vertices of common degrees, whose change costs nothing; the
    degrees are made cheapest again from there, until each stands k times. That ends: every round adds an edge, and the
    complete graph is anonymous. `swap`: edges are added, removed and moved, so that degrees may fall; what cannot be
    reached is added as before. Ties fall to the order of vertices: names are to be drawn afresh when it is published.

    Args:
        k: at least so many vertices of each degree, >= 2.
        change: `add` or `swap`.

    Raises:
        ParameterError: k below 2.

    Source:
        K. Liu and E. Terzi, "Towards identity anonymization on graphs", SIGMOD 2008, sections 5 and 6; what is done
        where the greedy construction fails (their Probing) and the moves of `swap` are ours.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> star = Graph(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
        >>> done = KDegree(2, "add").decide(star)
        >>> done.graph.degrees.tolist(), done.added, done.removed, done.least
        ([4, 4, 2, 2, 2], 3, 0, 3)
    """

    name: ClassVar[str] = "k-degree"
    k: int
    change: Change

    def __post_init__(self) -> None:
        whole(self.k, "k", 2, 2**31)

    def decide(self, graph: Graph) -> Changed:
        """The changed graph.

        Raises:
            NoSolution: fewer than k vertices.
        """
        near = near_sets(graph)
        if self.change == "swap":
            targets = cheapest_degrees(graph.degrees, self.k, lower=True)
            _swapped(near, targets.degrees - graph.degrees)
        else:
            targets = cheapest_degrees(graph.degrees, self.k, lower=False)
        _raised(near, self.k)
        return changed(graph, graph_of(near), targets.least_edges)

    def guarantee(self) -> Guarantee:
        """What is promised when `degree_anonymity` of what is published is at least k."""
        return k_degree_guarantee(self.k)


def changed(before: Graph, after: Graph, least: int | None) -> Changed:
    """What became of a graph, counted on both."""
    one, other = (g.edges[:, 0] * g.vertices + g.edges[:, 1] for g in (before, after))
    kept = len(np.intersect1d(one, other, assume_unique=True))
    return Changed(after, len(other) - kept, len(one) - kept, least)


def _swapped(near: Near, owed: IntArray) -> None:
    """Add between those that want, remove between those that have too many, and move what is left."""
    gain = pair_off(near, np.maximum(owed, 0), added=True)
    lose = pair_off(near, np.maximum(-owed, 0), added=False)
    left = hand_over(near, gain - lose)
    exchange(near, np.maximum(left, 0))
    exchange(near, np.minimum(left, 0))


def _raised(near: Near, k: int) -> None:
    """Add edges until each degree stands k times."""
    while True:
        degrees = np.fromiter((len(one) for one in near), np.int64, len(near))
        owed = cheapest_degrees(degrees, k, lower=False).degrees - degrees
        if not owed.any():
            return
        left = pair_off(near, owed, added=True)
        if left.any():
            _to_common(near, left, k)


def _to_common(near: Near, left: IntArray, k: int) -> None:
    """Join those who found no partner to vertices of common degrees, which stay anonymous where they can."""
    members: dict[int, list[int]] = {}
    for v, mine in enumerate(near):
        members.setdefault(len(mine), []).append(v)
    count = {degree: len(some) for degree, some in members.items()}
    for v in np.flatnonzero(left).tolist():
        wanted = int(left[v])
        for degree in sorted(members, key=lambda degree: _rank(count, degree, k)):
            is_spare = not _rank(count, degree, k)[0]
            many = min(wanted, count[degree] - k) if is_spare else wanted
            found = take(members[degree], many, partial(_stays, near, left, degree), near[v] | {v})
            for u in found:
                join(near, v, u)
            count[degree] -= len(found)
            count[degree + 1] = count.get(degree + 1, 0) + len(found)
            wanted -= len(found)
            if not wanted:
                break


def _stays(near: Near, left: IntArray, degree: int, u: int) -> bool:
    return len(near[u]) == degree and not left[u]


def _rank(count: dict[int, int], degree: int, k: int) -> tuple[bool, int]:
    """Degrees whose vertices may gain a neighbor and stay anonymous, the most common first; then the least degrees."""
    spare = count[degree] > k and count.get(degree + 1, 0) >= k
    return not spare, -count[degree] if spare else degree
