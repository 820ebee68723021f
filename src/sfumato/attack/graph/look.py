"""A person's vertex found by what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.neighborhoods import degree_kinds, neighbor_degree_kinds, neighborhood_kinds
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from sfumato.summary.neighborhoods import Kinds
    from sfumato.types import FloatArray, IntArray

NOBODY = -1
Knows = Literal["degree", "degrees of neighbors", "neighborhood"]
"""What an intruder knows: how many neighbors, how many each of these has, which of them know each other."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What an intruder knows of some persons.

    Args:
        graph: in which the persons stand as the intruder knows them; only what is around them is read.
        persons: (m,) int64 vertices of it.
    """

    graph: Graph
    persons: IntArray


@dataclass(frozen=True, slots=True)
class LookAlike:
    """One of the published vertices that look as a person is known to look.

    Args:
        knows: what is known.

    Example:
        >>> star = Graph(4, np.array([[0, 1], [0, 2], [0, 3]]))
        >>> known = Around(Graph(4, np.array([[2, 0], [2, 1], [2, 3]])), np.array([2]))
        >>> LookAlike("degree").guess(star, known, np.random.default_rng(1)).tolist()
        [0]
    """

    attack: ClassVar[str] = "look"
    knows: Knows

    def guess(self, view: Graph, knowledge: Around, rng: np.random.Generator, /) -> IntArray:
        """(m,) int64 published vertices, drawn among those that look the same; -1: none does."""
        both = Graph(
            view.vertices + knowledge.graph.vertices,
            np.concatenate((view.edges, knowledge.graph.edges + view.vertices)),
        )
        kind = kinds_of(both, self.knows).kind
        published, wanted = kind[: view.vertices], kind[view.vertices + knowledge.persons]
        order = np.argsort(published, kind="stable")
        first = np.searchsorted(published[order], wanted)
        many = np.searchsorted(published[order], wanted, side="right") - first
        drawn = first + (rng.random(len(wanted)) * many).astype(np.int64)
        return np.where(many > 0, order[np.minimum(drawn, view.vertices - 1)], NOBODY).astype(np.int64)


def kinds_of(graph: Graph, knows: Knows) -> Kinds:
    """Which vertices look alike to whoever knows so much (`summary.neighborhoods.Kinds`)."""
    kinds = {"degree": degree_kinds, "degrees of neighbors": neighbor_degree_kinds, "neighborhood": neighborhood_kinds}
    return kinds[knows](graph)


def chance_of_finding(graph: Graph, knows: Knows) -> FloatArray:
    """(n,) float64 how likely each person is found by whoever knows so much of the published graph itself.

    One over the number of vertices that look the same; of vertices about which it is undecided 0, so that their mean is
    not more than an intruder reaches.

    Example:
        >>> chance_of_finding(Graph(4, np.array([[0, 1], [0, 2], [0, 3]])), "degree").round(2).tolist()
        [1.0, 0.33, 0.33, 0.33]
    """
    kinds = kinds_of(graph, knows)
    return np.where(kinds.undecided, 0.0, 1.0 / kinds.alike)
