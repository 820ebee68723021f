"""Triangles and common neighbors: networkx, and squares of matrices."""

import networkx as nx
import numpy as np
from tests.unit.mechanism.graph.tiny_graphs import crowd, graphs, in_networkx

from sfumato.summary import triangles


def test_triangles_are_those_of_networkx_in_both_forms(monkeypatch):
    graph = crowd()
    slow = nx.triangles(in_networkx(graph))
    for least in (10**9, 1):
        monkeypatch.setattr(triangles, "PAYS_FROM", least)
        assert triangles.triangles_of(graph).tolist() == [slow[v] for v in range(60)]
    monkeypatch.setattr(triangles, "_AT_A_TIME", 50)
    matrix = nx.to_numpy_array(in_networkx(graph), dtype=int)
    monkeypatch.setattr(triangles, "PAYS_FROM", 10**9)
    assert triangles.number_of_triangles(graph) == sum(slow.values()) // 3
    assert triangles.most_common_neighbors(graph) == (matrix @ matrix - np.diag((matrix @ matrix).diagonal())).max()
    for tiny in graphs(4)[::5]:
        square = np.linalg.matrix_power(nx.to_numpy_array(in_networkx(tiny), dtype=int), 2)
        assert triangles.most_common_neighbors(tiny) == (square - np.diag(square.diagonal())).max()
