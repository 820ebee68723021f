"""Quantiles of few rows: a noisy histogram with few cells, made possible, and read off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.cells import count_cells, edges, quantiles_of_cells
from sfumato.mechanism.central.quantiles.method import Asked, adding_epsilon
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.numbers.check import whole
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

MOST_BINS = 1 << 20
"""More cells than that are no small histogram."""


@dataclass(frozen=True, slots=True)
class SmallHistogram(Asked):
    """Quantiles read off a noisy histogram with public cells: the most accurate where (rows × ε) is small.

    The declared grid is cut into equal cells. Each count gets discrete Laplace noise, once, whatever the number of
    quantiles. What follows reads noisy counts only: they become the nearest counts that are not negative and have
    the right total, and quantiles are interpolated within the cells.

    The total is the sum of the noisy counts, less the standard deviation of the sum of the noise (at most half of it
    is taken off). Taking this off removes cells that hold nothing but
    noise; with many rows it does not matter.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        bins: cells, >= 1; more cells than grid points are not made.

    Raises:
        ParameterError: as `method.checked`; bins outside its range. Remedy: in the message.

    Source:
        Noisy histograms: C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating noise to sensitivity in private
        data analysis", TCC 2006, section 3; the total is ours.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> half = SmallHistogram((Fraction(1, 2),), Fraction(1), 1000, Neighbors.ADD_REMOVE, rows=1, bins=10)
        >>> 450 < int(half.decide(np.arange(100_000) % 1000, bits=SystemBits())[0]) < 550
        True
    """

    name = "noisy histogram"

    bins: int = 64

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        whole(self.bins, "bins", 1, MOST_BINS)

    @property
    def scale(self) -> Fraction:
        """Of the discrete Laplace noise in each cell: rows/ε, twice that when a person is replaced."""
        return 1 / adding_epsilon(self)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return (
            f"A row counts in one cell, so neighbors differ by at most {self.rows * self.neighbors.sides} in the sum "
            "of the differences of all cells; the rest reads noisy counts only."
        )

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        cuts = edges(self.size, min(self.bins, self.size))
        counts = count_cells(places, cuts)
        noisy = counts + discrete_laplace(len(counts), self.scale, bits=bits)
        return quantiles_of_cells(possible_counts(noisy, float(self.scale)), cuts, self.quantiles)


def possible_counts(noisy: IntArray, scale: float) -> FloatArray:
    """The nearest counts >= 0 that have the total of the noisy ones, less the noise that it carries.

    Args:
        noisy: (k,) counts with independent noise of one scale.
        scale: of the noise, whose variance is about 2·scale².

    Returns:
        (k,) float64.

    Example:
        >>> possible_counts(np.array([100, 2, -3, 1]), 1.0).round(1).tolist()
        [97.2, 0.0, 0.0, 0.0]
    """
    total = int(noisy.sum())
    kept = max(total - scale * math.sqrt(2 * len(noisy)), total / 2, 1.0)
    return nearest_shares(noisy.astype(np.float64), kept)
