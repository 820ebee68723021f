"""The projection to few neighbors: its slow twin over all graphs of six vertices at once, and every vertex taken out."""

from itertools import combinations

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.graph import projection
from sfumato.mechanism.graph.projection import Projection
from sfumato.table.graph import Graph

N = 6
PAIRS = np.array(list(combinations(range(N), 2)))
MASKS = np.arange(1 << len(PAIRS))


def degrees_of_all(order, theta, masks=MASKS):
    """(masks, N) degrees after edges are put in one by one; the order is of places in PAIRS."""
    degrees = np.zeros((len(masks), N), np.int64)
    for place in order:
        u, v = PAIRS[place]
        fits = (masks >> place & 1 == 1) & (degrees[:, u] < theta) & (degrees[:, v] < theta)
        degrees[fits, u] += 1
        degrees[fits, v] += 1
    return degrees


def moved(degrees, theta):
    """The most that taking away the edges of a vertex moves: edges, degrees, cells, cells from above, other vertices."""
    at = np.arange(1, theta + 1)
    equal, least = (degrees[:, :, None] == at).sum(axis=1), (degrees[:, :, None] >= at).sum(axis=1)
    found = np.zeros(5, int)
    for v in range(N):
        without = MASKS & ~sum(1 << i for i, pair in enumerate(PAIRS) if v in pair)
        by = np.abs(degrees - degrees[without])
        edges = np.abs(degrees.sum(1) - degrees[without].sum(1)) // 2
        parts = [edges, by.sum(1), *(np.abs(x - x[without]).sum(1) for x in (equal, least)), np.delete(by, v, 1).sum(1)]
        found = np.maximum(found, [part.max() for part in parts])
    return found.tolist()


@pytest.mark.parametrize("theta", [1, 2, 3])
def test_a_vertex_moves_as_much_as_is_said_and_no_more(theta):
    """Over all graphs of six vertices, in several orders; each constant is reached."""
    asked, worst = Projection(theta, order=0), np.zeros(5, int)
    for order in range(8):
        places = np.argsort(projection._keys(PAIRS, order))
        worst = np.maximum(worst, moved(degrees_of_all(places, theta), theta))
    told = [asked.edges_moved, asked.degrees_moved, asked.histogram_moved, asked.at_least_moved, theta]
    assert worst.tolist() == told


def test_an_order_that_looks_at_the_graph_is_caught():
    """Broken twin: edges of busy vertices first. One vertex then moves degrees by more than 2θ."""
    theta, degrees = 1, np.zeros((len(MASKS), N), np.int64)
    full = degrees_of_all(range(len(PAIRS)), N)
    for mask in MASKS:
        busy = full[mask][PAIRS].sum(1) * 100 - np.arange(len(PAIRS))
        degrees[mask] = degrees_of_all(np.argsort(-busy), theta, MASKS[mask : mask + 1])[0] if mask % 16 == 0 else -1
    known = degrees[:, 0] >= 0
    worst = 0
    for v in range(2, N):
        without = MASKS & ~sum(1 << i for i, pair in enumerate(PAIRS) if v in pair)
        both = known & known[without]
        worst = max(worst, np.abs(degrees - degrees[without])[both].sum(1).max())
    assert worst > Projection(theta, order=0).degrees_moved


@pytest.mark.parametrize("theta", [1, 2, 4])
def test_it_is_the_slow_twin_on_graphs_of_six_vertices(theta):
    places = np.argsort(projection._keys(PAIRS, 5))
    rng = np.random.default_rng(1)
    for mask in [0, MASKS[-1], *rng.choice(MASKS, 60)]:
        found = Projection(theta, order=5).project(Graph(N, PAIRS[mask >> np.arange(len(PAIRS)) & 1 == 1]))
        assert found.degrees.tolist() == degrees_of_all(places, theta, np.array([mask]))[0].tolist()


def test_both_forms_agree_and_keep_weights(monkeypatch):
    rng = np.random.default_rng(2)
    chance = rng.pareto(1.2, 500) + 1
    ends = rng.choice(500, (4000, 2), p=chance / chance.sum())
    graph = Graph(500, ends, rng.integers(0, 9, 4000))
    for theta in (1, 3, 10):
        one = Projection(theta, order=9).project(graph)
        room, keep = np.full(500, theta), np.zeros(len(graph.edges), bool)
        projection._put_in(graph.edges, np.argsort(projection._keys(graph.edges, 9)), room, keep)
        assert np.array_equal(one.edges, graph.edges[keep])
        assert np.array_equal(one.weights, graph.weights[keep])
        monkeypatch.setattr(projection, "PAYS_FROM", 1)
        assert np.array_equal(Projection(theta, order=9).project(graph).edges, one.edges)
        monkeypatch.undo()
        assert one.degrees.max() <= theta


def test_the_order_does_not_know_how_many_vertices_there_are():
    edges = np.array([[0, 1], [0, 2], [1, 2], [2, 3], [0, 3]])
    few, many = (Projection(1, order=3).project(Graph(n, edges)).edges.tolist() for n in (4, 400))
    assert few == many


@pytest.mark.parametrize(("most", "order"), [(0, 0), (1.5, 0), (1, -1), (True, 0)])
def test_what_is_refused(most, order):
    with pytest.raises(ParameterError):
        Projection(most, order)
