"""The two laws of noise that are drawn exactly, in whole steps, and the chance of each sum."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from math import asinh, ceil, exp, expm1, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.noise.discrete_gaussian import discrete_gaussian
from sfumato.noise.discrete_laplace import discrete_laplace

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_TABLE = 20_000.0
"""Up to this σ probabilities are added up; beyond, the normal law differs by less than 1e-10."""
_REACH = 9
"""Standard deviations beyond which the Gaussian has no mass that a float shows."""


class NoiseName(Enum):
    """The laws of noise that a plan can name."""

    GAUSSIAN = "gaussian"
    LAPLACE = "laplace"


@dataclass(frozen=True, slots=True)
class NoiseLaw:
    """Whole numbers with probability proportional to e^(-x²/2σ²) or to e^(-|x|/t), drawn exactly.

    Args:
        name: which law.
        scale: σ or t in steps, > 0.

    Source:
        C. Canonne, G. Kamath and T. Steinke, NeurIPS 2020; A. Ghosh, T. Roughgarden and M. Sundararajan, STOC 2009.

    Example:
        >>> law = NoiseLaw(NoiseName.LAPLACE, Fraction(2))
        >>> law.below(np.array([-1, 0])).round(4).tolist()
        [0.3775, 0.6225]
    """

    name: NoiseName
    scale: Fraction

    def draw(self, n: int, *, bits: Bits) -> IntArray:
        """(n,) int64 independent numbers."""
        if self.name is NoiseName.GAUSSIAN:
            return discrete_gaussian(n, self.scale, bits=bits)
        return discrete_laplace(n, self.scale, bits=bits)

    def below(self, k: IntArray) -> FloatArray:
        """Chance of a number <= k, element by element."""
        if self.name is NoiseName.LAPLACE:
            q = exp(-1 / float(self.scale))
            tail = np.asarray(np.exp(-np.abs(np.where(k < 0, k, k + 1)) / float(self.scale)), np.float64) / (1 + q)
            return np.where(k < 0, tail, 1 - tail)
        return self._gaussian_below(np.asarray(k, np.float64))

    def moments(self) -> tuple[float, float]:
        """Mean absolute and mean squared number.

        Example:
            >>> [round(moment, 3) for moment in NoiseLaw(NoiseName.GAUSSIAN, Fraction(10)).moments()]
            [7.972, 100.0]
        """
        scale = float(self.scale)
        if self.name is NoiseName.LAPLACE:
            q, rest = exp(-1 / scale), -expm1(-1 / scale)
            return 2 * q / (rest * (1 + q)), 2 * q / rest**2
        if scale > _TABLE:
            return scale * sqrt(2 / pi), scale**2
        x, weight = self._gaussian()
        return float(np.abs(x) @ weight), float(x**2 @ weight)

    def _gaussian(self) -> tuple[FloatArray, FloatArray]:
        """Every number that has mass, and its probability."""
        reach = int(_REACH * self.scale) + 9
        x = np.arange(-reach, reach + 1, dtype=np.float64)
        weight = np.exp(-((x / float(self.scale)) ** 2) / 2)
        return x, np.asarray(weight / weight.sum(), np.float64)

    def _gaussian_below(self, k: FloatArray) -> FloatArray:
        """Chance of a number <= k under the Gaussian."""
        scale = float(self.scale)
        if scale > _TABLE:
            law = NormalDist(0, scale)
            distinct, back = np.unique(k, return_inverse=True)
            return np.array([law.cdf(one + 0.5) for one in distinct.tolist()])[back]
        x, weight = self._gaussian()
        total = np.concatenate(([0.0], np.cumsum(weight)))
        return np.asarray(total[np.searchsorted(x, k, side="right")], np.float64)


def scale_for(name: NoiseName, deviation: Fraction) -> Fraction:
    """The scale that gives a standard deviation, in steps: σ itself, or t = 1 / (2 asinh(1 / (√2 deviation))).

    The deviation of whole Laplace numbers is 1 / (√2 sinh(1 / 2t)); t is rounded up to a multiple of 2⁻³². That of
    whole Gaussian numbers is below σ, by less than 1e-6 from σ = 1 on.

    Args:
        name: the law.
        deviation: > 0.

    Example:
        >>> float(scale_for(NoiseName.LAPLACE, Fraction(10)))
        7.07695204205811
    """
    if name is NoiseName.GAUSSIAN:
        return deviation
    scale = 1 / (2 * asinh(1 / (sqrt(2) * float(deviation))))
    return Fraction(ceil(scale * (1 + 1e-15) * 2**32), 2**32)
