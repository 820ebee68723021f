"""How many persons are found in a graph: by what is around them, and from seeds on a second graph."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.graph.look import chance_of_finding
from sfumato.attack.graph.overlap import overlapping
from sfumato.attack.graph.seeds import Propagation, Seeded
from sfumato.document.result.graph_risk import SeedsFound
from sfumato.errors import ParameterError
from sfumato.summary.figure import Figure
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from sfumato.attack.graph.look import Knows

_KNOWN: tuple[tuple[Knows, str, str, str], ...] = (
    ("degree", "degree", "Found by degree", "Unique by degree"),
    ("degrees of neighbors", "neighbor_degrees", "Found by degrees of neighbors", "Unique by degrees of neighbors"),
    ("neighborhood", "neighborhood", "Found by neighborhood", "Unique by neighborhood"),
)
"""What an intruder may know, and the labels of figures."""
_FOUND = (
    "Mean over persons of one over the number of vertices that look the same, to whoever knows so much of this graph."
)
_UNIQUE = "Share of persons whose vertex looks like no other, to whoever knows so much of this graph."
_SOURCE = "K. Liu, E. Terzi, SIGMOD 2008; B. Zhou, J. Pei, ICDE 2008"


def risks_of(graph: Graph) -> tuple[Figure, ...]:
    """How many persons an intruder finds who knows what is around them in this graph.

    Example:
        >>> star = Graph(4, np.array([[0, 1], [0, 2], [0, 3]]))
        >>> [(one.name, one.value) for one in risks_of(star)][:2]
        [('found_by_degree', 0.5), ('unique_by_degree', 0.25)]
    """
    out = []
    for knows, name, found, unique in _KNOWN:
        chance = chance_of_finding(graph, knows)
        out.append(Figure(f"found_by_{name}", found, fsum(chance.tolist()) / max(len(chance), 1), _FOUND, _SOURCE))
        out.append(Figure(f"unique_by_{name}", unique, float((chance == 1).mean()), _UNIQUE, _SOURCE))
    return tuple(out)


def seeds_found(graph: Graph, seeds: int, vertices: float, edges: float, *, rng: np.random.Generator) -> SeedsFound:
    """How many persons `Propagation` finds in one of two graphs drawn from this one, from seeds and the other.

    Args:
        graph: of all persons.
        seeds: known in both, drawn among the four times as many with most neighbors.
        vertices: share of persons in both.
        edges: share of the edges between them in both.
        rng: of the judge and the attack.

    Raises:
        ParameterError: a share outside (0, 1], or not fewer seeds than persons in both.
    """
    drawn = overlapping(graph, vertices, edges, rng=rng)
    truth = drawn.truth
    both = np.flatnonzero(truth >= 0)
    if not 0 < seeds < len(both):
        raise ParameterError(
            "There must be fewer seeds than the {n} persons in both graphs, and one at least; got {seeds}.",
            "know fewer.",
            n=len(both),
            seeds=seeds,
        )
    most = both[np.argsort(-drawn.other.degrees[both], kind="stable")][: 4 * seeds]
    known = rng.permutation(most)[:seeds]
    seeded = Seeded(drawn.other, known, truth[known])
    said = Propagation().guess(drawn.one, seeded, rng)
    n = drawn.one.vertices
    stranger = Graph(n, rng.integers(0, n, (len(drawn.one.edges), 2)))
    others = np.setdiff1d(both, known)
    claims = np.setdiff1d(np.flatnonzero(said >= 0), known)
    guessed = Propagation().guess(stranger, seeded, rng)
    return SeedsFound(
        seeds=seeds, common_vertices=vertices, common_edges=edges, persons=len(others),
        found=float((said[others] == truth[others]).mean()), claimed=len(claims),
        right=float((said[claims] == truth[claims]).mean()) if len(claims) else None,
        control=float((guessed[others] == truth[others]).mean()),
    )  # fmt: skip
