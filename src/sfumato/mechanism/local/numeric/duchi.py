"""One bit of a number: rounded at random to one of the bounds, then answered by randomized response."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.numeric.exact import check_epsilon, largest_probability, odds_epsilon
from sfumato.noise.bernoulli import bernoulli, bernoulli_many

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Duchi:
    """A report is 1 with probability (1-p) + (2p-1)·t, t the value scaled to [0, 1], p = e^ε/(e^ε+1).

    Best of all for small ε. Published as -C or C on [-1, 1] with C = (e^ε+1)/(e^ε-1); variance C² - x².

    Proof of ε: whatever t, the probability of each report lies between 1-p and p.
    Unbiased: E[report | t] = (1-p) + (2p-1)t, so (report - (1-p))/(2p-1) has the mean t.

    Args:
        grid: bounds; the resolution only matters for `matrix`, since t is tossed exactly.
        epsilon: in nats, in (0, 700].

    Raises:
        ParameterError: epsilon outside its range. Remedy: choose one, usually below 10.

    Source:
        J. Duchi, M. Jordan, M. Wainwright, "Minimax Optimal Procedures for Locally Private Estimation",
        JASA 113(521), 2018, section 3.2; in one dimension N. Wang et al., ICDE 2019, algorithm 1.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> Duchi(Grid(-1.0, 1.0, steps=1), epsilon=1.0).outputs().round(4).tolist()
        [-2.164, 2.164]
    """

    grid: Grid
    epsilon: float
    p: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", largest_probability(check_epsilon(self.epsilon), Fraction(1)))

    @property
    def exact_epsilon(self) -> float:
        """ln(p/(1-p)), rounded up."""
        return odds_epsilon(self.p, Fraction(1))

    @property
    def n_outputs(self) -> int:
        """Two reports."""
        return 2

    def outputs(self) -> FloatArray:
        """(2,) float64: the unbiased numbers, both outside the bounds."""
        return self.decode()

    def matrix(self) -> FloatArray:
        """(steps+1, 2) float64: P[report | grid point]."""
        share = np.arange(self.grid.steps + 1) / self.grid.steps
        up = (1 - self.p) + (2 * self.p - 1) * share
        return np.column_stack([1 - up, up])

    def decode(self) -> FloatArray:
        """(2,) float64 h with E[h(report) | value] = value."""
        share = (np.arange(2) - (1 - self.p)) / (2 * self.p - 1)
        return np.asarray(self.grid.low + share * (self.grid.high - self.grid.low), np.float64)

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports, 0 or 1.

        Args:
            values: (n,) real numbers between the bounds.
            bits: source of chance.

        Raises:
            ParameterError: see `Grid.positions`.
        """
        upper = bernoulli_many(self.grid.positions(values) / self.grid.steps, bits=bits)
        kept = bernoulli(len(upper), self.p, bits=bits)
        return np.equal(upper, kept).astype(np.int64)
