"""Noise on a grid, drawn again until the value stays inside: its integer weights, law and exact epsilon.

Noise d = -m … m has weight w[|d|]. From grid point i the report is j with probability
w[|j-i|] / Z_i, where Z_i = Σ_j w[|j-i|] over the grid: what redrawing does. Z depends on i, which is
why noise that is ε-private without bounds need not be so with them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.guarantee.local_dp import LocalDP
from sfumato.mechanism.local.numeric.decode import unbiased
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_TOTAL = 2.0**62
_CLOSE = 1e-11
"""Far above the rounding of the logarithms below (10⁻¹³), so the largest ratio is among those kept."""

_BLOCK = 256
"""Columns examined at a time."""


def whole_weights(relative: FloatArray) -> IntArray:
    """Integer weights nearest to shares of 2⁶², none below 1, so every report is possible from every value.

    Args:
        relative: (m+1,) float64 in [0, 1], density of noise 0 … m, first entry 1.

    Returns:
        (m+1,) int64 >= 1, summing over -m … m to less than 2⁶³.

    Example:
        >>> whole_weights(np.array([1.0, 0.0])).tolist() == [2**62, 1]
        True
    """
    scale = _TOTAL / (2 * relative.sum() - relative[0])
    out: IntArray = np.maximum(np.rint(relative * scale), 1).astype(np.int64)
    out.setflags(write=False)
    return out


def two_sided(weights: IntArray) -> IntArray:
    """(2m+1,) weights of noise -m … m.

    Example:
        >>> two_sided(np.array([3, 1])).tolist()
        [1, 3, 1]
    """
    return np.concatenate([weights[:0:-1], weights])


def totals(weights: IntArray) -> IntArray:
    """(m+1,) int64: Z_i = Σ_j w[|j-i|].

    Example:
        >>> totals(np.array([3, 2, 1])).tolist()
        [6, 7, 6]
    """
    ends = np.cumsum(weights)
    return np.asarray(ends + ends[::-1] - weights[0])


def law(weights: IntArray) -> FloatArray:
    """(m+1, m+1) float64: P[i, j] = w[|j-i|] / Z_i.

    Example:
        >>> law(np.array([3, 1])).tolist()
        [[0.75, 0.25], [0.25, 0.75]]
    """
    at = np.arange(len(weights))
    out: FloatArray = weights[np.abs(at[:, None] - at)] / totals(weights)[:, None]
    return out


def redraw(codes: IntArray, weights: IntArray, *, bits: Bits) -> IntArray:
    """Codes with noise, drawn again until they lie on the grid.

    A uniform integer below the sum of all weights falls into the stretch of its noise, exactly.
    At least about half of the draws are accepted, wherever the value lies.

    Args:
        codes: (n,) int64 in 0 … m.
        weights: (m+1,) int64.
        bits: source of chance.

    Returns:
        (n,) int64 in 0 … m.
    """
    last, ends = len(weights) - 1, np.cumsum(two_sided(weights))
    out, at = codes.copy(), np.arange(len(codes))
    while len(at):
        drawn = uniform_integers(len(at), int(ends[-1]), bits=bits)
        moved = codes[at] + np.searchsorted(ends, drawn, side="right") - last
        inside = (moved >= 0) & (moved <= last)
        out[at[inside]] = moved[inside]
        at = at[~inside]
    return out


def exact_epsilon(weights: IntArray) -> float:
    """The largest ln(P[i, j]/P[i', j]) over all j, i and i', rounded up.

    Floats find the pairs that come within 10⁻¹¹ of the largest; integers decide among those.

    Args:
        weights: (m+1,) int64 >= 1.

    Returns:
        The exact leak in nats, rounded up.

    Example:
        >>> exact_epsilon(np.array([3, 1])) == log_up(Fraction(3))
        True
    """
    sums, half = totals(weights), len(weights) // 2 + 1
    rows = _Rows(weights, sums)
    found: list[tuple[float, Fraction]] = []
    for start in range(0, half, _BLOCK):  # column m-j mirrors column j
        found.append(rows.extremes(np.arange(start, min(start + _BLOCK, half))))
    best = max(gap for gap, _ in found)
    return log_up(max(ratio for gap, ratio in found if gap >= best - _CLOSE))


class _Rows:
    """Weights and totals by rank, so that equal probabilities are recognized without fractions."""

    def __init__(self, weights: IntArray, sums: IntArray) -> None:
        self.weights, self.weight_rank = np.unique(weights, return_inverse=True)
        self.sums, self.sum_rank = np.unique(sums, return_inverse=True)

    def extremes(self, columns: IntArray) -> tuple[float, Fraction]:
        """The largest gap of a block of columns in floats, and the largest exact ratio that may attain it."""
        rank = self.weight_rank[np.abs(np.arange(len(self.sum_rank))[:, None] - columns)]
        log_p = np.log(self.weights.astype(np.float64))[rank]
        log_p -= np.log(self.sums.astype(np.float64))[self.sum_rank][:, None]
        key = rank * len(self.sums) + self.sum_rank[:, None]
        top, bottom = log_p.max(axis=0), log_p.min(axis=0)
        best = float((top - bottom).max())
        pairs: set[tuple[bytes, bytes]] = set()
        for c in np.flatnonzero(top - bottom >= best - _CLOSE):
            high = np.unique(key[log_p[:, c] >= top[c] - _CLOSE, c])
            low = np.unique(key[log_p[:, c] <= bottom[c] + _CLOSE, c])
            pairs.add((high.tobytes(), low.tobytes()))
        return best, max(max(self._exact(high)) / min(self._exact(low)) for high, low in pairs)

    def _exact(self, keys: bytes) -> list[Fraction]:
        """Probabilities w/Z of the ranks in a key."""
        split = [divmod(key, len(self.sums)) for key in np.frombuffer(keys, np.int64).tolist()]
        return [Fraction(int(self.weights[w]), int(self.sums[z])) for w, z in split]


class Redrawn:
    """A mechanism of the value plus noise, redrawn until it lies between the bounds; it sets epsilon and weights."""

    __slots__ = ()
    name: ClassVar[str]
    grid: Grid
    epsilon: float
    weights: IntArray

    @property
    def n_outputs(self) -> int:
        """As many reports as grid points."""
        return self.grid.steps + 1

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def outputs(self) -> FloatArray:
        """(steps+1,) float64: the grid points."""
        return self.grid.points()

    def matrix(self) -> FloatArray:
        """(steps+1, steps+1) float64: P[report | grid point]."""
        return law(self.weights)

    def decode(self) -> FloatArray:
        """(steps+1,) float64 h with E[h(report) | value] = value.

        A noised value is not unbiased: redrawing pulls it from the nearer bound. The table that undoes
        it has a variance that grows with the number of steps (of Laplace noise, an eighth of steps·width² at
        epsilon 1): for means choose few steps, or another mechanism. Beyond a few steps of staircase noise there is
        none, and it says so.
        """
        return unbiased(self.matrix(), self.grid.points())

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports, codes of grid points.

        Args:
            values: (n,) real numbers between the bounds.
            bits: source of chance.

        Raises:
            ParameterError: see `Grid.positions`.
        """
        return redraw(self.grid.codes(values, bits=bits), self.weights, bits=bits)
