"""The ladder: what it asks of sizes and widths, over all graphs of at most five vertices; its law; how far it reaches."""

import math
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import graphs, ladder_law, neighbors

from sfumato.errors import ParameterError
from sfumato.mechanism.graph.statistics.ladder import Widths, climb, farthest
from sfumato.mechanism.graph.statistics.ladder_count import LadderCount
from sfumato.mechanism.graph.statistics.subgraphs import DegreeProducts, Stars, Triangles
from sfumato.table.graph import Graph
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

PATTERNS = [Triangles(), Stars(2), Stars(3), Stars(4), DegreeProducts()]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_an_edge_moves_a_number_by_a_rung_and_a_size_by_one(pattern, n):
    """By the definition of a ladder, on all graphs of at most five vertices; the bounds of all graphs hold."""
    widths, seen = pattern.widths(n), [(pattern.value(g), pattern.size(g)) for g in graphs(n)]
    for a, b in neighbors(n, Neighbors.EDGE):
        (f, x), (g, y) = seen[a], seen[b]
        assert abs(f - g) <= min(widths.at(x), widths.at(y))
        assert abs(x - y) <= 1
    assert max(f for f, _ in seen) == pattern.most(n)
    assert max(x for _, x in seen) <= pattern.most_size(n)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_widths_are_log_concave_and_never_fall(pattern):
    widths = [pattern.widths(30).at(x) for x in range(60)]
    assert all(a <= b for a, b in pairwise(widths))
    assert all(b * b >= a * c for a, b, c in zip(widths, widths[1:], widths[2:], strict=False))


def test_a_size_that_falls_behind_is_caught():
    """Broken twin: the most common neighbors of vertices that *have* an edge; an edge may join two with many."""
    path = Graph(4, np.array([[0, 2], [1, 2], [0, 3], [1, 3]]))
    joined = Graph(4, np.append(path.edges, [[0, 1]], axis=0))
    with_edge = max(len(set(nx.common_neighbors(nx.Graph(path.edges.tolist()), *e))) for e in path.edges.tolist())
    assert Triangles().value(joined) - Triangles().value(path) > with_edge
    assert Triangles().value(joined) - Triangles().value(path) <= Triangles().size(path)


@pytest.mark.parametrize("widths", [Widths((0, 1), 9), Widths((0, 0, 2), 7), Widths((6, 16, 8), 3), Widths((0, 1), 0)])
@pytest.mark.parametrize("size", [0, 4])
def test_sums_and_shares_of_widths(widths, size):
    assert [widths.below(size, t) for t in range(20)] == [sum(widths.at(size + i) for i in range(t)) for t in range(20)]
    if widths.cap > size:
        for s in range(widths.cap - size + 1):
            assert sum(b * math.comb(s, j) for j, b in enumerate(widths.shares(size))) == widths.at(size + s)


@pytest.mark.parametrize(
    ("widths", "size"), [(Widths((0, 1), 5), 3), (Widths((0, 0, 2), 4), 0), (Widths((6, 16, 8), 2), 1)]
)
def test_draws_have_the_law(widths, size):
    """Rungs and sides of 3000 draws; chi-square with a chance below 10⁻⁶ of a false alarm for each, by Laurent and Massart."""
    epsilon, reach, bits = Fraction(2), 4000, SeededBits(4)
    drawn = np.array([climb(10, size, widths, epsilon, bits=bits) for _ in range(3000)])
    chances = np.exp(ladder_law(10, size, widths, 2.0, reach))
    assert abs(chances.sum() - 1) < 1e-6
    ends = [10 + side * widths.below(size, t) for t in range(8) for side in (-1, 1)]
    cuts = np.unique([end + shift for end in ends for shift in (0, 1)])
    law = np.add.reduceat(chances, np.concatenate(([0], cuts + reach)))
    seen = np.bincount(np.searchsorted(cuts, drawn, "right"), minlength=len(law))
    many = law * len(drawn) >= 5
    found = float(((seen - law * len(drawn))[many] ** 2 / (law * len(drawn))[many]).sum())
    free, x = int(many.sum()), math.log(1e6)
    assert found <= free + 2 * math.sqrt(free * x) + 2 * x


@pytest.mark.parametrize("widths", [Widths((0, 1), 9), Widths((0, 0, 2), 50), Widths((6, 16, 8), 6)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(2)])
def test_no_size_reaches_farther(widths, epsilon):
    """The exact chance beyond the reach, for every size up to the largest."""
    missed, most = Fraction(1, 20), 12
    reach = farthest(most, widths, epsilon, missed)
    for size in range(most + 1):
        ends = [widths.below(size, t) for t in range(400)]
        weights = [math.exp(-float(epsilon) * t / 2) for t in range(400)]
        total = 1 + sum(2 * (b - a) * w for a, b, w in zip(ends, ends[1:], weights[1:], strict=False))
        beyond = sum(2 * max(b - max(a, reach), 0) * w for a, b, w in zip(ends, ends[1:], weights[1:], strict=False))
        assert beyond / total <= missed


def test_intervals_hold():
    """At least 27 of 40 at 95 % (a chance below 10⁻⁷ of fewer); the values are exact at a high price."""
    rng, bits = np.random.default_rng(1), SeededBits(2)
    graph = Graph(40, rng.integers(0, 40, (200, 2)))
    for pattern in PATTERNS:
        method, true = LadderCount(pattern, 40, Fraction(2)), pattern.value(graph)
        found = [method.decide(graph, confidence=0.95, bits=bits) for _ in range(40)]
        assert sum(one.low[0] <= true <= one.high[0] for one in found) > 26
        assert (
            abs(LadderCount(pattern, 40, Fraction(10**4)).decide(graph, confidence=0.9, bits=bits).values[0] - true)
            == 0
        )


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1), 0.5])
def test_what_is_refused(share):
    with pytest.raises(ParameterError):
        LadderCount(Triangles(), 5, Fraction(1), share)


def test_more_that_is_refused():
    with pytest.raises(ParameterError, match="fewer legs"):
        LadderCount(Stars(8), 10**7, Fraction(1))
    with pytest.raises(ParameterError, match="declared"):
        LadderCount(Triangles(), 5, Fraction(1)).decide(
            Graph(4, np.zeros((0, 2), int)), confidence=0.9, bits=SeededBits(1)
        )
    with pytest.raises(ParameterError):
        Stars(1)
