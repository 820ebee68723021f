"""How are distances and weights of a private graph published? With the noise of their small sensitivity."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.central.additive import interval_around, noise_for
from sfumato.mechanism.central.graph.distance import edges_to_connect, edges_to_disconnect
from sfumato.mechanism.central.graph.spanning_tree import spanning_weight
from sfumato.mechanism.central.sensitivity import Sensitivity

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.mechanism.central.graph.graph import Graph
    from sfumato.mechanism.central.price import Price
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

EDGE_UNIT = "adding or removing one edge between two vertices; the vertices are public"
"""Whom a release of a graph protects: a relation, not a person with all relations."""


class Property(Enum):
    """To which graphs the distance is measured."""

    CONNECTED = "connected"
    """Edges to add until the graph is connected."""
    DISCONNECTED = "disconnected"
    """Edges to remove until it is not: the minimum cut."""


@dataclass(frozen=True, slots=True)
class GraphDistance:
    """A noisy number of edges to a property, sensitivity 1.

    Args:
        to: the property.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.

    Raises:
        ParameterError: a price of 0. Remedy: name a positive one.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.central.graph.graph import graph_of
        >>> from sfumato.noise.bits import SystemBits
        >>> noisy = GraphDistance(Property.CONNECTED, PureDP(Fraction(1)))
        >>> found = noisy.decide(graph_of(5, np.array([[0, 1]])), confidence=0.95, bits=SystemBits())
        >>> round(float(found.high[0] - found.low[0]))
        6
    """

    to: Property
    price: Price
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", noise_for(self.price, Sensitivity(1, 1, 1, self.sensitivity)))

    @property
    def name(self) -> str:
        """In the field's words."""
        return self.noise.name

    @property
    def event(self) -> Event:
        """The price."""
        return self.noise.event

    @property
    def sensitivity(self) -> str:
        """Why the noise suffices."""
        return f"One edge changes the distance to the {self.to.value} graphs by at most 1 (triangle inequality)."

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(1,) noisy distance with its interval.

        Args:
            graph: the private graph.
            confidence: of the interval, in (0, 1).
            bits: source of chance.
        """
        exact = edges_to_connect(graph) if self.to is Property.CONNECTED else edges_to_disconnect(graph)
        return _noisy(exact, self.noise, confidence, bits)


@dataclass(frozen=True, slots=True)
class SpanningTreeWeight:
    """A noisy least weight of a spanning tree; one edge moves it by at most `most` + 1.

    Args:
        most: greatest weight of an edge, public; an absent edge weighs one more.
        price: as `GraphDistance`.
    """

    most: int
    price: Price
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.most, bool) or not 0 <= self.most <= 2**30:
            raise ParameterError(f"`most` must lie in 0 … 2^30; got {self.most!r}.", "choose a coarser unit of weight.")
        step = self.most + 1
        object.__setattr__(self, "noise", noise_for(self.price, Sensitivity(step, step**2, 1, self.sensitivity)))

    @property
    def name(self) -> str:
        """In the field's words."""
        return self.noise.name

    @property
    def event(self) -> Event:
        """The price."""
        return self.noise.event

    @property
    def sensitivity(self) -> str:
        """Why the noise suffices."""
        return (
            f"An edge weighs 0 to {self.most}, an absent one {self.most + 1}: one edge changes the weight of every tree, "
            f"and so of the lightest, by at most {self.most + 1}."
        )

    def decide(self, graph: Graph, weights: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """(1,) noisy weight with its interval.

        Args:
            graph: the private graph.
            weights: (m,) int64, of its edges in order; clamped to 0 … most.
            confidence: of the interval, in (0, 1).
            bits: source of chance.
        """
        return _noisy(spanning_weight(graph, weights, self.most), self.noise, confidence, bits)


def _noisy(exact: int, noise: AdditiveNoise, confidence: float, bits: Bits) -> Estimate:
    """One whole number with noise."""
    noisy = noise.add(np.array([exact], np.int64), bits=bits)
    return interval_around(noisy, noise.law.half_width(confidence), Fraction(1), confidence)
