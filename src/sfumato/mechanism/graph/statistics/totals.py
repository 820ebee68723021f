"""Totals of a graph with noise of one law: what counts of degrees, edges and groups have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.mechanism.central.additive import clipped, interval_around, noise_for
from sfumato.mechanism.graph.projection import NODE_UNIT, Projection
from sfumato.mechanism.graph.size import checked_size
from sfumato.table.graph import EDGE_UNIT
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Event, Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray


class GraphTotals(ABC):
    """Whole totals of a graph, which get as much noise as the price buys for how far an edge, or a vertex, moves them.

    One that is made of it is a frozen dataclass with `protects`, `price` and `noise`; it says its `vertices`, its
    `sensitivity` and its `totals`.
    """

    __slots__ = ()

    protects: Neighbors
    price: Price
    noise: AdditiveNoise

    def __post_init__(self) -> None:
        if not self.protects.are_graphs:
            raise ParameterError("A graph protects an edge or a node.", "give `Neighbors.EDGE` or `Neighbors.NODE`.")
        self._check()
        object.__setattr__(self, "noise", noise_for(self.price, self.sensitivity))

    @abstractmethod
    def _check(self) -> None:
        """Refuse parameters outside their range."""

    @property
    @abstractmethod
    def vertices(self) -> int:
        """Public number of vertices."""

    @property
    @abstractmethod
    def sensitivity(self) -> Sensitivity:
        """How far one edge, or one vertex, moves the totals."""

    @property
    def projection(self) -> Projection | None:
        """What bounds degrees where vertices are protected."""
        return None

    @abstractmethod
    def of(self, graph: Graph) -> IntArray:
        """The totals of a graph whose degrees are bounded already."""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.noise.name} on totals of a graph"

    @property
    def event(self) -> Event:
        """The price, fixed before the graph is seen."""
        return self.noise.event

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return self.sensitivity.sentence

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return NODE_UNIT if self.protects is Neighbors.NODE else EDGE_UNIT

    @property
    def mean_error(self) -> float | None:
        """E|noise| of one number, before it is cut to what any graph can have; None: it depends on the graph."""
        return self.noise.law.mean_error

    def error(self, confidence: float | Fraction) -> int | None:
        """Half of the interval of one number, known before the graph is seen; None: it depends on the graph."""
        return self.noise.law.half_width(confidence)

    def totals(self, graph: Graph) -> IntArray:
        """What gets noise: the totals of the graph, or of its projection where vertices are protected.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        checked_size(graph, self.vertices)
        return self.of(graph if self.projection is None else self.projection.project(graph))

    def noisy(self, graph: Graph, *, bits: Bits) -> IntArray:
        """Totals with noise, same shape: released, and safe to show."""
        return self.noise.add(self.totals(graph), bits=bits)

    def around(self, noisy: IntArray, confidence: float, least: IntArray | int, most: IntArray | int) -> Estimate:
        """Released totals with the ends that noise reaches, within what any graph can have."""
        found = interval_around(noisy, self.noise.law.half_width(confidence), Fraction(1), confidence)
        return clipped(found, least, most)


class Projected(GraphTotals):
    """Totals of degrees that are bounded: by the projection where vertices are protected, by n - 1 where edges are."""

    __slots__ = ()

    most: int
    order: int

    @property
    def projection(self) -> Projection | None:
        """What bounds degrees where vertices are protected."""
        return Projection(self.most, self.order) if self.protects is Neighbors.NODE else None

    @property
    def largest_degree(self) -> int:
        """Of the graph whose totals are taken."""
        return self.vertices - 1 if self.projection is None else min(self.most, self.vertices - 1)


class OverGroups(GraphTotals):
    """Totals of declared groups of all vertices."""

    __slots__ = ()

    groups: Groups

    @property
    def vertices(self) -> int:
        """Public number of vertices."""
        return self.groups.vertices
