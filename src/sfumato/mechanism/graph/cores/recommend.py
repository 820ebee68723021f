"""Which private core numbers err least at a size and an ε: tried on public random graphs, the private one unseen."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.baseline import NoisyDegrees, OneGuess
from sfumato.mechanism.graph.cores.calibration import default_step
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor, even_split, rising_split
from sfumato.mechanism.graph.cores.naive import NaiveCores
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.mechanism.graph.cores.surrogate import SURROGATES
from sfumato.noise.bits import KeyedBits
from sfumato.numbers.check import whole
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from sfumato.mechanism.graph.cores.result import CoreMechanism

_LARGEST = 2000
"""Vertices of a surrogate at most: errors hardly depend on n, but for noise on the result, which only grows."""
_RUNS = 3
_SEED = 20260101


class Model(Enum):
    """Who is trusted."""

    CENTRAL = "central"
    """A curator holds the graph."""
    LOCAL = "local"
    """Nobody: each vertex draws its own noise, and every message is public."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism and what it errs by.

    Args:
        mechanism: for the declared number of vertices.
        error: mean absolute error of a core number, expected: the mean over runs on each public random graph.
    """

    mechanism: CoreMechanism
    error: float


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Mechanisms, the best first.

    Args:
        candidates: from the least error.
        of_zero: the error of answering 0 for all, which costs nothing.
        of_degrees: the error of the exact degrees in place of core numbers.
    """

    candidates: tuple[Candidate, ...]
    of_zero: float
    of_degrees: float

    @property
    def best(self) -> CoreMechanism:
        """What errs least."""
        return self.candidates[0].mechanism

    @property
    def is_worth_it(self) -> bool:
        """Whether the best errs less than answering 0 for all."""
        return self.candidates[0].error < self.of_zero


def recommend(vertices: int, edges: int, epsilon: Fraction, model: Model, *, runs: int = _RUNS) -> Recommendation:
    """The mechanisms of a model, by simulated error on public random graphs of this size; the same every time.

    Args:
        vertices: public number of vertices.
        edges: about how many edges there are: a public guess, or a noisy count that was paid for.
        epsilon: > 0, for one edge.
        model: who is trusted.
        runs: on each random graph, >= 1.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> recommend(300, 1500, Fraction(2), Model.LOCAL, runs=1).best.name
        'peeling by rising thresholds'
    """
    whole(vertices, "vertices", 1, MOST_VERTICES)
    whole(edges, "edges", 0, MOST_VERTICES**2)
    whole(runs, "runs", 1, 1000)
    n, rng = min(vertices, _LARGEST), np.random.default_rng(_SEED)
    graphs = [make(n, round(edges * n / vertices), rng) for make in SURROGATES]
    exact = [core_numbers(graph) for graph in graphs]
    bits, errors = KeyedBits(bytes(32), is_secure=False), list[Candidate]()
    for make in _makers(epsilon):
        mechanism, small = make(vertices), make(n)
        if model is Model.CENTRAL or mechanism.is_local:
            off = [
                np.abs(small.decide(graph, bits=bits).numbers - core).mean()
                for graph, core in zip(graphs, exact, strict=True)
                for _ in range(runs)
            ]
            errors.append(Candidate(mechanism, float(np.mean(off))))
    zero = float(np.mean([core.mean() for core in exact]))
    degrees = float(np.mean([(graph.degrees - core).mean() for graph, core in zip(graphs, exact, strict=True)]))
    return Recommendation(tuple(sorted(errors, key=lambda one: one.error)), zero, degrees)


def _makers(epsilon: Fraction) -> Iterator[Callable[[int], CoreMechanism]]:
    """Everything that is tried, for any number of vertices."""
    for times in (1, 2, 4):
        step = default_step(epsilon) * times / 2
        try:
            RisingPeeling(1, epsilon, step)
        except ParameterError:
            continue
        yield lambda n, step=step: RisingPeeling(n, epsilon, step)  # type: ignore[misc]
    for shares in (rising_split(2), rising_split(3), even_split(2), even_split(3)):
        yield lambda n, shares=shares: NoisyMontresor(n, epsilon, shares)  # type: ignore[misc]
    for kind in (MatPeeling, LevelStructure, NoisyDegrees, NaiveCores, OneGuess):
        yield lambda n, kind=kind: kind(n, epsilon)  # type: ignore[misc]
