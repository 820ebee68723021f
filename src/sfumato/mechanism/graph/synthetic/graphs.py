"""Graphs drawn from noisy numbers alone, so that they may be published: as private as those numbers.

What a number does not know, the graph does not have: degrees alone give no triangles and no groups.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.account.event import Composed, PureDP
from sfumato.frozen import dataclass
from sfumato.mechanism.central.post_process import rounded, with_total
from sfumato.mechanism.graph.groups import Groups, pairs_between, square
from sfumato.mechanism.graph.parts import OfParts
from sfumato.mechanism.graph.projection import NODE_UNIT
from sfumato.mechanism.graph.size import checked_share
from sfumato.mechanism.graph.statistics.counts import MixingMatrix
from sfumato.mechanism.graph.statistics.degrees import DegreeCounts, DegreeSequence
from sfumato.mechanism.graph.synthetic.joint_degrees import JointDegrees
from sfumato.mechanism.graph.synthetic.wire import fitted, wire
from sfumato.table.graph import EDGE_UNIT
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.mechanism.graph.statistics.totals import GraphTotals
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray, IntArray

CONFIDENCE = 0.5
"""Of intervals that nobody reads here."""
_MANY = 8


class SyntheticGraph(Protocol):
    """What draws a graph from a private one."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def parts(self) -> tuple[GraphTotals, ...]:
        """The noisy numbers that it reads, and nothing else."""
        ...

    @property
    def event(self) -> Composed:
        """The price of all parts."""
        ...

    @property
    def argument(self) -> str:
        """Why it suffices."""
        ...

    def draw(self, graph: Graph, *, bits: Bits) -> Graph:
        """A graph with as many vertices."""
        ...


@dataclass(frozen=True, slots=True)
class FromDegrees(OfParts):
    """A graph with noisy degrees, and pairs at random: numbers of vertices by degree, fitted, then the configuration model.

    Vertex i has the i-th of the sorted degrees, whoever had it.

    Args:
        vertices: public number of vertices.
        most: larger degrees count as this; where vertices are protected, θ of the projection.
        protects: `Neighbors.EDGE` or `Neighbors.NODE`.
        epsilon: > 0.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        M. Hay et al., ICDM 2009; Bollobás 1980.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> ring = Graph(50, np.array([[i, (i + 1) % 50] for i in range(50)]))
        >>> drawn = FromDegrees(50, 49, Neighbors.EDGE, Fraction(10**3)).draw(ring, bits=SystemBits())
        >>> drawn.vertices, len(drawn.edges) > 45
        (50, True)
    """

    vertices: int
    most: int
    protects: Neighbors
    epsilon: Fraction

    @property
    def name(self) -> str:
        """What it is called."""
        return "graph from noisy degrees"

    @property
    def parts(self) -> tuple[DegreeCounts]:
        """The numbers of vertices by degree."""
        return (DegreeCounts(Groups.one(self.vertices), self.most, self.protects, PureDP(self.epsilon)),)

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return NODE_UNIT if self.protects is Neighbors.NODE else EDGE_UNIT

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return "It reads only the noisy numbers of vertices by degree."

    def draw(self, graph: Graph, *, bits: Bits) -> Graph:
        """A graph of as many vertices.

        Args:
            graph: with the declared number of vertices.
            bits: source of chance, of noise and of the drawing.
        """
        degrees = _degrees(self.parts[0], graph, bits)
        return wire(np.zeros(self.vertices, np.int64), degrees, np.array([[degrees.sum() // 2]]), bits=bits)


@dataclass(frozen=True, slots=True)
class FromJointDegrees(OfParts):
    """A graph with noisy degrees, whose edges join classes of degrees as noisy numbers say (dK-2 by classes).

    The numbers are brought to the nearest ones >= 0 that add up to half of all degrees, then scaled until each class has the
    ends that its degrees ask for.

    Args:
        vertices: public number of vertices.
        most: larger degrees count as this.
        starts: where classes of degrees begin.
        epsilon: > 0, for one edge.
        share: of epsilon, for the degrees; the rest is for joint degrees.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        Mahadevan et al., SIGCOMM 2006; Sala et al., IMC 2011.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> ring = Graph(50, np.array([[i, (i + 1) % 50] for i in range(50)]))
        >>> drawn = FromJointDegrees(50, 49, (1, 2, 3), Fraction(10**3)).draw(ring, bits=SystemBits())
        >>> drawn.vertices, len(drawn.edges) > 45
        (50, True)
    """

    vertices: int
    most: int
    starts: tuple[int, ...]
    epsilon: Fraction
    share: Fraction = Fraction(1, 2)

    def _check(self) -> None:
        checked_share(self.share)

    @property
    def name(self) -> str:
        """What it is called."""
        return "graph from noisy joint degrees"

    @property
    def parts(self) -> tuple[DegreeCounts, JointDegrees]:
        """The numbers of vertices by degree, and the joint degrees."""
        first, second = PureDP(self.epsilon * self.share), PureDP(self.epsilon * (1 - self.share))
        return (
            DegreeCounts(Groups.one(self.vertices), self.most, Neighbors.EDGE, first),
            JointDegrees(self.vertices, self.starts, second),
        )

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return "It reads only noisy numbers of vertices by degree and noisy joint degrees, each of which is paid for."

    def draw(self, graph: Graph, *, bits: Bits) -> Graph:
        """A graph of as many vertices.

        Args:
            graph: with the declared number of vertices.
            bits: source of chance, of noise and of the drawing.
        """
        of_degrees, joint = self.parts
        degrees = _degrees(of_degrees, graph, bits)
        classes = np.maximum(joint.classes(degrees), 0)
        counts = joint.noisy(graph, bits=bits)
        return _by_classes(classes, degrees, counts, bits)


@dataclass(frozen=True, slots=True, eq=False)
class FromGroups(OfParts):
    """A stochastic block model with declared groups: noisy numbers of edges between groups, and noisy degrees within them.

    Vertices keep their groups, and which of a group has which degree is dealt anew. Without degrees all vertices of a group
    have the same chances. Numbers of edges are brought to the nearest ones >= 0 with the same sum.

    Args:
        groups: of public vertices.
        epsilon: > 0, for one edge.
        share: of epsilon, for degrees, in [0, 1); 0: without.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        B. Karrer, M. Newman, "Stochastic blockmodels and community structure in networks", Phys. Rev. E 83, 2011.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> two = Groups(np.arange(40) % 2, 2)
        >>> ring = Graph(40, np.array([[i, (i + 2) % 40] for i in range(40)]))
        >>> drawn = FromGroups(two, Fraction(10**3)).draw(ring, bits=SystemBits())
        >>> bool(np.all(drawn.edges.sum(axis=1) % 2 == 0))
        True
    """

    groups: Groups
    epsilon: Fraction
    share: Fraction = Fraction(1, 2)

    def _check(self) -> None:
        if self.share != 0:
            checked_share(self.share)

    @property
    def vertices(self) -> int:
        """Public number of vertices."""
        return self.groups.vertices

    @property
    def name(self) -> str:
        """What it is called."""
        return "stochastic block model from noisy numbers of edges between groups"

    @property
    def parts(self) -> tuple[GraphTotals, ...]:
        """The edges between groups, and the degrees in groups."""
        mixing = MixingMatrix(self.groups, PureDP(self.epsilon * (1 - self.share)))
        return (mixing, *self._degree_parts)

    @property
    def _degree_parts(self) -> tuple[DegreeSequence, ...]:
        price = PureDP(self.epsilon * self.share)
        return (DegreeSequence(self.groups, max(self.vertices - 1, 1), Neighbors.EDGE, price),) if self.share else ()

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return "It reads only noisy numbers of edges between groups and noisy degrees, each of which is paid for."

    def draw(self, graph: Graph, *, bits: Bits) -> Graph:
        """A graph of as many vertices, in the same groups.

        Args:
            graph: with the declared number of vertices.
            bits: source of chance, of noise and of the drawing.
        """
        noisy = self.parts[0].noisy(graph, bits=bits).astype(np.float64)
        codes, sizes = self.groups.codes, self.groups.sizes
        nearest = _rounded_alike(with_total(noisy, max(float(noisy.sum()), 0.0)))
        edges = square(np.minimum(nearest, pairs_between(sizes)))
        degrees = _alike(sizes, edges)[codes]
        for sequence in self._degree_parts:
            values = sequence.decide(graph, confidence=CONFIDENCE, bits=bits).values
            degrees[np.argsort(codes, kind="stable")] = np.rint(values).astype(np.int64)
        return wire(codes, degrees, edges, bits=bits)


def _degrees(counts: DegreeCounts, graph: Graph, bits: Bits) -> IntArray:
    """(n,) noisy degrees, rising within each group, groups one after another: of the fitted numbers, rounded."""
    above = np.rint(counts.at_least(counts.noisy(graph, bits=bits), CONFIDENCE).values).astype(np.int64)
    sizes = counts.groups.sizes[:, None]
    exactly = -np.diff(above, axis=1, prepend=sizes, append=0)
    return np.tile(np.arange(counts.most + 1), len(sizes)).repeat(exactly.ravel())


def _by_classes(classes: IntArray, degrees: IntArray, counts: IntArray, bits: Bits) -> Graph:
    """Counts made possible, fitted to the degrees, and a graph of both."""
    nearest = with_total(counts.astype(np.float64), float(degrees.sum() // 2))
    matrix = square(nearest)
    many = len(matrix)
    matrix = fitted(matrix, np.bincount(classes, degrees, minlength=many).astype(np.float64))
    most = pairs_between(np.bincount(classes, minlength=many))
    edges = square(np.minimum(_rounded_alike(matrix[np.triu_indices(many)]), most))
    return wire(classes, degrees, edges, bits=bits)


def _rounded_alike(values: FloatArray) -> IntArray:
    """The nearest whole numbers with the sum, rounded down."""
    return rounded(values, int(values.sum()))


def _alike(sizes: IntArray, edges: IntArray) -> IntArray:
    """(c,) ends for each vertex of a class, many times as many as it needs: which are taken then varies, nearly as a binomial."""
    ends = edges.sum(axis=1) + np.diag(edges)
    each: IntArray = _MANY * np.maximum(-(-ends // np.maximum(sizes, 1)), 1)
    return each
