"""Bounded Laplace noise: drawn again until the noised value lies between the bounds."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.numeric import noise_table
from sfumato.numbers.check import positive

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.types import IntArray

_SHAVE = 1e-13
"""First share of epsilon given up where whole weights would leak more than was asked."""


@dataclass(frozen=True, slots=True)
class BoundedLaplace(noise_table.Redrawn):
    """The value plus Laplace noise of scale width/epsilon, redrawn until it lies between the bounds.

    On the grid: P[j|i] = r^|j-i| / Z_i with r = e^(-epsilon/steps), Z_i = Σ_j r^|j-i|.

    Proof: for grid points i, i' at distance a, r^|j-i| <= r^(-a) r^|j-i'|, and both Z_i' <= r^(-a) Z_i
    and Z_i <= r^(-b) Z_0 with b the distance from i to an end, Z_0 being the least. So
    P[j|i]/P[j|i'] <= r^(-a) Z_i'/Z_i <= r^(-steps) = e^epsilon, attained at the two ends. Whole weights
    replace the powers of r; the exact ratio of those is computed, and r adjusted until it holds.

    Args:
        grid: bounds and resolution.
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.

    Raises:
        ParameterError: epsilon outside its range. Remedy: choose one, usually below 10.

    Source:
        N. Holohan, S. Antonatos, S. Braghin, P. Mac Aonghusa, "The Bounded Laplace Mechanism in
        Differential Privacy", Journal of Privacy and Confidentiality 10(1), 2020, sections 2 and 3.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = BoundedLaplace(Grid(0.0, 1.0, steps=16), epsilon=1.0)
        >>> 0.999999 < mechanism.epsilon <= 1.0
        True
    """

    name: ClassVar[str] = "bounded Laplace"

    grid: Grid
    epsilon: float
    weights: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asked, give = check_epsilon(self.epsilon), _SHAVE
        weights = laplace_weights(self.grid.steps, asked)
        while (exact := noise_table.exact_epsilon(weights)) > asked:
            weights, give = laplace_weights(self.grid.steps, asked * (1 - give)), give * 2
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "epsilon", exact)


@dataclass(frozen=True, slots=True)
class ScaledLaplace(noise_table.Redrawn):
    """Bounded Laplace noise of scale sensitivity/nominal with a sensitivity below the width: its leak exceeds nominal.

    Redrawing near a bound halves the mass that is kept, so for a small sensitivity the exact leak of two
    values one sensitivity apart tends to ln(2e^nominal - 1), and two ends of the interval leak
    width/sensitivity times the nominal. `epsilon` is the true one, over all pairs of values.

    Args:
        grid: bounds and resolution.
        nominal: the epsilon of the unbounded noise for values one sensitivity apart.
        sensitivity: in the values' unit, in (0, width].

    Raises:
        ParameterError: a parameter outside its range, or a true epsilon above 700. Remedy: use `BoundedLaplace`.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> round(ScaledLaplace(Grid(0.0, 1.0, steps=64), nominal=1.0, sensitivity=0.5).epsilon, 6)
        2.0
    """

    name: ClassVar[str] = "bounded Laplace of smaller sensitivity"

    grid: Grid
    nominal: float
    sensitivity: float
    epsilon: float = field(init=False, repr=False, compare=False)
    weights: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nominal", check_epsilon(self.nominal))
        object.__setattr__(self, "sensitivity", float(positive(self.sensitivity, "sensitivity")))
        share = self.sensitivity / (self.grid.high - self.grid.low)
        if share > 1:
            raise ParameterError("The sensitivity must not exceed the width of the bounds.", "use BoundedLaplace.")
        weights = laplace_weights(self.grid.steps, check_epsilon(self.nominal / share))
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "epsilon", noise_table.exact_epsilon(weights))


def laplace_weights(steps: int, nominal: float) -> IntArray:
    """(steps+1,) whole weights of noise 0 … steps: proportional to e^(-nominal·d/steps).

    Args:
        steps: >= 1.
        nominal: ratio of the weights of noise 0 and noise `steps`, in nats.

    Example:
        >>> weights = laplace_weights(2, 2.0)
        >>> round(float(weights[0] / weights[1]), 6)
        2.718282
    """
    return noise_table.whole_weights(np.exp(-nominal * np.arange(steps + 1) / steps))
