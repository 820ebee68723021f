"""Persons of one graph found in another, from a few who are known in both: each one found helps to find neighbors."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.cores import places_of

if TYPE_CHECKING:
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray, IntArray

NOBODY = -1
Lists = tuple["IntArray", "IntArray", "FloatArray"]
"""Where the neighbors of each vertex begin, neighbors, and one over the root of each vertex's degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Seeded:
    """A second graph, and some persons who are known in both.

    Args:
        graph: the intruder's own, with names.
        here: (s,) int64 seeds in it.
        there: (s,) int64 the same persons in the published graph.
    """

    graph: Graph
    here: IntArray
    there: IntArray


@dataclass(frozen=True, slots=True)
class Propagation:
    """Narayanan and Shmatikov's propagation of seeds.

    A person who is not found yet is compared with the published neighbors of the published vertices of the person's
    own neighbors: each such neighbor scores 1/√degree. If the best score stands out (its distance to the second, in
    standard deviations of all scores), and the same comparison the other way round leads back to the person, the two
    are taken for one. All persons are looked at again and again until nothing changes; seeds stay.

    Args:
        stands_out: θ, the least distance; the larger, the fewer and the surer.
        sweeps: at most so many times over all persons.

    Source:
        A. Narayanan and V. Shmatikov, "De-anonymizing social networks", IEEE S&P 2009, section 5.2 and figure 2.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> tail = Graph(5, np.array([[0, 1], [1, 2], [2, 3], [3, 4], [0, 2]]))
        >>> Propagation().guess(tail, Seeded(tail, np.array([0, 2]), np.array([0, 2])), np.random.default_rng(1)).tolist()
        [0, 1, 2, 3, 4]
    """

    attack: ClassVar[str] = "seeds"
    stands_out: float = 0.5
    sweeps: int = 20

    def guess(self, view: Graph, knowledge: Seeded, rng: np.random.Generator, /) -> IntArray:
        """(n of the knowledge,) int64 published vertices; -1: not found. Persons are looked at in a drawn order."""
        own, published = _lists(knowledge.graph), _lists(view)
        there = np.full(knowledge.graph.vertices, NOBODY, np.int64)
        here = np.full(view.vertices, NOBODY, np.int64)
        there[knowledge.here], here[knowledge.there] = knowledge.there, knowledge.here
        is_seed = np.zeros(knowledge.graph.vertices, bool)
        is_seed[knowledge.here] = True
        persons = rng.permutation(np.flatnonzero(~is_seed & (knowledge.graph.degrees > 0)))
        for _ in range(self.sweeps):
            if not sum(self._look(own, published, there, here, is_seed, v) for v in persons.tolist()):
                break
        return there

    def _look(self, own: Lists, other: Lists, there: IntArray, here: IntArray, is_seed: np.ndarray, v: int) -> bool:
        """Find one person; whether that is news."""
        found = self._best(own, other, there, here, v)
        if found in (NOBODY, there[v]) or self._best(other, own, here, there, found) != v:
            return False
        before = here[found]
        if before != NOBODY:
            if is_seed[before]:
                return False
            there[before] = NOBODY
        if there[v] != NOBODY:
            here[there[v]] = NOBODY
        there[v], here[found] = found, v
        return True

    def _best(self, own: Lists, other: Lists, link: IntArray, back: IntArray, v: int) -> int:
        """Whom v is most like in the other graph, if that stands out; -1: nobody."""
        mine = link[own[1][own[0][v] : own[0][v + 1]]]
        reached = other[1][places_of(other[0], mine[mine != NOBODY])]
        reached = reached[(back[reached] == NOBODY) | (back[reached] == v)]
        if not len(reached):
            return NOBODY
        who, many = np.unique(reached, return_counts=True)
        score = many * other[2][who]
        n = len(back)
        spread = np.sqrt(max(float((score**2).sum()) / n - (float(score.sum()) / n) ** 2, 0.0))
        best = int(score.argmax())
        second = float(np.partition(score, -2)[-2]) if len(score) > 1 else 0.0
        return int(who[best]) if spread and (score[best] - second) / spread >= self.stands_out else NOBODY


def _lists(graph: Graph) -> Lists:
    start, to = graph.neighbors()
    return start, to, 1 / np.sqrt(np.maximum(graph.degrees, 1))
