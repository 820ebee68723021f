"""Assortativity by declared groups: how much more often edges stay within a group than chance would have it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.graph.statistics.coefficients import clipped_ratio
from sfumato.mechanism.graph.statistics.totals import OverGroups
from sfumato.numbers.check import whole
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.mechanism.central.estimate import Estimate
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class GroupAssortativity(OverGroups):
    """The assortativity coefficient of declared groups.

    With w the share of edges within groups and a_g the share of all ends that are in group g, it is (w - A)/(1 - A),
    A = Σ a_g²: 1 if all edges stay within groups, 0 if they are as by chance.

    Args:
        groups: of public vertices, two or more.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.

    Raises:
        ParameterError: one group only. Remedy: declare two or more.

    Source:
        M. Newman, "Mixing patterns in networks", Phys. Rev. E 67, 2003, equation 2.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.graph.groups import Groups
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> method = GroupAssortativity(Groups(np.array([0, 0, 1, 1]), 2), PureDP(Fraction(10**4)))
        >>> method.decide(Graph(4, np.array([[0, 1], [2, 3]])), confidence=0.9, bits=SystemBits()).values.tolist()
        [1.0]
    """

    groups: Groups
    price: Price
    protects: Neighbors = field(init=False, default=Neighbors.EDGE)
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.groups.many, "groups", 2, 2**31)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the totals move."""
        what = "One edge changes the number of edges by 1, that of edges within groups by 1, and has two ends."
        return Sensitivity(4, 6, 4, what)

    @property
    def mean_error(self) -> None:
        """None: that of a ratio depends on the graph."""
        return

    def error(self, confidence: float | Fraction) -> None:
        """None: the interval of a ratio depends on the graph."""
        del confidence

    def of(self, graph: Graph) -> IntArray:
        """(2 + g,) edges, edges within groups, and ends of edges in each group."""
        ends = self.groups.codes[graph.edges]
        within = np.count_nonzero(ends[:, 0] == ends[:, 1])
        first = np.array([len(ends), within], np.int64)
        return np.concatenate((first, np.bincount(ends.ravel(), minlength=self.groups.many)))

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The coefficient in [-1, 1] (NaN where no edge is left), with a proven interval; arrays have one entry.

        Args:
            graph: with the declared number of vertices.
            confidence: of the interval, in (0, 1).
            bits: source of chance.
        """
        each = float(each_confidence(confidence, 2 + self.groups.many))
        found = self.around(self.noisy(graph, bits=bits), each, 0, 2**62)
        value = _coefficient(found.values[1], found.values[0], found.values[2:], found.values[0])
        low = _coefficient(found.low[1], found.high[0], found.high[2:], found.low[0])
        high = _coefficient(found.high[1], found.low[0], found.low[2:], found.high[0])
        low, high = (end if np.isfinite(end) else other for end, other in ((low, -1.0), (high, 1.0)))
        return clipped_ratio(value, low, high, (-1.0, 1.0), confidence)


def _coefficient(within: float, edges: float, ends: FloatArray, half: float) -> float:
    """(w - A)/(1 - A), w = within/edges and A = Σ (ends / 2 half)² in [0, 1]; NaN where it has no meaning.

    It rises with w <= 1, and falls with A.
    """
    if edges <= 0 or half <= 0:
        return np.nan
    share, chance = min(within / edges, 1.0), float(((ends / (2 * half)) ** 2).sum())
    return (share - chance) / (1 - chance) if chance < 1 else np.nan
