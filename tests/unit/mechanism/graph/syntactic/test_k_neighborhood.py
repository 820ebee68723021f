"""Changed graphs are k-neighborhood anonymous by an exact count, and what changed is counted."""

import networkx as nx
import numpy as np
import pytest

from sfumato.errors import NoSolution
from sfumato.mechanism.graph.syntactic.k_degree import degree_anonymity
from sfumato.mechanism.graph.syntactic.k_neighborhood import KNeighborhood, neighborhood_anonymity
from sfumato.table.graph import Graph


def slow_anonymity(graph):
    """The smallest class, by isomorphism of each with each."""
    whole = nx.Graph(graph.edges.tolist())
    whole.add_nodes_from(range(graph.vertices))
    around = [whole.subgraph(whole[v]) for v in range(graph.vertices)]
    return min(sum(nx.is_isomorphic(one, other) for other in around) for one in around)


@pytest.mark.parametrize("k", [2, 4])
def test_edges_are_removed_until_each_neighborhood_is_that_of_k(k):
    rng = np.random.default_rng(k)
    for n, m in ((12, 14), (25, 40), (25, 90)):
        graph = Graph(n, rng.integers(0, n, (m, 2)))
        done = KNeighborhood(k, "remove", m).decide(graph)
        before, after = ({tuple(e) for e in g.edges.tolist()} for g in (graph, done.graph))
        assert k <= slow_anonymity(done.graph) == neighborhood_anonymity(done.graph) <= degree_anonymity(done.graph)
        assert (done.added, done.removed, after <= before) == (0, len(before - after), True)


def test_edges_are_added():
    graph = Graph(60, np.random.default_rng(3).integers(0, 60, (40, 2)))
    done = KNeighborhood(2, "add", 200).decide(graph)
    assert slow_anonymity(done.graph) >= 2
    assert done.removed == 0


def test_it_gives_up_beyond_the_edges_that_may_change():
    graph = Graph(20, np.random.default_rng(4).integers(0, 20, (60, 2)))
    with pytest.raises(NoSolution, match="more than 3 edges"):
        KNeighborhood(5, "remove", 3).decide(graph)
    with pytest.raises(NoSolution, match="cannot hide"):
        KNeighborhood(21, "remove", 3).decide(graph)
