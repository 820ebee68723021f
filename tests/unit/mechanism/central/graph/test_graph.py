"""Exact distances against brute force, sensitivities over all small graphs, and the noise on them."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from sfumato.account.event import DiscreteLaplaceNoise, PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.graph.distance import edges_to_connect, edges_to_disconnect
from sfumato.mechanism.central.graph.graph import graph_of
from sfumato.mechanism.central.graph.release import GraphDistance, Property, SpanningTreeWeight
from sfumato.mechanism.central.graph.spanning_tree import spanning_weight
from sfumato.testing.seeded_bits import SeededBits

pytest.importorskip("scipy")


def every_graph(n):
    """All sets of edges on n vertices."""
    pairs = list(combinations(range(n), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        yield frozenset(pair for pair, is_in in zip(pairs, chosen, strict=True) if is_in)


def is_connected(n, edges):
    """By walking."""
    seen, todo = {0}, [0]
    while todo:
        at = todo.pop()
        for a, b in edges:
            for one, other in ((a, b), (b, a)):
                if one == at and other not in seen:
                    seen.add(other)
                    todo.append(other)
    return len(seen) == n


def slow_distance(n, edges, wanted):
    """Least number of changed edges to a graph with the property, over all graphs."""
    return min((len(edges ^ other) for other in every_graph(n) if is_connected(n, other) is wanted), default=0)


def array(edges):
    """Edges as an array."""
    return np.array(sorted(edges), np.int64).reshape(-1, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_distances_equal_brute_force_and_one_edge_moves_them_by_one(n):
    connect, disconnect = {}, {}
    for edges in every_graph(n):
        graph = graph_of(n, array(edges))
        connect[edges], disconnect[edges] = edges_to_connect(graph), edges_to_disconnect(graph)
        assert connect[edges] == slow_distance(n, edges, wanted=True)
        if n > 1:
            assert disconnect[edges] == slow_distance(n, edges, wanted=False)
    for edges, pair in product(connect, combinations(range(n), 2)):
        other = edges ^ {pair}
        assert abs(connect[edges] - connect[other]) <= 1
        assert abs(disconnect[edges] - disconnect[other]) <= 1


def slow_weight(n, weights, most):
    """The lightest tree among all sets of n - 1 pairs."""
    pairs = list(combinations(range(n), 2))
    trees = (tree for tree in combinations(pairs, n - 1) if is_connected(n, tree))
    return min(sum(weights.get(pair, most + 1) for pair in tree) for tree in trees)


def test_the_lightest_tree_equals_brute_force_and_moves_by_its_bound():
    """All weighted graphs on 4 vertices with weights 0, 1, 2 or no edge: 4⁶ of them, and all their neighbors."""
    n, most = 4, 2
    pairs = list(combinations(range(n), 2))
    found = {}
    for kinds in product((None, 0, 1, 2), repeat=len(pairs)):
        weights = {pair: kind for pair, kind in zip(pairs, kinds, strict=True) if kind is not None}
        graph = graph_of(n, array(weights))
        found[kinds] = spanning_weight(
            graph, np.array([weights[tuple(e)] for e in graph.edges.tolist()], np.int64), most
        )
        if sum(k or 0 for k in kinds) % 5 == 0:
            assert found[kinds] == slow_weight(n, weights, most)
    worst = max(
        abs(found[kinds] - found[(*kinds[:i], other, *kinds[i + 1 :])])
        for kinds in found for i in range(len(pairs)) for other in (None, 0, 1, 2)
    )  # fmt: skip
    assert worst == most + 1


def test_weights_are_clamped():
    graph = graph_of(2, np.array([[0, 1]]))
    assert spanning_weight(graph, np.array([10**12]), 9) == 9
    assert spanning_weight(graph, np.array([-5]), 9) == 0


def test_prices_and_intervals():
    noisy = GraphDistance(Property.DISCONNECTED, PureDP(Fraction(1, 2)))
    assert noisy.event == DiscreteLaplaceNoise(Fraction(2), Fraction(1), 1)
    tree = SpanningTreeWeight(9, PureDP(Fraction(1)))
    assert tree.event == DiscreteLaplaceNoise(Fraction(10), Fraction(10), 1)
    ring = graph_of(6, np.array([[i, (i + 1) % 6] for i in range(6)]))
    inside = 0
    bits = SeededBits(5)
    for _ in range(400):
        found = noisy.decide(ring, confidence=0.95, bits=bits)
        inside += bool(found.low[0] <= 2 <= found.high[0])
        assert float(found.values[0]).is_integer()
    assert inside >= 340  # a binomial of 400 and 0.95 falls below with probability under 1e-12
    found = tree.decide(ring, np.ones(6, np.int64), confidence=0.9, bits=bits)
    assert found.low[0] < found.values[0] < found.high[0]


def test_graphs_that_cannot_be_are_refused_without_their_edges():
    for edges in (np.array([[0, 7]]), np.array([[-1, 0]])):
        with pytest.raises(ParameterError, match=r"0 … 4"):
            graph_of(5, edges)
    with pytest.raises(ParameterError, match="pairs"):
        graph_of(5, np.array([0, 1, 2]))
    with pytest.raises(ParameterError, match="vertices"):
        graph_of(0, np.zeros((0, 2)))
    with pytest.raises(ParameterError, match="one weight"):
        spanning_weight(graph_of(3, np.array([[0, 1]])), np.array([1, 2]), 5)
    with pytest.raises(ParameterError, match="most"):
        SpanningTreeWeight(-1, PureDP(Fraction(1)))
    assert "1" not in repr(graph_of(5, np.array([[0, 1]]))).replace("5", "")
