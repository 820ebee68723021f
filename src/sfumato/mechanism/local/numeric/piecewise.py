"""The piecewise mechanism: a report uniform near the value with high probability, else uniform elsewhere."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.numeric.window import Window, sliding_window

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Piecewise:
    """Reports in [-C, C] for values scaled to [-1, 1], unbiased, C = (e^(ε/2)+1)/(e^(ε/2)-1).

    The window covers the share 1/(e^(ε/2)+1) of the reports and slides from one end to the other with the
    value; on the grid it is round(steps·e^(-ε/2)) cells. Variance for real numbers, values in [-1, 1]:
    x²/(e^(ε/2)-1) + (e^(ε/2)+3)/(3(e^(ε/2)-1)²); `report_variance` gives the grid's exactly.

    Proof of ε: see `Window`. Unbiased: the number published is affine in the report, see `Window.decode`.

    Args:
        grid: bounds and resolution.
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.

    Raises:
        ParameterError: epsilon outside its range. Remedy: choose one, usually below 10.

    Source:
        N. Wang et al., "Collecting and Analyzing Multidimensional Data with Local Differential Privacy",
        ICDE 2019, section III-B, algorithm 2, lemma 1.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = Piecewise(Grid(-1.0, 1.0, steps=1024), epsilon=1.0)
        >>> round(float(mechanism.outputs()[-1]), 2), mechanism.epsilon <= 1.0
        (4.08, True)
    """

    name: ClassVar[str] = "piecewise"

    grid: Grid
    epsilon: float
    window: Window = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = check_epsilon(self.epsilon)
        width = max(1, round(self.grid.steps * math.exp(-epsilon / 2)))
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
        """(n_outputs,) float64: the unbiased numbers; most lie outside the bounds."""
        return self.decode()

    def matrix(self) -> FloatArray:
        """(steps+1, n_outputs) float64: P[report | grid point]."""
        return self.window.matrix()

    def decode(self) -> FloatArray:
        """(n_outputs,) float64 h, affine in the report, with E[h(report) | value] = value."""
        return self.grid.low + self.grid.step * self.window.decode()

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports.

        Args:
            values: (n,) real numbers between the bounds.
            bits: source of chance.

        Raises:
            ParameterError: see `Grid.positions`.
        """
        return self.window.draw(self.grid.codes(values, bits=bits), bits=bits)
