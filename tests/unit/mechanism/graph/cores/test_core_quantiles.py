"""How far one vertex moves core numbers, on all graphs of a few vertices, and quantiles that rest on it."""

from collections import deque
from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import graphs, neighbors, pairs_of

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.graph.cores.quantiles import CoreQuantiles, NodeCoreQuantiles, changes, rank_of
from sfumato.mechanism.graph.cores.surrogate import of_groups
from sfumato.mechanism.graph.projection import Projection
from sfumato.noise.bits import KeyedBits
from sfumato.summary.cores import core_numbers
from sfumato.table.unit import Neighbors


def moves(n, project=lambda graph: graph):
    """(moves of the others at most, of the vertex itself, of all together) over all graphs and vertices."""
    cores, pairs = [core_numbers(project(graph)) for graph in graphs(n)], pairs_of(n)
    others = own = together = 0
    for mask in range(len(cores)):
        for v in range(n):
            base = mask & ~sum(1 << i for i, pair in enumerate(pairs) if v in pair)
            moved = np.abs(cores[mask] - cores[base])
            others = max(others, int(np.delete(moved, v).max()))
            own, together = max(own, int(moved[v])), max(together, int(moved.sum()))
    return others, own, together


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_vertex_moves_core_numbers_of_others_by_one_and_its_own_by_all(n):
    assert moves(n) == (1, n - 1, 2 * (n - 1))


def test_after_a_projection_it_moves_those_of_others_by_more():
    """What bounds degrees does not bound core numbers: without it the others moved by 1."""
    assert moves(5, Projection(2, 0).project)[0] == 2


def falling(graph, most):
    return np.sort(np.minimum(core_numbers(graph), most))[::-1]


@pytest.mark.parametrize("most", [2, 4])
def test_how_many_vertices_must_change_moves_by_one(most):
    """For each rank and every number, on all graphs of five vertices."""
    sorted_cores = [tuple(falling(graph, most).tolist()) for graph in graphs(5)]
    scores = {one: [changes(np.array(one), rank, most) for rank in range(1, 6)] for one in set(sorted_cores)}
    for a, b in {(sorted_cores[a], sorted_cores[b]) for a, b in neighbors(5, Neighbors.NODE)}:
        for one, other in zip(scores[a], scores[b], strict=True):
            assert np.abs(one - other).max() <= 1
    assert all(score[list(one)[rank]] == 0 for one, found in scores.items() for rank, score in enumerate(found))


def test_no_fewer_vertices_can_do_it():
    """By search through all graphs of four vertices, from neighbor to neighbor."""
    near = {mask: set() for mask in range(64)}
    for a, b in neighbors(4, Neighbors.NODE):
        near[a].add(b)
        near[b].add(a)
    cores = [falling(graph, 3) for graph in graphs(4)]
    for begin in range(64):
        steps, waiting = {begin: 0}, deque([begin])
        while waiting:
            mask = waiting.popleft()
            for other in near[mask] - set(steps):
                steps[other] = steps[mask] + 1
                waiting.append(other)
        for rank in range(1, 5):
            score = changes(cores[begin], rank, 3)
            assert all(score[cores[mask][rank - 1]] <= many for mask, many in steps.items())


def test_quantiles_of_a_graph_that_is_known():
    graph, bits = of_groups(200, 2000, np.random.default_rng(1)), KeyedBits(bytes(32), is_secure=False)
    shares, exact = (Fraction(0), Fraction(1, 2), Fraction(1)), np.sort(core_numbers(graph))[::-1]
    wanted = [exact[rank_of(share, 200) - 1] for share in shares]
    edge = CoreQuantiles(200, shares, 199, Neighbors.EDGE, PureDP(Fraction(10**4)))
    assert edge.decide(graph, confidence=0.9, bits=bits).values.tolist() == wanted
    node = NodeCoreQuantiles(200, shares, 199, Fraction(10**4))
    assert node.decide(graph, confidence=0.9, bits=bits).values.tolist() == wanted
    capped = CoreQuantiles(200, shares, 3, Neighbors.EDGE, PureDP(Fraction(10**4)))
    assert capped.decide(graph, confidence=0.9, bits=bits).values.max() == 3


def test_intervals_cover_as_often_as_they_say():
    """600 intervals at 80 %, of independent noises: more than 174 misses have a chance below 1e-6."""
    graph, bits = of_groups(60, 300, np.random.default_rng(1)), KeyedBits(bytes(32), is_secure=False)
    shares = (Fraction(0), Fraction(1, 4), Fraction(1, 2))
    method = CoreQuantiles(60, shares, 59, Neighbors.EDGE, PureDP(Fraction(1)))
    exact = method.of(graph)
    found = [method.decide(graph, confidence=0.8, bits=bits) for _ in range(200)]
    assert sum(int(((one.low > exact) | (one.high < exact)).sum()) for one in found) <= 174


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CoreQuantiles(9, (), 8, Neighbors.EDGE, PureDP(Fraction(1))), "Shares of vertices"),
        (lambda: NodeCoreQuantiles(9, (Fraction(3, 2),), 8, Fraction(1)), "Shares of vertices"),
        (
            lambda: CoreQuantiles(9, (Fraction(1, 2),), 8, Neighbors.NODE, PureDP(Fraction(1))),
            "largest core number only",
        ),
        (lambda: NodeCoreQuantiles(9, (Fraction(0),), 0, Fraction(1)), "most"),
    ],
)
def test_what_is_out_of_range_is_refused(make, words):
    with pytest.raises(ParameterError, match=words):
        make()
