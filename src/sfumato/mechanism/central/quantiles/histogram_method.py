"""A quantile at the first cut of the grid with enough rows before it, found by a noisy scan."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.cells import count_cells, edges
from sfumato.mechanism.central.quantiles.method import Asked, ratio, row_epsilon
from sfumato.mechanism.central.threshold_noise import first_at_least_zero
from sfumato.noise.discrete_laplace import checked_scale
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_CUTS = 1 << 20
"""So many cells are scanned at most."""


@dataclass(frozen=True, slots=True)
class HistogramMethod(Asked):
    """HistogramMethod: for each quantile a scan (AboveThreshold) over the counts of rows before each cut of the grid.

    The grid is cut into `steps` equal cells. With f_i the rows in the first i cells, the answer is the last place of the
    first cell i for which f_i + ν_i >= q·n + T, or the last place of the grid when there is none. T is discrete Laplace
    noise of scale 2/ε', drawn once, and ν_i of scale 4/ε', fresh for each cell; ε' = ε/(number of quantiles).

    With `monotone`, ν_i has scale 2/ε' and the promise is the same. Let δ_i be what f_i - q·n changes by between neighbors.
    When one row is exchanged, all δ_i are in {0, 1} or all in {-1, 0}; when one is added they are in {-q, 1 - q}, when one
    is removed in {q - 1, q}: in an interval of length 1, and at most 1 in size. So the largest noisy count before cell i moves by at most 1, and by no more than 1 beyond δ_i:
    moving T by the one and ν_i by the other makes every outcome of one table one of the other, at a factor of at most
    e^(ε'/2) each. Without the argument, a count may move by 2 beyond the largest one, hence 4/ε'.

    Counts are compared with q·n, not with q times a noisy number of rows: where the number of rows is private, this costs
    nothing more.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        steps: cells, 1 … 2²⁰.
        monotone: whether the smaller noise is used.

    Raises:
        ParameterError: as `method.checked`; steps or the noise outside its range. Remedy: in the message.

    Source:
        A. Canesse, "Arbitrages statistiques dans l'apprentissage automatique confidentiel", 2022, section 2.2, in which the
        cuts forget the lower end of the range; C. Dwork and A. Roth, "The Algorithmic Foundations of Differential
        Privacy", 2014, algorithm 1; the smaller noise for counts that move together: ours, as in M. Lyu, D. Su, N. Li,
        "Understanding the sparse vector technique for differential privacy", VLDB 2017, section 4.3.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> half = HistogramMethod((Fraction(1, 2),), Fraction(1), 1000, Neighbors.REPLACE, rows=1, steps=100)
        >>> 450 < int(half.decide(np.arange(100_000) % 1000, bits=SystemBits())[0]) < 550
        True
    """

    steps: int = 1000
    monotone: bool = True

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        whole(self.steps, "steps", 1, MOST_CUTS)
        for q in self.quantiles:
            checked_scale(self.scales(q)[1], "scale of the noise")

    @property
    def name(self) -> str:
        """What it is called."""
        return "HistogramMethod" + (" (monotone)" if self.monotone else "")

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return "A row alters the rows before a cut, less the wanted share of all rows, by at most 1" + (
            ", and all of them within one interval of length 1." if self.monotone else "."
        )

    def scales(self, q: Fraction) -> tuple[Fraction, Fraction]:
        """Of the noise on the threshold and on each count, when counts are multiplied by the denominator of q."""
        unit = ratio(q)[1] * len(self.quantiles) / row_epsilon(self)
        return 2 * unit, (2 if self.monotone else 4) * unit

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        cuts = edges(self.size, min(self.steps, self.size))
        before = np.cumsum(count_cells(places, cuts))
        found = np.empty(len(self.quantiles), np.int64)
        for i, q in enumerate(self.quantiles):
            top, bottom = ratio(q)
            cell = first_at_least_zero(bottom * before - top * len(places), *self.scales(q), bits=bits)
            found[i] = cuts[min(cell + 1, len(before))] - 1
        return np.sort(found)
