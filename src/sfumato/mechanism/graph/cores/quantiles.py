"""How deep in the graph shares of the vertices stand: quantiles of core numbers, for one edge and for one vertex.

The core number that a share s of n vertices reach is the i-th largest, i = ⌈s n⌉ (share 0: the largest). One edge moves each
core number by at most 1, so each quantile by at most 1. A vertex with all its edges moves those of the others by at most 1,
whatever its degree, but its own by up to n - 1: the i-th largest moves by 1 and by one place. No projection is needed, and
one would do harm: after it, one vertex moves core numbers of others by more than 1.

Proof: docs/proofs/private-cores.md, claims 6 to 8.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import Composed, DiscreteLaplaceNoise, PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.graph.projection import NODE_UNIT
from sfumato.mechanism.graph.size import checked_size
from sfumato.mechanism.graph.statistics.totals import GraphTotals
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.noise.exponential_mechanism import permute_and_flip
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import MOST_VERTICES
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Price
    from sfumato.mechanism.central.additive import AdditiveNoise
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

MOST_SHARES, MOST_TOLD = 100, 2**20
"""Of one question; and the largest core number that is told."""


def checked_shares(shares: tuple[Fraction, ...], most: int) -> None:
    """Refuse shares that are none.

    Raises:
        ParameterError: none or too many, or one outside [0, 1], or a largest number outside its range.
    """
    whole(most, "most", 1, MOST_TOLD)
    if not 0 < len(shares) <= MOST_SHARES or not all(0 <= share <= 1 for share in shares):
        raise ParameterError(
            "Shares of vertices must be 1 to {most_shares} numbers from 0 to 1.", "such as [0, 0.1, 0.5, 0.9].", most_shares=MOST_SHARES
        )  # fmt: skip


def rank_of(share: Fraction, vertices: int) -> int:
    """The place of a share in the falling order, from 1.

    Example:
        >>> rank_of(Fraction(1, 2), 5), rank_of(Fraction(0), 5), rank_of(Fraction(1), 5)
        (3, 1, 5)
    """
    return max(-(-share.numerator * vertices // share.denominator), 1)


@dataclass(frozen=True, slots=True)
class CoreQuantiles(GraphTotals):
    """Quantiles of core numbers with noise of one law: for one edge any, for one vertex the largest core number alone.

    Args:
        vertices: public number of vertices.
        shares: of the vertices, each in [0, 1]; 0 asks for the largest core number.
        most: larger core numbers count as this; public.
        protects: `Neighbors.EDGE`, or `Neighbors.NODE` where the only share is 0.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> clique = Graph(40, np.stack(np.triu_indices(20, 1), axis=1))
        >>> quantiles = CoreQuantiles(40, (Fraction(0), Fraction(3, 4)), 39, Neighbors.EDGE, PureDP(Fraction(10**4)))
        >>> quantiles.decide(clique, confidence=0.95, bits=SystemBits()).values.tolist()
        [19.0, 0.0]
    """

    vertices: int
    shares: tuple[Fraction, ...]
    most: int
    protects: Neighbors
    price: Price
    noise: AdditiveNoise = field(init=False, repr=False, compare=False)

    def _check(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_shares(self.shares, self.most)
        if self.protects is Neighbors.NODE and any(self.shares):
            raise ParameterError(
                "Where vertices are protected, noise alone suffices for the largest core number only.",
                "use `NodeCoreQuantiles`.",
            )

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the quantiles move."""
        many, what = len(self.shares), "edge" if self.protects is Neighbors.EDGE else "vertex with its edges"
        return Sensitivity(many, many, many, f"One {what} moves each of these core numbers by at most 1.")

    def of(self, graph: Graph) -> IntArray:
        """(shares,) the core numbers that these shares of the vertices reach."""
        falling = np.sort(np.minimum(core_numbers(graph), self.most))[::-1]
        return falling[[rank_of(share, self.vertices) - 1 for share in self.shares]]

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(shares,) core numbers; each interval by itself.

        Args:
            graph: with the declared number of vertices.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        return self.around(self.noisy(graph, bits=bits), confidence, 0, min(self.most, self.vertices - 1))


@dataclass(frozen=True, slots=True)
class NodeCoreQuantiles:
    """Quantiles of core numbers, for one vertex with all its edges: a number is the likelier, the fewer vertices must change.

    At least t vertices must change until k can be the i-th largest core number c_i, t the least with
    c_(i + t) - t <= k <= c_max(i - t, 1) + t. This t moves by at most 1, so permute-and-flip at rate ε/2 is ε-private. The
    largest core number moves by 1 and gets discrete Laplace noise. ε is split evenly. No interval is proven: by how much
    c_i differs from c_(i + t) is private.

    Args:
        vertices: public number of vertices.
        shares: of the vertices, each in [0, 1].
        most: larger core numbers count as this; public.
        epsilon: > 0, for one vertex with all its edges.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        The score is that of H. Asi, J. Duchi, "Near instance-optimality in differential privacy", 2020; for core numbers: ours.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> clique = Graph(400, np.stack(np.triu_indices(200, 1), axis=1))
        >>> method = NodeCoreQuantiles(400, (Fraction(1, 4),), 399, Fraction(4))
        >>> bool(abs(method.decide(clique, confidence=0.95, bits=SystemBits()).values[0] - 199) < 40)
        True
    """

    vertices: int
    shares: tuple[Fraction, ...]
    most: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        checked_shares(self.shares, self.most)
        checked_scale(1 / self.each)

    @property
    def each(self) -> Fraction:
        """ε of each quantile."""
        return self.epsilon / len(self.shares)

    @property
    def name(self) -> str:
        """What it is called."""
        return "core numbers by how many vertices must change"

    @property
    def event(self) -> Composed:
        """The price, fixed before the graph is seen."""
        return Composed(
            tuple(
                PureDP(self.each) if share else DiscreteLaplaceNoise(1 / self.each, Fraction(1), 1)
                for share in self.shares
            )
        )

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return NODE_UNIT

    @property
    def argument(self) -> str:
        """Why it suffices."""
        return (
            "One vertex moves the core numbers of others by at most 1, so a quantile by at most 1 and one place: how many vertices "
            "must change moves by at most 1."
        )

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """(shares,) core numbers, without intervals.

        Args:
            graph: with the declared number of vertices.
            confidence: not used.
            bits: source of chance.
        """
        del confidence
        cores = core_numbers(checked_size(graph, self.vertices))
        falling = np.sort(np.minimum(cores, self.most))[::-1]
        return Estimate.alone(np.array([self._one(falling, share, bits) for share in self.shares], np.float64))

    def _one(self, falling: IntArray, share: Fraction, bits: Bits) -> int:
        """One quantile."""
        most = min(self.most, self.vertices - 1)
        if not share:
            noisy = int(falling[0]) + int(discrete_laplace(1, 1 / self.each, bits=bits)[0])
            return min(max(noisy, 0), most)
        return permute_and_flip(-changes(falling, rank_of(share, self.vertices), most), self.each / 2, bits=bits)


def changes(falling: IntArray, rank: int, most: int) -> IntArray:
    """(most + 1,) int64 a number of vertices that must change, at least, until 0, 1, …, most can be the core number of a rank.

    Args:
        falling: (n,) core numbers, the largest first.
        rank: from 1.
        most: the largest number that is told.

    Example:
        >>> changes(np.array([3, 3, 3, 3, 0]), 2, 4).tolist()
        [3, 2, 1, 0, 1]
    """
    t = np.arange(most + 1)
    below = np.append(falling, np.zeros(most + rank + 1, falling.dtype))[rank - 1 + t] - t
    above = falling[np.maximum(rank - 1 - t, 0)] + t
    k = np.arange(most + 1)
    return np.where(k < below[0], np.searchsorted(-below, -k), np.searchsorted(above, k)).astype(np.int64)
