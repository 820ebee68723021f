"""A window that slides over the reports with the value: the law behind the piecewise and square-wave mechanisms.

With m steps and a window of w cells there are m + w reports. From grid point i the report is uniform
in the window i … i+w-1 with probability p, else uniform in the m other cells.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.check import whole
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Window:
    """The law of a sliding window.

    Proof of ε: with p and 1-p as the coin is tossed, every cell inside has probability p/w and every cell
    outside (1-p)/m, the same for each value, so the largest ratio is (m/w)·p/(1-p), an exact fraction.

    Args:
        steps: m, >= 1.
        width: w, >= 1.
        coin: its noise falls outside the window; p is the probability that it does not.

    Example:
        >>> window = sliding_window(steps=2, width=1, epsilon=1.0)
        >>> window.matrix().round(3).tolist()
        [[0.576, 0.212, 0.212], [0.212, 0.576, 0.212], [0.212, 0.212, 0.576]]
    """

    steps: int
    width: int
    coin: Coin

    @property
    def n_outputs(self) -> int:
        """Number of reports, m + w."""
        return self.steps + self.width

    @property
    def epsilon(self) -> float:
        """The logarithm of (m/w)·p/(1-p), rounded up."""
        return log_up(Fraction(self.steps, self.width) * self.coin.odds)

    def matrix(self) -> FloatArray:
        """(m+1, m+w) float64: P[report | grid point]."""
        offset = np.arange(self.n_outputs) - np.arange(self.steps + 1)[:, None]
        inside = (offset >= 0) & (offset < self.width)
        near, far = float(self.coin.truth / self.width), float(self.coin.noise / self.steps)
        return np.where(inside, near, far)

    def decode(self) -> FloatArray:
        """(m+w,) float64, affine in the report, with E[decoded | i] = i.

        E[report | i] = p·c_i + (1-p)·(N(N-1)/2 - w·c_i)/m with N = m+w and c_i = i + (w-1)/2, the
        center of the window: affine in i with slope p - (1-p)w/m.
        """
        n, far = self.n_outputs, self.coin.noise / self.steps
        slope = self.coin.truth - far * self.width
        start = slope * Fraction(self.width - 1, 2) + far * Fraction(n * (n - 1), 2)
        return np.asarray(np.arange(n) / float(slope) - float(start / slope), np.float64)

    def draw(self, codes: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports. Both cells are drawn for every person, so time does not tell them apart.

        Args:
            codes: (n,) int64 in 0 … m.
            bits: source of chance.
        """
        outside = self.coin.toss_noise(len(codes), bits=bits)
        near = codes + uniform_integers(len(codes), self.width, bits=bits)
        far = uniform_integers(len(codes), self.steps, bits=bits)
        return np.where(outside, far + self.width * (far >= codes), near)


def sliding_window(steps: int, width: int, epsilon: float) -> Window:
    """The window with the least noise that keeps epsilon.

    Args:
        steps: m, >= 1.
        width: w, >= 1.
        epsilon: asked, in nats.

    Raises:
        ParameterError: a parameter outside its range. Remedy: choose one inside.

    Example:
        >>> sliding_window(steps=10, width=6, epsilon=1.0).epsilon <= 1.0
        True
    """
    whole(steps, "steps", 1, 2**31), whole(width, "width", 1, 2**31)
    share = Fraction(steps, width)
    return Window(steps, width, calibrate(epsilon, epsilon - math.log(share), lambda odds: share * odds))
