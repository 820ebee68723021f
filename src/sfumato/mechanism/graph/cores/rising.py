"""Peeling by rising thresholds: each vertex draws its noise once and says once when it leaves.

All vertices begin together. In round t a vertex leaves when the number of its neighbors still there, less its noise, is
at most a public threshold that rises by a fixed step each round; all hear who left. The threshold at which a vertex
leaves is near its core number. Nothing else is said, so the rounds of leaving are the whole process.

It is peeling as of Dhulipala, Li and Liu (2023), with two differences: no fresh noise for each question (the step does
what that noise did), and a price for both lists of an edge that looks at which of its two ends leaves first. At ε = 1
the noise has scale 2.3 with step 3; theirs has 4 and, in every question, 8.

Source: L. Dhulipala, G. Z. Li, Q. C. Liu, arXiv 2312.07706; L. Dhulipala et al., "Differential privacy from locally
adjustable graph algorithms", FOCS 2022, for the model. The price is proven in docs/proofs/private-cores.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.tail import laplace_half_width
from sfumato.mechanism.graph.cores.bounds import bounds_of_leaving
from sfumato.mechanism.graph.cores.calibration import default_step, least_scale
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.cores.shrink import posterior_medians, smooth_law, support, true_variance
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import places_of
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import FloatArray, IntArray

FINEST = 2**16
"""The largest denominator of a step."""
_BEFORE = 2
"""Thresholds begin so many scales below 0, so that vertices with much noise leave one after another."""
_LATENESS = 0.03
"""By how much of itself a threshold of leaving is late, for each unit of the step; found on random graphs (`recommend`
has their law), and no promise rests on it."""


@dataclass(frozen=True, slots=True)
class RisingPeeling:
    """Core numbers by leaving at a rising threshold, ε-private as a whole, with every message.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge.
        step: by how much the threshold rises in a round; None: `default_step`. A smaller one needs more noise and is
            less late.

    Raises:
        ParameterError: a number outside its range, or a step too small for ε. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> clique = Graph(40, np.stack(np.triu_indices(40, 1), axis=1))
        >>> found = RisingPeeling(40, Fraction(20)).decide(clique, bits=SystemBits())
        >>> set(found.numbers.tolist()) <= {38, 39, 40}
        True
    """

    vertices: int
    epsilon: Fraction
    step: Fraction | None = None

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        if self.rise <= 0 or self.fine > FINEST:
            raise ParameterError(
                "`step` must be a fraction above 0 with a denominator of at most 2^16.", "give Fraction(1, 4), say."
            )
        checked_scale(self.scale)

    @property
    def rise(self) -> Fraction:
        """By how much the threshold rises in each round."""
        return default_step(self.epsilon) if self.step is None else self.step

    @property
    def fine(self) -> int:
        """F: noise and thresholds are multiples of 1/F."""
        return self.rise.denominator

    @property
    def scale(self) -> Fraction:
        """Of the noise, in units of 1/F."""
        return least_scale(self.epsilon, self.fine, self.rise.numerator)

    @property
    def first(self) -> int:
        """The threshold of round 0, in units of 1/F: a multiple of the step."""
        return -self.rise.numerator * -(-_BEFORE * self.scale // self.rise.numerator)

    @property
    def name(self) -> str:
        """What it is called."""
        return "peeling by rising thresholds"

    @property
    def event(self) -> PureDP:
        """The price, fixed before the graph is seen."""
        return PureDP(self.epsilon)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return (
            "The end of an edge that leaves first moves its noise by 1; the other leaves in a round to which a range "
            f"of noises at least {self.rise} wide leads, and at most 1 wider with the edge."
        )

    @property
    def is_local(self) -> bool:
        """Each vertex draws its own noise and says when it leaves."""
        return True

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The rounds in which vertices leave, and what they tell of core numbers.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        start, to = checked_size(graph, self.vertices).neighbors()
        noise = discrete_laplace(self.vertices, self.scale, bits=bits)
        left = rounds_of_leaving(start, to, noise, self.fine, self.first, self.rise.numerator)
        return PrivateCores(possible(self.estimate(left)), (left,))

    def bounds(self, published: PrivateCores, confidence: float) -> tuple[IntArray, IntArray]:
        """(n,) int64 least and greatest core numbers: all n hold together with the confidence, over the noise alone.

        Args:
            published: what `decide` gave.
            confidence: in (0, 1).
        """
        reach = laplace_half_width(self.scale, each_confidence(confidence, self.vertices))
        return bounds_of_leaving(published.rounds[0], self.first, self.rise.numerator, reach, self.fine)

    def estimate(self, left: IntArray) -> IntArray:
        """(n,) int64 core numbers from the rounds of leaving; reads nothing else.

        A vertex with core number c leaves in round t when c, made later by the rounds that others need to leave, less
        noise lies between the thresholds of rounds t - 1 and t.

        Args:
            left: (n,) round of each vertex, from 0.
        """
        kinds, which, held = np.unique(left, return_inverse=True, return_counts=True)
        late = 1 + _LATENESS * float(self.rise)
        scale, step = float(self.scale) / self.fine, float(self.rise)
        ends = self.first / self.fine + step * kinds
        values = support(ends[-1] / late)
        near = (ends - step / 2) / late
        mean, variance = np.average(near, weights=held), np.cov(near, fweights=held, ddof=0)
        base = smooth_law(values, float(mean), true_variance(float(variance), 2 * (scale / late) ** 2, len(left)))
        center = late * values[None, :]
        begins = np.where(kinds == 0, -np.inf, ends - step)[:, None]
        likelihood = _up_to(ends[:, None] - center, scale) - _up_to(begins - center, scale)
        return posterior_medians(likelihood, held, values, base)[which]


def rounds_of_leaving(start: IntArray, to: IntArray, noise: IntArray, fine: int, first: int, step: int) -> IntArray:
    """(n,) int64 the round in which each vertex leaves; rounds in which nobody does are skipped, not run.

    Args:
        start: (n + 1,) where the neighbors of each vertex begin.
        to: neighbors.
        noise: (n,) of each vertex, in units of 1/F.
        fine: F.
        first: threshold of round 0, in units of 1/F.
        step: its rise, in units of 1/F.

    Example:
        >>> start, to = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1])
        >>> rounds_of_leaving(start, to, np.array([0, 0, 0]), 1, 0, 1).tolist()
        [1, 2, 1]
    """
    least = fine * np.diff(start) - noise
    left, alive, t = np.zeros(len(least), np.int64), np.arange(len(least)), 0
    while len(alive):
        wanted = least[alive]
        t = max(t, -((first - int(wanted.min())) // step))
        is_leaving = wanted <= first + step * t
        leaving, alive = alive[is_leaving], alive[~is_leaving]
        left[leaving] = t
        np.subtract.at(least, to[places_of(start, leaving)], fine)
        t += 1
    return left


def _up_to(x: FloatArray, scale: float) -> FloatArray:
    """The chance that Laplace noise is at most x."""
    tail = np.exp(-np.abs(x) / scale) / 2
    return np.where(x < 0, tail, 1 - tail)
