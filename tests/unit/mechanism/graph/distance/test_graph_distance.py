"""Distances of graphs: slow twins and brute-force sensitivity over all graphs of at most five vertices; the mechanism."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from sfumato.account.event import DiscreteLaplaceNoise
from sfumato.attack.audit import audit
from sfumato.errors import ParameterError
from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
from sfumato.mechanism.graph.distance.mechanism import NoisyGraphNumber
from sfumato.mechanism.graph.distance.minimum_cut import EdgesToDisconnect
from sfumato.mechanism.graph.distance.spanning_tree import SpanningTreeWeight
from sfumato.table.graph import Graph, component_labels
from sfumato.testing.seeded_bits import SeededBits


def pairs_of(n):
    return list(combinations(range(n), 2))


def graphs(n):
    """All sets of edges, as masks."""
    return range(1 << len(pairs_of(n)))


def edges_of(n, mask):
    return [pair for i, pair in enumerate(pairs_of(n)) if mask >> i & 1]


def graph(n, edges, weights=None):
    return Graph(n, np.array(edges, np.int64).reshape(-1, 2), weights)


def pieces(n, edges):
    """Number of components, by merging sets."""
    groups = [{v} for v in range(n)]
    for u, v in edges:
        a, b = (next(g for g in groups if end in g) for end in (u, v))
        if a is not b:
            groups.remove(b)
            a |= b
    return len(groups)


def slow_cut(n, edges):
    """The least number of edges between two sides, over all sides."""
    sides = range(1, 1 << (n - 1))
    return min(sum((side >> u & 1) != (side >> v & 1) for u, v in edges) for side in sides)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_edges_to_connect_on_all_graphs_and_their_neighbors(n):
    values = [EdgesToConnect().value(graph(n, edges_of(n, mask))) for mask in graphs(n)]
    assert values == [pieces(n, edges_of(n, mask)) - 1 for mask in graphs(n)]
    assert largest_change(n, values) == (1 if n > 1 else 0)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_edges_to_disconnect_on_all_graphs_and_their_neighbors(n):
    values = [EdgesToDisconnect().value(graph(n, edges_of(n, mask))) for mask in graphs(n)]
    assert values == [slow_cut(n, edges_of(n, mask)) for mask in graphs(n)]
    assert largest_change(n, values) == 1
    assert min(values) >= EdgesToDisconnect().bounds(n)[0]
    assert max(values) == EdgesToDisconnect().bounds(n)[1]


def largest_change(n, values):
    return max(
        (abs(values[mask] - values[mask ^ (1 << i)]) for mask in graphs(n) for i in range(len(pairs_of(n)))), default=0
    )


def test_a_number_of_triangles_is_caught():
    """Broken twin: a number that one edge moves by more than 1 would not pass."""
    triangles = [
        sum(all(p in edges_of(5, mask) for p in combinations(three, 2)) for three in combinations(range(5), 3))
        for mask in graphs(5)
    ]
    assert largest_change(5, triangles) == 3


def slow_tree(n, weight_of):
    """The least weight over all sets of n - 1 pairs that connect."""
    trees = (t for t in combinations(pairs_of(n), n - 1) if pieces(n, t) == 1)
    return min(sum(weight_of[p] for p in tree) for tree in trees)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_spanning_trees_on_all_weights_and_their_neighbors(n):
    """Each pair without an edge (weight 3 counts) or with weight 0, 1, 3; a neighbor differs in one pair."""
    number, found = SpanningTreeWeight(0, 3), {}
    choices = (None, 0, 1, 3) if n < 4 else (None, 0, 2)
    for given in product(choices, repeat=len(pairs_of(n))):
        has = [(p, w) for p, w in zip(pairs_of(n), given, strict=True) if w is not None]
        found[given] = number.value(graph(n, [p for p, _ in has], np.array([w for _, w in has], np.int64)))
        assert found[given] == slow_tree(n, {p: 3 if w is None else w for p, w in zip(pairs_of(n), given, strict=True)})
    changes = [
        abs(found[given] - found[(*given[:i], other, *given[i + 1 :])])
        for given in found
        for i in range(len(given))
        for other in choices
    ]
    assert max(changes) == number.sensitivity_of_edge == 3


def test_an_edge_that_goes_and_counts_as_more_than_the_bound_is_caught():
    """Broken twin: pairs without an edge weigh 5 though the bound says 3."""
    assert abs(slow_tree(2, {(0, 1): 5}) - slow_tree(2, {(0, 1): 0})) > SpanningTreeWeight(0, 3).sensitivity_of_edge


def test_light_trees_are_components():
    rng = np.random.default_rng(3)
    for _ in range(20):
        found = graph(30, rng.integers(0, 30, (20, 2)))
        assert SpanningTreeWeight(0, 1).value(found) == EdgesToConnect().value(found)


def test_large_graphs_agree_with_scipy():
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

    rng = np.random.default_rng(4)
    found = Graph(3000, rng.integers(0, 3000, (4000, 2)), rng.integers(1, 50, 4000))
    matrix = coo_array((found.weights, tuple(found.edges.T)), shape=(3000, 3000)).tocsr()
    count, _ = connected_components(matrix, directed=False)
    assert EdgesToConnect().value(found) == count - 1
    forest = int(minimum_spanning_tree(matrix).sum())
    assert SpanningTreeWeight(1, 60).value(found) == forest + 60 * (count - 1)


def test_a_long_path_is_one_component():
    path = np.random.default_rng(5).permutation(5000)
    assert not np.any(component_labels(5000, np.stack([path[:-1], path[1:]], axis=1)))


@pytest.mark.parametrize("n", [40, 60])
def test_two_dense_halves_and_three_bridges(n):
    half = n // 2
    edges = [*pairs_of(half), *((u + half, v + half) for u, v in pairs_of(half)), (0, half), (1, half + 1), (2, n - 1)]
    assert EdgesToDisconnect().value(graph(n, edges)) == 3


def test_lists_of_pairs_are_made_graphs():
    found = Graph(4, np.array([[2, 1], [1, 2], [3, 3], [0, 1]]), np.array([5, 2, 1, 7]))
    assert found.edges.tolist() == [[0, 1], [1, 2]]
    assert found.weights.tolist() == [7, 2]
    assert Graph(2, np.zeros((0, 2), np.int64)).edges.shape == (0, 2)


class NetworkX:
    """As much of a networkx graph as is read."""

    def edges(self, data=None):
        plain = [("a", "b", 4), ("b", "c", 2)]
        return plain if data else [(u, v) for u, v, _ in plain]


def test_networkx_graphs():
    found = Graph.from_networkx(NetworkX(), ["c", "b", "a", "d"], weight="cost")
    assert found.edges.tolist() == [[0, 1], [1, 2]]
    assert found.weights.tolist() == [2, 4]
    assert EdgesToConnect().value(Graph.from_networkx(NetworkX(), ["a", "b", "c"])) == 0
    with pytest.raises(ParameterError, match="list of vertices"):
        Graph.from_networkx(NetworkX(), ["a", "b"])


@pytest.mark.parametrize(
    ("vertices", "edges", "weights"),
    [
        (0, [[0, 0]], None),
        (2, [[0, 2]], None),
        (2, [[-1, 0]], None),
        (2, [[0.5, 1]], None),
        (2, [[0, 1, 1]], None),
        (2, [[0, 1]], [1, 2]),
        (2, [[0, 1]], [0.5]),
    ],
)
def test_what_is_no_graph(vertices, edges, weights):
    with pytest.raises(ParameterError):
        Graph(vertices, np.array(edges), None if weights is None else np.array(weights))


def test_prices_and_bounds():
    method = NoisyGraphNumber(SpanningTreeWeight(2, 10), 5, Fraction(1, 2))
    assert method.event == DiscreteLaplaceNoise(Fraction(16), Fraction(8))
    bits = SeededBits(1)
    for _ in range(50):
        found = method.decide(graph(5, [(0, 1)]), confidence=0.9, bits=bits)
        assert 8 <= found.low[0] <= found.values[0] <= found.high[0] <= 40


@pytest.mark.parametrize("number", [EdgesToConnect(), EdgesToDisconnect()])
def test_the_audit_finds_nothing_until_the_noise_is_halved(number, monkeypatch):
    method = NoisyGraphNumber(number, 4, Fraction(1))
    inputs = [0, 1]
    tables = [graph(4, edges_of(4, 0b111111)), graph(4, edges_of(4, 0b111110))]
    if isinstance(number, EdgesToConnect):
        tables = [graph(4, [(0, 1)]), graph(4, [])]

    def run(values):
        return np.array([[method.decide(tables[v], confidence=0.5, bits=bits).values[0]] for v in values])

    bits = SeededBits(2)
    assert not audit(run, inputs, n=400, confidence=1 - 1e-6).refutes(1.0)
    halved = DiscreteLaplaceNoise(Fraction(1, 4), Fraction(1))
    monkeypatch.setattr(NoisyGraphNumber, "event", property(lambda self: halved))
    assert audit(run, inputs, n=400, confidence=1 - 1e-6).refutes(1.0)


@pytest.mark.parametrize(
    ("number", "vertices", "epsilon"),
    [
        (EdgesToConnect(), 0, Fraction(1)),
        (EdgesToConnect(), 3, 1.0),
        (EdgesToConnect(), 3, Fraction(0)),
        (EdgesToDisconnect(), 1, Fraction(1)),
        (EdgesToDisconnect(), 5000, Fraction(1)),
    ],
)
def test_what_is_refused_before_any_graph(number, vertices, epsilon):
    with pytest.raises(ParameterError):
        NoisyGraphNumber(number, vertices, epsilon)


def test_another_number_of_vertices_is_refused():
    with pytest.raises(ParameterError, match="declared"):
        NoisyGraphNumber(EdgesToConnect(), 4, Fraction(1)).decide(graph(3, []), confidence=0.9, bits=SeededBits(1))


@pytest.mark.parametrize(("low", "high"), [(3, 3), (4, 3), (0, 2**31), (0.5, 1)])
def test_bounds_of_weights_are_checked(low, high):
    with pytest.raises(ParameterError):
        SpanningTreeWeight(low, high)
