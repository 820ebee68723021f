"""The hybrid mechanism: the piecewise one with probability α, else Duchi's bit. Never worse than either."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.noise.bernoulli import bernoulli

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


def turning_point() -> float:
    """ε* = ln((-5 + 2(6353-405√241)^(1/3) + 2(6353+405√241)^(1/3))/27), below which Duchi's bit alone is best.

    Source: N. Wang et al., ICDE 2019, equation 8.

    Example:
        >>> round(turning_point(), 2)
        0.61
    """
    root = 405 * math.sqrt(241)
    return math.log((-5 + 2 * math.cbrt(6353 - root) + 2 * math.cbrt(6353 + root)) / 27)


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Piecewise with probability α = 1 - e^(-ε/2) above ε* ≈ 0.61, Duchi otherwise.

    A report is a code of the piecewise mechanism, or one of two codes after those for Duchi's bit: it says
    which was used, and the choice does not depend on the value.

    Proof of ε: P[y|x]/P[y|x'] is a ratio of the one mechanism or of the other, α cancels.

    Args:
        grid: bounds and resolution.
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.

    Raises:
        ParameterError: epsilon outside its range. Remedy: choose one, usually below 10.

    Source:
        N. Wang et al., ICDE 2019, section III-C, equations 7 and 8.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = Hybrid(Grid(-1.0, 1.0, steps=64), epsilon=1.0)
        >>> round(mechanism.alpha, 4), mechanism.epsilon <= 1.0
        (0.3935, True)
    """

    name: ClassVar[str] = "hybrid"

    grid: Grid
    epsilon: float
    alpha: float = field(init=False, repr=False, compare=False)
    piecewise: Piecewise = field(init=False, repr=False, compare=False)
    duchi: Duchi = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = check_epsilon(self.epsilon)
        object.__setattr__(self, "alpha", -math.expm1(-epsilon / 2) if epsilon > turning_point() else 0.0)
        object.__setattr__(self, "piecewise", Piecewise(self.grid, epsilon))
        object.__setattr__(self, "duchi", Duchi(self.grid, epsilon))
        object.__setattr__(self, "epsilon", self._exact())

    def _exact(self) -> float:
        """The larger of the exact epsilons that are used."""
        return max(self.duchi.epsilon, self.piecewise.epsilon) if self.alpha else self.duchi.epsilon

    @property
    def n_outputs(self) -> int:
        """Reports of the piecewise mechanism, and two."""
        return self.piecewise.n_outputs + 2

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def outputs(self) -> FloatArray:
        """(n_outputs,) float64: the unbiased numbers."""
        return self.decode()

    def matrix(self) -> FloatArray:
        """(steps+1, n_outputs) float64: P[report | grid point]."""
        return np.hstack([self.alpha * self.piecewise.matrix(), (1 - self.alpha) * self.duchi.matrix()])

    def decode(self) -> FloatArray:
        """(n_outputs,) float64 h with E[h(report) | value] = value."""
        return np.concatenate([self.piecewise.decode(), self.duchi.decode()])

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports. Both mechanisms are drawn for every person; one is reported."""
        window = self.piecewise.randomize(values, bits=bits)
        bit = self.duchi.randomize(values, bits=bits) + self.piecewise.n_outputs
        return np.where(bernoulli(len(window), self.alpha, bits=bits), window, bit)
