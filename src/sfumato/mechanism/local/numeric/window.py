"""A window that slides over the reports with the value: the law behind the piecewise and square-wave mechanisms.

With m steps and a window of w cells there are m + w reports. From grid point i the report is uniform
in the window i … i+w-1 with probability p, else uniform in the m other cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.numeric.exact import largest_probability, odds_epsilon
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.check import whole
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Window:
    """The law of a sliding window.

    Proof of ε: every cell inside has probability p/w and every cell outside (1-p)/m, the same for each
    value, so the largest ratio is (p/w)/((1-p)/m) = (m/w)·p/(1-p), exactly.

    Args:
        steps: m, >= 1.
        width: w, >= 1.
        p: probability of the window, a float that is tossed exactly.

    Example:
        >>> window = sliding_window(steps=2, width=1, epsilon=1.0)
        >>> window.matrix().round(3).tolist()
        [[0.576, 0.212, 0.212], [0.212, 0.576, 0.212], [0.212, 0.212, 0.576]]
    """

    steps: int
    width: int
    p: float

    @property
    def n_outputs(self) -> int:
        """Number of reports, m + w."""
        return self.steps + self.width

    @property
    def exact_epsilon(self) -> float:
        """ln((m/w)·p/(1-p)), rounded up."""
        return odds_epsilon(self.p, Fraction(self.steps, self.width))

    def matrix(self) -> FloatArray:
        """(m+1, m+w) float64: P[report | grid point]."""
        offset = np.arange(self.n_outputs) - np.arange(self.steps + 1)[:, None]
        inside = (offset >= 0) & (offset < self.width)
        return np.where(inside, self.p / self.width, (1 - self.p) / self.steps)

    def decode(self) -> FloatArray:
        """(m+w,) float64, affine in the report, with E[decoded | i] = i.

        E[report | i] = p·c_i + (1-p)·(N(N-1)/2 - w·c_i)/m with N = m+w and c_i = i + (w-1)/2, the
        center of the window: affine in i with slope p - (1-p)w/m.
        """
        n, middle, other = self.n_outputs, (self.width - 1) / 2, (1 - self.p) / self.steps
        slope = self.p - other * self.width
        start = slope * middle + other * n * (n - 1) / 2
        return np.asarray((np.arange(n) - start) / slope, np.float64)

    def draw(self, codes: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports. Both cells are drawn for every person, so time does not tell them apart.

        Args:
            codes: (n,) int64 in 0 … m.
            bits: source of chance.
        """
        inside = bernoulli(len(codes), self.p, bits=bits)
        near = codes + uniform_integers(len(codes), self.width, bits=bits)
        far = uniform_integers(len(codes), self.steps, bits=bits)
        return np.where(inside, near, far + self.width * (far >= codes))


def sliding_window(steps: int, width: int, epsilon: float) -> Window:
    """The window with the largest p that keeps epsilon.

    Args:
        steps: m, >= 1.
        width: w, >= 1.
        epsilon: in nats, in (0, 700].

    Raises:
        ParameterError: a parameter outside its range. Remedy: choose one inside.

    Example:
        >>> sliding_window(steps=10, width=6, epsilon=1.0).exact_epsilon <= 1.0
        True
    """
    whole(steps, "steps", 1, 2**31), whole(width, "width", 1, 2**31)
    return Window(steps, width, largest_probability(epsilon, Fraction(steps, width)))
