"""Neighborhoods are equal up to names exactly when trying all renamings says so."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from sfumato.summary.neighborhoods import canonical_form, degree_kinds, neighborhood_kinds
from sfumato.table.graph import Graph


@pytest.mark.parametrize(("n", "kinds"), [(3, 4), (4, 11), (5, 34)])
def test_all_small_graphs_have_as_many_forms_as_there_are_graphs_up_to_names(n, kinds):
    """OEIS A000088."""
    pairs, forms = list(combinations(range(n), 2)), set()
    for chosen in range(2 ** len(pairs)):
        near = [set() for _ in range(n)]
        for i, (a, b) in enumerate(pairs):
            if chosen >> i & 1:
                near[a].add(b)
                near[b].add(a)
        forms.add(canonical_form(near))
    assert len(forms) == kinds


@pytest.mark.parametrize("regular", [nx.petersen_graph(), nx.cycle_graph(9), nx.hypercube_graph(3)])
def test_a_graph_in_which_all_vertices_look_alike_keeps_its_form_when_renamed(regular):
    rng, forms = np.random.default_rng(1), set()
    for _ in range(5):
        graph = nx.relabel_nodes(regular, dict(zip(regular, rng.permutation(len(regular)).tolist(), strict=True)))
        forms.add(canonical_form([set(graph[v]) for v in range(len(graph))]))
    assert len(forms) == 1


def test_two_parts_of_a_circle_are_no_whole_circle():
    """Refinement alone does not tell two triangles from a hexagon."""
    hexagon = [{(i - 1) % 6, (i + 1) % 6} for i in range(6)]
    triangles = [{1, 2}, {0, 2}, {0, 1}, {4, 5}, {3, 5}, {3, 4}]
    assert canonical_form(hexagon) != canonical_form(triangles)


def test_neighborhoods_are_those_that_networkx_finds_isomorphic():
    rng = np.random.default_rng(2)
    graph = Graph(30, rng.integers(0, 30, (110, 2)))
    whole = nx.Graph(graph.edges.tolist())
    whole.add_nodes_from(range(30))
    kinds = neighborhood_kinds(graph)
    for u, v in combinations(range(30), 2):
        around = [whole.subgraph(whole[w]) for w in (u, v)]
        assert (kinds.kind[u] == kinds.kind[v]) == nx.is_isomorphic(*around)
    assert not kinds.undecided.any()


def test_what_needs_too_many_trials_is_undecided_and_alone():
    petersen = np.array(list(nx.petersen_graph().edges()))
    two_hubs = np.array([[10 + 11 * h, 11 * h + i] for h in range(2) for i in range(10)])
    graph = Graph(22, np.concatenate([petersen, petersen + 11, two_hubs]))
    few = neighborhood_kinds(graph, 3)
    assert few.undecided.tolist() == [v in (10, 21) for v in range(22)]
    assert few.alike[10] == 1
    assert neighborhood_kinds(graph).alike[10] == 2
    assert degree_kinds(graph).alike[10] == 2
