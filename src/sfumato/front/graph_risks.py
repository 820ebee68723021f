"""Who is found in a graph, tried on it for its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from sfumato.attack.graph.look import Knows, chance_of_finding
from sfumato.document.result.graph_risk import GraphRisks
from sfumato.release.graph.risks import risks_of, seeds_found
from sfumato.release.measure import SEED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.table.named_graph import NamedGraph


def graph_risks(named: NamedGraph, seeds: int, common_vertices: float = 0.75, common_edges: float = 0.75) -> GraphRisks:
    """How many persons are found by degree, by neighborhood, and from seeds on a second graph.

    The second graph is drawn from this one, with declared overlap; the chance of it is fixed.

    Args:
        named: the graph (`read_graph`).
        seeds: persons who are known in both, >= 1.
        common_vertices: share of persons in both, in (0, 1].
        common_edges: share of the edges between them in both, in (0, 1].

    Raises:
        ParameterError: a number out of range.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> from sfumato.table.named_graph import NamedGraph
        >>> star = NamedGraph(Graph(4, np.array([[0, 1], [0, 2], [0, 3]])), ("a", "b", "c", "d"))
        >>> told = graph_risks(star, 1, 1.0, 1.0)
        >>> told.risk[0].value, told.seeds.persons
        (0.5, 3)
    """
    found = seeds_found(named.graph, seeds, common_vertices, common_edges, rng=np.random.default_rng(SEED))
    return GraphRisks(
        vertices=named.graph.vertices, edges=len(named.graph.edges), risk=risks_of(named.graph), seeds=found
    )


def chances(named: NamedGraph) -> Mapping[str, list[float]]:
    """How likely each person is found, by what is known: one column each."""
    return {f"found by {knows}": chance_of_finding(named.graph, knows).tolist() for knows in get_args(Knows)}
