"""Montresor's rounds with noise on every message: the process is private, not only its result.

Each vertex keeps its own estimate k, first its degree, and publishes k + noise; then k is the least of itself and the
h-index of what its neighbors published last, where a published value that rises is not heard ("il suffit de ne rien
faire"). Given what was published before, one edge changes only the estimates of its two ends, each by at most 1: the
h-index of a list with one entry more or less moves by at most 1, and so does the least of two such numbers. A round
of scale s therefore costs 2/s; no vertex needs to trust anybody.

Source: B. Nguyen, course on anonymisation, after Eichler, Rossi, Nguyen, Berthomé, Vazirgiannis, APVP 2017; argument: docs/proofs/private-cores.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import Composed, DiscreteLaplaceNoise
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.graph.cores.result import PrivateCores, possible
from sfumato.mechanism.graph.cores.shrink import shrink_laplace
from sfumato.mechanism.graph.size import checked_size
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.summary.cores import h_indices
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

ENDS = Fraction(2)
"""An edge lies in the lists of two vertices, and both publish."""
MOST_ROUNDS = 1000


def even_split(rounds: int) -> tuple[Fraction, ...]:
    """ε/Z for each of Z rounds.

    Example:
        >>> even_split(2)
        (Fraction(1, 2), Fraction(1, 2))
    """
    return (Fraction(1, whole(rounds, "rounds", 1, MOST_ROUNDS)),) * rounds


def rising_split(rounds: int) -> tuple[Fraction, ...]:
    """Shares that double from round to round: only the last round is the answer, those before show the way.

    Example:
        >>> rising_split(2)
        (Fraction(1, 3), Fraction(2, 3))
    """
    parts = [2**i for i in range(whole(rounds, "rounds", 1, MOST_ROUNDS))]
    return tuple(Fraction(part, sum(parts)) for part in parts)


def noisy_rounds(graph: Graph, scales: Sequence[Fraction], *, bits: Bits) -> tuple[IntArray, ...]:
    """What is published in each round: (n,) int64 numbers with discrete Laplace noise of that round's scale.

    Args:
        graph: private.
        scales: of the noise of each round, >= 1 of them.
        bits: source of chance.
    """
    start, to = graph.neighbors()
    own = np.diff(start)
    said = own + discrete_laplace(graph.vertices, scales[0], bits=bits)
    out, heard = [said], said
    for scale in scales[1:]:
        own = np.minimum(own, h_indices(start, heard[to]))
        said = own + discrete_laplace(graph.vertices, scale, bits=bits)
        heard = np.minimum(heard, said)
        out.append(said)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class NoisyMontresor:
    """Core numbers by noisy rounds, ε-private as a whole, with every message.

    Args:
        vertices: public number of vertices.
        epsilon: > 0, for one edge and all rounds together.
        shares: of each round; they add up to 1.

    Raises:
        ParameterError: a number outside its range, or shares that are not above 0 or do not add up to 1. Remedy: use
            `even_split` or `rising_split`.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.graph import Graph
        >>> method = NoisyMontresor(4, Fraction(400), even_split(3))
        >>> square = Graph(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]))
        >>> method.decide(square, bits=SystemBits()).numbers.tolist()
        [2, 2, 2, 2]
    """

    vertices: int
    epsilon: Fraction
    shares: tuple[Fraction, ...] = rising_split(2)

    def __post_init__(self) -> None:
        whole(self.vertices, "vertices", 1, MOST_VERTICES)
        checked_epsilon(self.epsilon)
        if not self.shares or min(self.shares) <= 0 or sum(self.shares) != 1 or len(self.shares) > MOST_ROUNDS:
            raise ParameterError(
                "Shares of rounds must be above 0 and add up to 1.", "use `even_split` or `rising_split`."
            )
        for scale in self.scales:
            checked_scale(scale)

    @property
    def scales(self) -> tuple[Fraction, ...]:
        """Of the noise of each round."""
        return tuple(ENDS / (self.epsilon * share) for share in self.shares)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"noisy Montresor, {len(self.shares)} rounds"

    @property
    def event(self) -> Composed:
        """The price, fixed before the graph is seen."""
        return Composed(tuple(DiscreteLaplaceNoise(scale, ENDS, 2) for scale in self.scales))

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return (
            "Given what was published before, one edge changes the estimates of its two ends by at most 1 each, "
            "in every round."
        )

    @property
    def is_local(self) -> bool:
        """Each vertex publishes its own noisy estimate."""
        return True

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The last round, drawn towards what all vertices together tell.

        Raises:
            ParameterError: another number of vertices. Remedy: declare the number of public vertices.
        """
        rounds = noisy_rounds(checked_size(graph, self.vertices), self.scales, bits=bits)
        return PrivateCores(possible(shrink_laplace(rounds[-1], float(self.scales[-1]))), rounds)
