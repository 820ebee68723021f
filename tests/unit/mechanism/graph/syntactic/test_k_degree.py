"""Graphs that are changed are k-degree anonymous, and what it took is what a comparison of both counts."""

from itertools import combinations

import numpy as np
import pytest

from sfumato.errors import NoSolution
from sfumato.mechanism.graph.syntactic.k_degree import KDegree, degree_anonymity
from sfumato.table.graph import Graph


def edges_of(graph):
    return {tuple(edge) for edge in graph.edges.tolist()}


@pytest.mark.parametrize("change", ["add", "swap"])
@pytest.mark.parametrize("k", [2, 3, 7, 20])
def test_random_graphs(change, k):
    rng = np.random.default_rng(k)
    for n, m in ((20, 5), (20, 60), (20, 180), (60, 200), (300, 900)):
        hubs = rng.integers(0, n, (m, 2)) * rng.integers(0, 2, (m, 1))
        graph = Graph(n, np.concatenate([rng.integers(0, n, (m, 2)), hubs]))
        done = KDegree(k, change).decide(graph)
        before, after = edges_of(graph), edges_of(done.graph)
        assert degree_anonymity(done.graph) >= k
        assert (done.added, done.removed) == (len(after - before), len(before - after))
        assert change == "swap" or before <= after
        assert done.added + done.removed >= done.least


def fewest_added(graph, k):
    """Edges of the smallest supergraph that is k-degree anonymous, by trying all."""
    free = sorted(set(combinations(range(graph.vertices), 2)) - edges_of(graph))
    for many in range(len(free) + 1):
        for more in combinations(free, many):
            if degree_anonymity(Graph(graph.vertices, np.array([*edges_of(graph), *more]).reshape(-1, 2))) >= k:
                return many
    return None


def test_no_supergraph_needs_fewer_edges_than_is_said():
    rng = np.random.default_rng(5)
    for _ in range(30):
        graph = Graph(5, rng.integers(0, 5, (rng.integers(0, 9), 2)))
        done, fewest = KDegree(2, "add").decide(graph), fewest_added(graph, 2)
        assert done.least <= fewest <= done.added <= fewest + 3


def test_an_anonymous_graph_stays_as_it_is():
    ring = Graph(6, np.array([[i, (i + 1) % 6] for i in range(6)]))
    for change in ("add", "swap"):
        done = KDegree(6, change).decide(ring)
        assert (done.added, done.removed, done.least) == (0, 0, 0)


def test_too_few_vertices():
    with pytest.raises(NoSolution, match="3 vertices"):
        KDegree(4, "add").decide(Graph(3, np.array([[0, 1]])))
