"""How near graphs are: profiles beside networkx, distances beside slow twins."""

import networkx as nx
import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import crowd, in_networkx

from sfumato.errors import ParameterError
from sfumato.table.graph import Graph
from sfumato.utility.graph.measure import counts_apart, measure
from sfumato.utility.graph.paths import path_lengths
from sfumato.utility.graph.profile import profile
from sfumato.utility.traces.trips import apart


def test_a_profile_is_that_of_networkx():
    graph = crowd(80, 150)
    slow, seen = in_networkx(graph), profile(graph, np.arange(80))
    assert seen.degrees.tolist() == nx.degree_histogram(slow)
    assert seen.cores.tolist() == np.bincount(list(nx.core_number(slow).values())).tolist()
    assert seen.triangles == sum(nx.triangles(slow).values()) // 3
    assert seen.transitivity == pytest.approx(nx.transitivity(slow))
    assert seen.clustering == pytest.approx(nx.average_clustering(slow))
    assert seen.assortativity == pytest.approx(nx.degree_assortativity_coefficient(slow))
    assert seen.parts == nx.number_connected_components(slow)
    assert seen.largest == max(map(len, nx.connected_components(slow))) / 80
    lengths = [d for _, to in nx.all_pairs_shortest_path_length(slow) for d in to.values() if d]
    counts = np.bincount(lengths, minlength=101)
    counts[0] = 80 * 79 - len(lengths)
    assert seen.paths.tolist() == counts.tolist()


def test_paths_that_are_too_long_count_as_none():
    path = Graph(10, np.stack([np.arange(9), np.arange(1, 10)], axis=1))
    assert path_lengths(path, np.array([0, 9]), 3).tolist() == [12, 2, 2, 2]
    assert path_lengths(Graph(3, np.zeros((0, 2), int)), np.array([1]), 3).tolist() == [2, 0, 0, 0]


def test_distances_of_counts_are_those_of_samples():
    rng = np.random.default_rng(2)
    for _ in range(20):
        one, other = rng.integers(0, 5, 7), rng.integers(0, 12, 9)
        slow = apart(one.astype(float), other.astype(float))
        assert counts_apart(np.bincount(one), np.bincount(other)) == pytest.approx(slow)


def test_figures_are_zero_for_the_same_and_above_for_another():
    one, other = crowd(80, 150, seed=1), crowd(80, 150, seed=2)
    same = {f.name: f.value for f in measure(one, one, rng=np.random.default_rng(1), sources=10)}
    assert set(same.values()) == {0.0}
    apart_ = {f.name: f.value for f in measure(other, one, rng=np.random.default_rng(1), sources=10)}
    assert list(apart_) == list(same)
    assert all(value >= 0 for value in apart_.values())
    assert apart_["graph_degrees"] > 0


def test_what_an_empty_graph_has_not_is_told():
    empty, one = Graph(80, np.zeros((0, 2), int)), crowd(80, 150)
    found = {f.name: f for f in measure(empty, one, rng=np.random.default_rng(1))}
    assert found["graph_edges"].value == 1
    for name in ("graph_transitivity", "graph_assortativity", "graph_paths"):
        assert found[name].value is None
        assert "Not computed" in found[name].definition


def test_other_vertices_are_refused():
    with pytest.raises(ParameterError, match="as many vertices"):
        measure(crowd(10), crowd(11), rng=np.random.default_rng(1))
