"""Core numbers equal those of networkx: on all graphs of five vertices, on the shared graphs, compiled and not."""

import gzip
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from sfumato.compiled import compiled
from sfumato.summary.cores import _peel_loop, core_numbers, h_indices, montresor_rounds, peel
from sfumato.table.graph import Graph

GRAPHS = ["ca-GrQc.txt.gz", "email-Eu-core.csv.gz", "facebook_combined.txt.gz", "karate_edges.csv"]


def read(path):
    """Pairs of whole numbers of a file, whatever parts them."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    rows = [line.replace(",", " ").split() for line in text.splitlines()]
    pairs = np.array([row for row in rows if row[0].isdigit()], np.int64)
    names, codes = np.unique(pairs, return_inverse=True)
    return Graph(len(names), codes.reshape(pairs.shape))


def reference(graph):
    other = nx.empty_graph(graph.vertices)
    other.add_edges_from(graph.edges.tolist())
    found = nx.core_number(other)
    return [found[v] for v in range(graph.vertices)]


def by_loop(graph):
    start, to = graph.neighbors()
    core = np.diff(start)
    compiled(_peel_loop)(start, to, core)
    return core.tolist()


def last_round(graph):
    *_, last = montresor_rounds(graph)
    return last.estimates.tolist()


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_all_small_graphs(n):
    pairs = list(combinations(range(n), 2))
    for mask in range(1 << len(pairs)):
        edges = [pair for i, pair in enumerate(pairs) if mask >> i & 1]
        graph = Graph(n, np.array(edges, np.int64).reshape(-1, 2))
        start, to = graph.neighbors()
        loop = np.diff(start)
        _peel_loop(start, to, loop)
        expected = reference(graph)
        assert core_numbers(graph).tolist() == expected
        assert loop.tolist() == expected
        assert last_round(graph) == expected


@pytest.mark.parametrize("name", GRAPHS)
def test_shared_graphs(shared, name):
    graph = read(shared / "data" / "graphs" / name)
    expected = reference(graph)
    assert peel(*graph.neighbors()).tolist() == expected
    assert by_loop(graph) == expected
    assert last_round(graph) == expected


def test_rounds_of_karate(shared):
    rounds = list(montresor_rounds(read(shared / "data" / "graphs" / "karate_edges.csv")))
    assert len(rounds) == 4  # the degrees, two with news, one without
    assert rounds[0].messages == 156
    assert rounds[-1].messages == 0


def test_a_long_path_is_peeled():
    n = 20_000
    path = Graph(n, np.stack([np.arange(n - 1), np.arange(1, n)], axis=1))
    assert peel(*path.neighbors()).tolist() == [1] * n
    assert by_loop(path) == [1] * n


def test_h_index_by_sorting():
    rng = np.random.default_rng(5)
    many = rng.integers(0, 9, 300)
    start = np.concatenate(([0], np.cumsum(many)))
    values = rng.integers(-3, 12, start[-1])
    for i, h in enumerate(h_indices(start, values)):
        falling = sorted(values[start[i] : start[i + 1]].tolist(), reverse=True)
        assert h == sum(value >= rank for rank, value in enumerate(falling, 1))
