"""k-neighborhood anonymity: what is around each vertex looks like what is around k - 1 others, by edges removed or added."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.guarantee.graph_anonymity import k_neighborhood_guarantee
from sfumato.mechanism.graph.syntactic.changing import graph_of, join, part
from sfumato.mechanism.graph.syntactic.k_degree import Changed, changed
from sfumato.mechanism.graph.syntactic.sequence import enough
from sfumato.numbers.check import whole
from sfumato.summary.neighborhoods import near_sets, neighborhood_kinds

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.summary.neighborhoods import Near
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray


def neighborhood_anonymity(graph: Graph) -> int:
    """How many vertices have the rarest neighborhood, up to names: the k of k-neighborhood anonymity.

    Neighborhoods are compared exactly; one that is too symmetric to be decided counts as alone, so the number is never
    too large.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> neighborhood_anonymity(Graph(4, np.array([[0, 1], [1, 2], [2, 3]])))
        2
    """
    return int(neighborhood_kinds(graph).alike.min())


@dataclass(frozen=True, slots=True)
class KNeighborhood:
    """Change a graph so that whoever knows a person's neighbors, and who of them know each other, is left with k.

    A heuristic that only removes edges, or only adds them. Vertices whose neighborhoods are those of fewer than k are
    taken in the order of their degrees, each with the k - 1 others that are nearest in neighbors and in edges among
    them; neighbors are matched in the order of their degrees within the neighborhood. `remove`: each keeps as many
    neighbors as the least of them has, and an edge between two matched places only if all have it. `add`: each gets as
    many as the first has (the least connected vertices are joined), and an edge that one has is added to all. That
    changes neighborhoods of others, so it is done again until the exact comparison finds k of each. Removing always
    ends, since a graph without edges is anonymous, and leaves the plain neighborhoods that many have; adding makes
    triangles, of which each makes others rare, and seldom ends before `most`. On dense graphs both cost most edges.

    Args:
        k: at least so many vertices of each neighborhood, >= 2.
        change: `remove` or `add`.
        most: edges that may be removed or added, >= 0.

    Raises:
        ParameterError: a number out of range.

    Source:
        B. Zhou and J. Pei, "Preserving privacy in social networks against neighborhood attacks", ICDE 2008 (the notion,
        and to work by similar neighborhoods, the largest first); the matching is simpler than theirs, and removing ours.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> done = KNeighborhood(2, "remove", 10).decide(Graph(5, np.array([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4]])))
        >>> neighborhood_anonymity(done.graph) >= 2, done.added, done.removed
        (True, 0, 1)
    """

    name: ClassVar[str] = "k-neighborhood"
    k: int
    change: Literal["remove", "add"]
    most: int

    def __post_init__(self) -> None:
        whole(self.k, "k", 2, 2**31)
        whole(self.most, "most", 0, 2**62)

    def decide(self, graph: Graph) -> Changed:
        """The changed graph.

        Raises:
            NoSolution: fewer than k vertices, more edges than may be, or neighborhoods that cannot be compared.
        """
        enough(graph.vertices, self.k)
        near, now = near_sets(graph), graph
        while len(lonely := np.flatnonzero(neighborhood_kinds(now).alike < self.k)):
            for group in _groups(near, lonely, self.k):
                (_grown_alike if self.change == "add" else _cut_alike)(near, group)
            before, now = now, graph_of(near)
            if len(before.edges) == len(now.edges):
                raise NoSolution(
                    "Some neighborhoods are too symmetric to be compared.", "ask for k-degree anonymity instead."
                )
            if abs(len(now.edges) - len(graph.edges)) > self.most:
                raise NoSolution(
                    "The search for a graph of which each neighborhood is that of {k} vertices changes more than {most} edges.",
                    "allow more edges with `most`, remove edges, ask for a smaller k, or for k-degree anonymity.",
                    k=self.k,
                    most=self.most,
                )
        return changed(graph, now, None)

    def guarantee(self) -> Guarantee:
        """What is promised when `neighborhood_anonymity` of what is published is at least k."""
        return k_neighborhood_guarantee(self.k)


def _groups(near: Near, lonely: IntArray, k: int) -> list[list[int]]:
    """Disjoint groups of k for a quarter of the lonely vertices, those with most neighbors first; at least one group."""
    size = np.array([len(one) for one in near], np.int64)
    left, alone, out = np.ones(len(near), bool), set(lonely.tolist()), list[list[int]]()
    for first in lonely[np.argsort(-size[lonely], kind="stable")].tolist():
        if 4 * k * len(out) >= max(len(lonely), 1) or left.sum() < k:
            break
        if left[first]:
            free = np.flatnonzero(left)
            near_by = free[np.argsort(np.abs(size[free] - size[first]), kind="stable")[: 8 * k + 1]]
            inner = {v: sum(len(near[u] & near[v]) for u in near[v]) // 2 for v in {first, *near_by.tolist()}}
            cost = {v: abs(int(size[v] - size[first])) + abs(many - inner[first]) for v, many in inner.items()}
            order = sorted(cost, key=lambda v, cost=cost: (cost[v], v not in alone, v))  # type: ignore[misc]
            out.append([first, *[v for v in order if v != first][: k - 1]])
            left[out[-1]] = False
    return out


def _grown_alike(near: Near, group: list[int]) -> None:
    """Add neighbors, and edges between them, until the matched neighborhoods are equal."""
    size = max(len(near[v]) for v in group)
    for v in group:
        free = [u for u in range(len(near)) if u != v and u not in near[v]]
        free.sort(key=lambda u: (u in group, len(near[u])))
        for u in free[: size - len(near[v])]:
            join(near, v, u)
    places = [sorted(near[v], key=lambda u, v=v: (-len(near[u] & near[v]), u)) for v in group]  # type: ignore[misc]
    for i, j in combinations(range(min(map(len, places))), 2):
        if any(place[j] in near[place[i]] for place in places):
            for place in places:
                join(near, place[i], place[j])


def _cut_alike(near: Near, group: list[int]) -> None:
    """Remove edges to neighbors, and edges between them, until the matched neighborhoods are equal."""
    size = min(len(near[v]) for v in group)
    places = [sorted(near[v], key=lambda u, v=v: (-len(near[u] & near[v]), u)) for v in group]  # type: ignore[misc]
    for v, place in zip(group, places, strict=True):
        for u in place[size:]:
            part(near, v, u)
    for i, j in combinations(range(size), 2):
        if not all(place[j] in near[place[i]] for place in places):
            for place in places:
                part(near, place[i], place[j])
