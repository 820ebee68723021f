"""Degrees, edges, groups and coefficients of graphs: slow twins, intervals, networkx; private losses are under contract."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import crowd, in_networkx

from sfumato.account.event import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.errors import ParameterError
from sfumato.mechanism.graph.groups import Groups
from sfumato.mechanism.graph.projection import Projection
from sfumato.mechanism.graph.statistics.coefficients import DegreeAssortativity, Transitivity
from sfumato.mechanism.graph.statistics.counts import ConnectedParts, GroupDegrees, MixingMatrix, StarCount
from sfumato.mechanism.graph.statistics.degrees import DegreeCounts, DegreeSequence
from sfumato.mechanism.graph.statistics.segregation import GroupAssortativity
from sfumato.table.graph import Graph
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

SURE = PureDP(Fraction(10**4))
EDGE, NODE = Neighbors.EDGE, Neighbors.NODE


def decided(method, graph, confidence=0.9, seed=1):
    return method.decide(graph, confidence=confidence, bits=SeededBits(seed))


@pytest.mark.parametrize("protects", [EDGE, NODE])
def test_without_noise_they_are_the_counts(protects):
    graph, groups = crowd(), Groups(np.arange(60) % 3, 4)
    seen = graph if protects is EDGE else Projection(7, order=0).project(graph)
    degree = np.minimum(seen.degrees, 7)
    counts = decided(DegreeCounts(groups, 7, protects, SURE), graph)
    slow = [[int(np.sum((groups.codes == g) & (degree == d))) for d in range(8)] for g in range(4)]
    assert counts.values.tolist() == slow
    method = DegreeCounts(groups, 7, protects, SURE)
    above = method.at_least(method.noisy(graph, bits=SeededBits(1)), 0.9)
    assert above.values.tolist() == [[sum(row[d:]) for d in range(1, 8)] for row in slow]
    assert decided(DegreeSequence(Groups.one(60), 7, protects, SURE), graph).values.tolist() == sorted(degree.tolist())
    assert decided(StarCount(60, 1, 7, protects, SURE), graph).values.tolist() == [len(seen.edges)]
    totals = decided(GroupDegrees(groups, 7, protects, SURE), graph).values.tolist()
    assert totals == [int(seen.degrees[groups.codes == g].sum()) for g in range(4)]


def test_edges_between_groups_and_parts():
    graph, groups = crowd(), Groups(np.arange(60) % 3, 3)
    found = decided(MixingMatrix(groups, SURE), graph).values
    assert found.sum() + np.trace(found) == 2 * len(graph.edges)
    assert found[0, 2] == sum({u % 3, v % 3} == {0, 2} for u, v in graph.edges.tolist())
    assert ConnectedParts().value(graph) == nx.number_connected_components(in_networkx(graph))
    assert MixingMatrix(groups, SURE).pairs.sum() == 60 * 59 / 2


def test_coefficients_are_those_of_networkx():
    graph, groups = crowd(), Groups(np.arange(60) % 3, 3)
    other = in_networkx(graph)
    nx.set_node_attributes(other, {v: v % 3 for v in range(60)}, "group")
    sure = Fraction(10**4)
    for method, true in (
        (Transitivity(60, sure), nx.transitivity(other)),
        (DegreeAssortativity(60, sure), nx.degree_assortativity_coefficient(other)),
        (GroupAssortativity(groups, SURE), nx.attribute_assortativity_coefficient(other, "group")),
    ):
        found = decided(method, graph)
        assert found.values[0] == pytest.approx(true, abs=1e-9)
        assert found.low[0] <= true <= found.high[0]


@pytest.mark.parametrize(
    "price", [PureDP(Fraction(1)), ZeroConcentratedDP(Fraction(1, 2)), ApproxDP(Fraction(1), Fraction(1, 10**6))]
)
def test_intervals_hold(price):
    """By themselves at 99 %: of 400 numbers at least 360 (a chance below 10⁻²⁰ of fewer, if they were independent)."""
    graph, groups = crowd(400, 3000), Groups(np.arange(400) % 2, 2)
    degree = np.minimum(graph.degrees, 99)
    cells = np.stack([np.bincount(degree[groups.codes == g], minlength=100) for g in range(2)])
    found = decided(DegreeCounts(groups, 99, EDGE, price), graph, 0.99)
    assert np.mean((found.low <= cells) & (cells <= found.high)) > 0.9
    assert np.all(found.low <= found.values)
    assert np.all(found.values <= found.high)
    assert found.values.sum(axis=1).tolist() == pytest.approx([200, 200])
    found = decided(DegreeSequence(Groups.one(400), 399, EDGE, price), graph, 0.99)
    true = np.sort(graph.degrees)
    assert np.mean((found.low <= true) & (true <= found.high)) > 0.9
    assert np.all(np.diff(found.values) >= 0)


def test_fitted_degrees_are_nearer_than_noisy_ones():
    graph = crowd(2000, 8000)
    method, true = DegreeSequence(Groups.one(2000), 1999, EDGE, PureDP(Fraction(1, 2))), np.sort(graph.degrees)
    noisy = method.noisy(graph, bits=SeededBits(1))
    fitted = decided(method, graph).values
    assert np.abs(fitted - true).mean() < np.abs(noisy - true).mean() / 4


def test_ratios_of_small_graphs_say_nothing_and_do_not_fail():
    empty, groups = Graph(30, np.zeros((0, 2), int)), Groups(np.arange(30) % 2, 2)
    one = Fraction(1)
    for method in (Transitivity(30, one), DegreeAssortativity(30, one), GroupAssortativity(groups, PureDP(one))):
        for seed in range(5):
            found = decided(method, empty, seed=seed)
            assert found.low[0] <= found.high[0]
            assert -1 <= found.low[0]
            assert found.high[0] <= 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: StarCount(9, 2, 3, EDGE, SURE),
        lambda: StarCount(9, 1, 3, Neighbors.REPLACE, SURE),
        lambda: StarCount(10**6, 8, 10**5, NODE, SURE),
        lambda: DegreeCounts(Groups.one(4), 0, EDGE, SURE),
        lambda: Groups.one(0),
        lambda: GroupAssortativity(Groups.one(4), SURE),
        lambda: Groups(np.array([0, 3]), 3),
        lambda: Groups(np.array([0.5]), 3),
        lambda: Groups(np.zeros(0, int), 1),
        lambda: Transitivity(9, 1),
    ],
)
def test_what_is_refused(make):
    with pytest.raises(ParameterError):
        make()
