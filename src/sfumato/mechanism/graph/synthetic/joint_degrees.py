"""How many edges join vertices of which classes of degrees, with noise: what dK-2 graphs are made of.

Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.graph.groups import between
from sfumato.mechanism.graph.statistics.totals import GraphTotals
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class JointDegrees(GraphTotals):
    """Numbers of edges between classes of degrees.

    Classes begin at declared degrees; the last one has no end, so it is a cap. With classes 1, 2, …, D they are the joint
    degrees of dK-2 graphs. One edge more lifts each end into another class at most where it has one degree less than where
    that begins, and takes its s - 1 other edges along, each out of one number and into another: 4 (s - 1) + 1 in all, s
    the begin of the last class. Wide classes have the same bound and fewer numbers, so less noise in all.

    Args:
        vertices: public number of vertices.
        starts: where classes begin, rising, the first 1.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.

    Raises:
        ParameterError: starts that do not rise from 1. Remedy: such as (1, 2, 3, 5, 9, 17).

    Source:
        A. Sala, X. Zhao, C. Wilson, H. Zheng, B. Zhao, "Sharing Graphs using Differentially Private Graph Models", IMC
        2011, lemma 1 (4 d_max + 1, without a cap); the cap is ours.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.graph import Graph
        >>> joint = JointDegrees(4, (1, 2), PureDP(Fraction(1)))
        >>> joint.totals(Graph(4, np.array([[0, 1], [1, 2], [2, 3]]))).tolist(), joint.sensitivity.l1
        ([0, 2, 1], 5)
    """

    vertices: int
    starts: tuple[int, ...]
    price: Price
    protects: Neighbors = field(init=False, default=Neighbors.EDGE)
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        for start in self.starts:
            whole(start, "starts", 1, MOST_VERTICES)
        if self.starts[:1] != (1,) or list(self.starts) != sorted(set(self.starts)) or len(self.starts) > 1000:
            raise ParameterError("Classes of degrees must rise from 1.", "such as (1, 2, 3, 5, 9, 17).")

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the numbers move."""
        moved = self.starts[-1] - 1
        what = f"One edge more adds one and takes at most {moved} other edges of each of its ends from one number to another."
        cells = len(self.starts) * (len(self.starts) + 1) // 2
        return Sensitivity(4 * moved + 1, (2 * moved + 1) ** 2 + (2 * moved) ** 2, cells, what)

    def classes(self, degrees: IntArray) -> IntArray:
        """The class of each degree; -1 for 0.

        Example:
            >>> from fractions import Fraction
            >>> from sfumato.account.event import PureDP
            >>> JointDegrees(4, (1, 3), PureDP(Fraction(1))).classes(np.array([0, 1, 2, 3, 9])).tolist()
            [-1, 0, 0, 1, 1]
        """
        return np.searchsorted(np.array(self.starts), degrees, "right") - 1

    def of(self, graph: Graph) -> IntArray:
        """(c (c + 1) / 2,) edges of each pair of classes, in the order of the upper triangle."""
        return between(self.classes(graph.degrees), graph.edges, len(self.starts))

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(c (c + 1) / 2,) numbers of edges; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        return self.around(self.noisy(graph, bits=bits), confidence, 0, self.vertices * (self.vertices - 1) // 2)
