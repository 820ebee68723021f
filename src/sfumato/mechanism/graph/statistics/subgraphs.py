"""Numbers of small patterns in a graph that one edge may change by much, and by how much at most in this graph.

Each says a *size* that one edge changes by at most 1, and widths: one edge changes the number by at most w(size).

Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.graph.statistics.ladder import Widths
from sfumato.numbers.check import whole
from sfumato.summary.triangles import most_common_neighbors, number_of_triangles

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

MOST_LEGS = 8
"""Of stars."""


class Pattern(Protocol):
    """A number of patterns, and a ladder for it."""

    @property
    def name(self) -> str:
        """What is counted."""
        ...

    def value(self, graph: Graph) -> int:
        """The true number."""
        ...

    def most(self, vertices: int) -> int:
        """The greatest number of any graph with so many vertices."""
        ...

    def size(self, graph: Graph) -> int:
        """What one edge changes by at most 1."""
        ...

    def widths(self, vertices: int) -> Widths:
        """One edge changes the number by at most w(size); log-concave."""
        ...

    def most_size(self, vertices: int) -> int:
        """The greatest size of any graph with so many vertices."""
        ...


@dataclass(frozen=True, slots=True)
class Triangles:
    """Sets of three vertices that are pairwise neighbors.

    An edge is in as many triangles as its ends have neighbors in common, so the size is the most common neighbors of any
    two vertices.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> Triangles().value(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]])))
        1
    """

    @property
    def name(self) -> str:
        """What is counted."""
        return "number of triangles"

    def value(self, graph: Graph) -> int:
        """The true number."""
        return number_of_triangles(graph)

    def most(self, vertices: int) -> int:
        """Three of n."""
        return math.comb(vertices, 3)

    def size(self, graph: Graph) -> int:
        """The most common neighbors of two vertices."""
        return most_common_neighbors(graph)

    def widths(self, vertices: int) -> Widths:
        """w(x) = x."""
        return Widths((0, 1), max(vertices - 2, 0))

    def most_size(self, vertices: int) -> int:
        """All others."""
        return max(vertices - 2, 0)


@dataclass(frozen=True, slots=True)
class Stars:
    """A vertex with k of its neighbors: Σ C(degree, k).

    An edge between two vertices with d and e other neighbors is in C(d, k-1) + C(e, k-1) stars. The size is the least x with
    2 C(x, k-1) >= C(d, k-1) + C(e, k-1) for the two largest degrees, or the largest degree where that is below k - 1.

    Args:
        legs: k, 2 … 8.

    Raises:
        ParameterError: another number of legs. Remedy: stars of one leg are edges.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> Stars(2).value(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]])))
        5
    """

    legs: int

    def __post_init__(self) -> None:
        whole(self.legs, "legs", 2, MOST_LEGS)

    @property
    def name(self) -> str:
        """What is counted."""
        return f"number of stars with {self.legs} legs"

    def value(self, graph: Graph) -> int:
        """The true number."""
        return stars(graph.degrees, self.legs)

    def most(self, vertices: int) -> int:
        """Those of the complete graph."""
        return vertices * math.comb(vertices - 1, self.legs)

    def size(self, graph: Graph) -> int:
        """Of the two largest degrees, one between them."""
        first, second = _two_largest(graph.degrees)
        most = math.comb(first, self.legs - 1) + math.comb(second, self.legs - 1)
        if not math.comb(first, self.legs - 1):
            return first
        return _least(lambda x: 2 * math.comb(x, self.legs - 1) >= most, second, first)

    def widths(self, vertices: int) -> Widths:
        """w(x) = 2 C(x, k - 1)."""
        return Widths((*(0,) * (self.legs - 1), 2), max(vertices - 2, 0))

    def most_size(self, vertices: int) -> int:
        """The largest degree."""
        return vertices - 1


@dataclass(frozen=True, slots=True)
class DegreeProducts:
    """The sum, over edges, of the product of the degrees of both ends: what assortativity by degree asks.

    An edge between two vertices of degree at most d, whose neighbors' degrees add up to at most s, changes it by at most
    V = (d + 1)² + 2 s. The size is the least x with 4x² + 12x + 6 >= V.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> DegreeProducts().value(Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]])))
        19
    """

    @property
    def name(self) -> str:
        """What is counted."""
        return "sum over edges of the product of degrees"

    def value(self, graph: Graph) -> int:
        """The true number."""
        degrees = graph.degrees
        return int((degrees[graph.edges[:, 0]] * degrees[graph.edges[:, 1]]).sum())

    def most(self, vertices: int) -> int:
        """That of the complete graph."""
        return math.comb(vertices, 2) * (vertices - 1) ** 2

    def size(self, graph: Graph) -> int:
        """About half of the root of the most that one edge changes."""
        degrees, widths = graph.degrees, self.widths(graph.vertices)
        around = np.bincount(
            graph.edges.ravel(), weights=degrees[graph.edges[:, ::-1]].ravel(), minlength=graph.vertices
        )
        most = (int(degrees.max()) + 1) ** 2 + 2 * int(around.max())
        return _least(lambda x: widths.at(x) >= most, 0, self.most_size(graph.vertices))

    def widths(self, vertices: int) -> Widths:
        """w(x) = 4x² + 12x + 6."""
        return Widths((6, 16, 8), self.most_size(vertices))

    def most_size(self, vertices: int) -> int:
        """That of the complete graph: 4x² + 12x + 6 >= n² + 2(n - 1)² at x = n."""
        return vertices


def stars(degrees: IntArray, legs: int) -> int:
    """Σ C(degree, legs), exactly.

    Example:
        >>> stars(np.array([3, 1, 2]), 2)
        4
    """
    found, many = np.unique(degrees, return_counts=True)
    return sum(math.comb(int(d), legs) * int(times) for d, times in zip(found, many, strict=True))


def _least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number from low to high that holds, where `high` is known to."""
    return low + bisect_left(range(low, high), True, key=holds)


def _two_largest(degrees: IntArray) -> tuple[int, int]:
    """The two largest degrees, the second 0 where there is one vertex."""
    top = np.sort(np.partition(degrees, -2)[-2:]) if len(degrees) > 1 else np.array([0, degrees[0]])
    return int(top[1]), int(top[0])
