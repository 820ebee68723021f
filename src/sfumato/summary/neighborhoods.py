"""Who has the same neighborhood: the graph that a vertex's neighbors and the edges among them form, up to names.

Neighborhoods are cut into connected parts, and each part gets a canonical form: colors are refined until they tell no
more, then one vertex of the first color that several share is told apart, each in turn, and the least list of edges
wins. Of vertices that can be swapped without any change (twins) one is tried. A part that needs more trials than are
allowed is undecided, and so is its vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.table.graph import Graph
    from sfumato.types import BoolArray, IntArray

TRIALS = 500
"""Canonical labelings tried of one part."""
Form = tuple[int, tuple[tuple[int, int], ...]]
"""A graph up to names: how many vertices, and its edges in canonical numbers."""
Near = list[set[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Which vertices look alike.

    Args:
        kind: (n,) int64 from 0: equal if and only if two vertices look alike; an undecided one is alone.
        undecided: (n,) bool, vertices of which it is not known.
    """

    kind: IntArray
    undecided: BoolArray

    @property
    def alike(self) -> IntArray:
        """(n,) int64 how many look like each vertex, itself included."""
        return np.bincount(self.kind)[self.kind]


def degree_kinds(graph: Graph) -> Kinds:
    """By the number of neighbors.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> degree_kinds(Graph(3, np.array([[0, 1], [1, 2]]))).alike.tolist()
        [2, 1, 2]
    """
    return _decided(graph.degrees.tolist())


def neighbor_degree_kinds(graph: Graph) -> Kinds:
    """By the degrees of the neighbors, in order.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> path = Graph(6, np.array([[i, i + 1] for i in range(5)]))
        >>> neighbor_degree_kinds(path).alike.tolist()
        [2, 2, 2, 2, 2, 2]
    """
    return _decided(_sorted_lists(graph, graph.degrees[graph.neighbors()[1]]))


def neighborhood_kinds(graph: Graph, trials: int = TRIALS) -> Kinds:
    """By the graph of the neighbors and of the edges among them.

    Vertices whose numbers of common neighbors with each neighbor are those of nobody else are alone without more work.

    Args:
        graph: of any size; the work grows with triangles.
        trials: of labelings of one part, >= 1.

    Source:
        B. Zhou and J. Pei, "Preserving privacy in social networks against neighborhood attacks", ICDE 2008, section 2
        (the neighborhood and its components; our canonical form replaces their DFS codes).

    Example:
        >>> from sfumato.table.graph import Graph
        >>> bow = Graph(6, np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5]]))
        >>> neighborhood_kinds(bow).alike.tolist()
        [2, 2, 1, 2, 2, 1]
    """
    near = near_sets(graph)
    start, to = graph.neighbors()
    source = np.repeat(np.arange(graph.vertices), np.diff(start)).tolist()
    common = np.array([len(near[u] & near[v]) for u, v in zip(source, to.tolist(), strict=True)], np.int64)
    rough = _decided(_sorted_lists(graph, common))
    told, undecided = {}, np.zeros(graph.vertices, bool)
    forms: dict[object, int] = {}
    for v in np.flatnonzero(rough.alike > 1).tolist():
        form = neighborhood_form(near, v, trials)
        undecided[v] = form is None
        told[v] = forms.setdefault((int(rough.kind[v]), form) if form is not None else ("alone", v), len(forms))
    keys = [told.get(v, len(forms) + v) for v in range(graph.vertices)]
    return Kinds(_decided(keys).kind, undecided)


def near_sets(graph: Graph) -> Near:
    """The neighbors of each vertex as sets.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> near_sets(Graph(3, np.array([[0, 1]])))
        [{1}, {0}, set()]
    """
    start, to = graph.neighbors()
    every = to.tolist()
    return [set(every[a:b]) for a, b in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)]


def neighborhood_form(near: Near, v: int, trials: int) -> tuple[Form, ...] | None:
    """The canonical forms of the connected parts of a vertex's neighborhood, in order; None: undecided."""
    left, out = set(near[v]), list[Form]()
    while left:
        part = _reached(near, left)
        left -= part
        place = {u: i for i, u in enumerate(sorted(part))}
        form = canonical_form([{place[w] for w in near[u] & part} for u in place], trials)
        if form is None:
            return None
        out.append(form)
    return tuple(sorted(out))


def canonical_form(near: Near, trials: int = TRIALS) -> Form | None:
    """A small graph up to names: two have the same form if and only if they are isomorphic. None: too many trials.

    Example:
        >>> canonical_form([{1}, {0, 2}, {1}]) == canonical_form([{1, 2}, {0}, {0}])
        True
    """
    n, edges = len(near), sum(map(len, near)) // 2
    if edges == n * (n - 1) // 2:
        return n, tuple((a, b) for a in range(n) for b in range(a + 1, n))
    best: Form | None = None
    stack = [_refined(near, [0] * n)]
    for _ in range(trials):
        while (cell := _shared(stack[-1])) is not None:
            colors = stack.pop()
            stack += [_refined(near, _apart(colors, u)) for u in _not_twins(near, cell)]
        colors = stack.pop()
        ends = ((colors[u], colors[w]) for u in range(n) for w in near[u])
        form = n, tuple(sorted((a, b) for a, b in ends if a < b))
        best = form if best is None else min(best, form)
        if not stack:
            return best
    return None


def _refined(near: Near, colors: list[int]) -> list[int]:
    """Colors that count the colors of neighbors, until they tell no more; 0, 1, … in an order that names do not sway."""
    many = len(set(colors))
    while True:
        seen = [(colors[v], sorted(colors[u] for u in mine)) for v, mine in enumerate(near)]
        order = sorted(range(len(seen)), key=seen.__getitem__)
        out, color = [0] * len(seen), -1
        for i, v in enumerate(order):
            color += i == 0 or seen[v] != seen[order[i - 1]]
            out[v] = color
        if color + 1 == many or color + 1 == len(near):
            return out
        colors, many = out, color + 1


def _shared(colors: list[int]) -> list[int] | None:
    """The vertices of the first color that several have."""
    cells: dict[int, list[int]] = {}
    for v, color in enumerate(colors):
        cells.setdefault(color, []).append(v)
    return next((cells[color] for color in sorted(cells) if len(cells[color]) > 1), None)


def _apart(colors: list[int], v: int) -> list[int]:
    """The same colors with one vertex before the others of its color."""
    return [2 * color + (color == colors[v] and u != v) for u, color in enumerate(colors)]


def _not_twins(near: Near, cell: list[int]) -> list[int]:
    """One of each set of vertices that have the same other neighbors."""
    out: list[int] = []
    for v in cell:
        if not any(near[v] - {u} == near[u] - {v} for u in out):
            out.append(v)
    return out


def _reached(near: Near, left: set[int]) -> set[int]:
    """A connected part of these vertices."""
    part = {min(left)}
    news = set(part)
    while news:
        news = set().union(*(near[u] for u in news)) & left - part
        part |= news
    return part


def _sorted_lists(graph: Graph, values: IntArray) -> list[bytes]:
    """For each vertex the sorted values of its neighbors, as bytes."""
    start, _ = graph.neighbors()
    source = np.repeat(np.arange(graph.vertices), np.diff(start))
    ordered = values[np.lexsort((values, source))]
    return [ordered[a:b].tobytes() for a, b in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)]


def _decided(keys: Iterable[object]) -> Kinds:
    """Kinds by equal keys."""
    seen: dict[object, int] = {}
    kind = np.array([seen.setdefault(key, len(seen)) for key in keys], np.int64)
    return Kinds(kind, np.zeros(len(kind), bool))
