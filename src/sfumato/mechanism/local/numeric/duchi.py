"""One bit of a number: rounded at random to one of the bounds, then answered by randomized response."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.noise.bernoulli import bernoulli_many
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
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
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.

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

    name: ClassVar[str] = "Duchi one bit"

    grid: Grid
    epsilon: float
    coin: Coin = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asked = check_epsilon(self.epsilon)
        object.__setattr__(self, "coin", calibrate(asked, asked, lambda odds: odds))
        object.__setattr__(self, "epsilon", log_up(self.coin.odds))

    @property
    def n_outputs(self) -> int:
        """Two reports."""
        return 2

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def outputs(self) -> FloatArray:
        """(2,) float64: the unbiased numbers, both outside the bounds."""
        return self.decode()

    def matrix(self) -> FloatArray:
        """(steps+1, 2) float64: P[report | grid point]."""
        share = np.arange(self.grid.steps + 1) / self.grid.steps
        noise, slope = float(self.coin.noise), float(self.coin.truth - self.coin.noise)
        return np.column_stack([noise + slope * (1 - share), noise + slope * share])

    def decode(self) -> FloatArray:
        """(2,) float64 h with E[h(report) | value] = value."""
        slope = self.coin.truth - self.coin.noise
        share = np.array([float(-self.coin.noise / slope), float(self.coin.truth / slope)])
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
        flipped = self.coin.toss_noise(len(upper), bits=bits)
        return np.not_equal(upper, flipped).astype(np.int64)
