"""The square-wave mechanism: reports close to the value, made for estimating a whole distribution."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.numeric.window import Window, sliding_window

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_TINY = 1e-7
"""Below it the half-width is 1/2 to float precision of its formula."""


def half_width(epsilon: float) -> float:
    """The window's half-width of greatest mutual information, b = (εe^ε - e^ε + 1)/(2e^ε(e^ε - 1 - ε)).

    Args:
        epsilon: in nats, > 0.

    Returns:
        b in (0, 1/2], as a share of the width of the bounds.

    Source:
        Z. Li et al., SIGMOD 2020, section 5.3.

    Example:
        >>> round(half_width(1.0), 4)
        0.2561
    """
    if epsilon < _TINY:
        return 0.5
    small = math.exp(-epsilon)
    return small * (epsilon + math.expm1(-epsilon)) / (2 * (-math.expm1(-epsilon) - epsilon * small))


@dataclass(frozen=True, slots=True)
class SquareWave:
    """A report uniform within b of the value (scaled to [0, 1]) with weight e^ε, elsewhere in [-b, 1+b] with weight 1.

    On the grid the window is round(2b·steps) cells. Its reports are not unbiased numbers: estimate the
    distribution by `estimate_distribution`, or the mean by `estimate_mean`, which decodes them.

    Proof of ε: see `Window`.

    Args:
        grid: bounds and resolution.
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.

    Raises:
        ParameterError: epsilon outside its range. Remedy: choose one, usually below 10.

    Source:
        Z. Li, T. Wang, M. Lopuhaä-Zwakenberg, N. Li, B. Škorić, "Estimating Numerical Distributions under
        Local Differential Privacy", SIGMOD 2020, section 5.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = SquareWave(Grid(0.0, 1.0, steps=64), epsilon=1.0)
        >>> mechanism.window.width, mechanism.epsilon <= 1.0
        (33, True)
    """

    name: ClassVar[str] = "square wave"

    grid: Grid
    epsilon: float
    window: Window = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = check_epsilon(self.epsilon)
        width = max(1, round(2 * half_width(epsilon) * self.grid.steps))
        object.__setattr__(self, "window", sliding_window(self.grid.steps, width, epsilon))
        object.__setattr__(self, "epsilon", self.window.epsilon)

    @property
    def n_outputs(self) -> int:
        """Cells that the window can reach."""
        return self.window.n_outputs

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def outputs(self) -> FloatArray:
        """(n_outputs,) float64: the place of each report, from low - b·width to high + b·width."""
        places = np.arange(self.n_outputs) - (self.window.width - 1) / 2
        return np.asarray(self.grid.low + self.grid.step * places, np.float64)

    def matrix(self) -> FloatArray:
        """(steps+1, n_outputs) float64: P[report | grid point]."""
        return self.window.matrix()

    def decode(self) -> FloatArray:
        """(n_outputs,) float64 h, affine in the report, with E[h(report) | value] = value."""
        return self.grid.low + self.grid.step * self.window.decode()

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports."""
        return self.window.draw(self.grid.codes(values, bits=bits), bits=bits)
