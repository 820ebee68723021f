"""A quantile by inverse sensitivity: a place is the likelier, the fewer rows must change for it to be the quantile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.choice import choose_place
from sfumato.mechanism.central.quantiles.method import Asked, ratio, row_epsilon
from sfumato.noise.exponential_mechanism import permute_and_flip
from sfumato.numbers.check import whole
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_FLIPPED = 1 << 20
"""Grid points for each of which a coin is tossed at most."""


@dataclass(frozen=True, slots=True)
class InverseSensitivity(Asked):
    """The inverse sensitivity mechanism for each quantile, and its smooth form; ε is split evenly among them.

    len(t) is the least number of rows to change so that place t becomes the quantile; t is drawn with probability
    exactly proportional to e^(-ε·len(t)/2), on the grid. With `smoothing` ρ > 0, len is the least in the places from
    t - ρ to t + ρ; that makes the neighborhood of a value that many rows share as likely as the value itself.

    With #< and #<= the numbers of rows below t and not above t, and k = ⌈q·n⌉:

    - one row exchanged: len(t) = max(0, #< - k + 1, k - #<=). One row more alters k, #< and #<= by 0 or 1 each, so len by
      at most 1: a person who comes without a row is covered;
    - one row added or removed: len(t) = max(0, ⌈(#< - q·n)/Δ⌉, ⌈(q·n - #<=)/Δ⌉), Δ = max(q, 1 - q). At least so many
      rows must change until #< <= q·n <= #<=, for a row brings the two nearer by at most Δ. The quotients differ by at
      most 1 between neighbors, and so do they rounded up.

    With `flip`, a place is drawn by permute-and-flip instead: each place tosses a coin of chance e^(-ε·len/2), and one
    of those whose coin falls heads is taken, each equally likely. It costs the same ε, and for every r the chance that
    more than r rows must change is at most that of the exponential mechanism; near to certainty it is half of it.
    On a grid of more than 2²⁰ points, where the two laws are nearly the same, places are drawn as without it.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        smoothing: ρ, in grid places, >= 0.
        flip: whether permute-and-flip draws, where the grid is small enough.

    Raises:
        ParameterError: as `method.checked`; smoothing outside its range. Remedy: in the message.

    Source:
        H. Asi and J. Duchi, "Near instance-optimality in differential privacy", 2020, sections 2 and 4; for added and
        removed rows: ours. R. McKenna and D. Sheldon, "Permute-and-flip: a new mechanism for differentially private
        selection", NeurIPS 2020, theorems 1 and 2.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> half = InverseSensitivity((Fraction(1, 2),), Fraction(1), 1000, Neighbors.REPLACE, rows=1)
        >>> 450 < int(half.decide(np.arange(10_000) % 1000, bits=SystemBits())[0]) < 550
        True
    """

    smoothing: int = 0
    flip: bool = False

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        whole(self.smoothing, "smoothing", 0, self.size)

    @property
    def name(self) -> str:
        """What it is called."""
        how = [*(["smooth"] if self.smoothing else []), *(["permute-and-flip"] if self.flips else [])]
        return "inverse sensitivity mechanism" + (f" ({', '.join(how)})" if how else "")

    @property
    def flips(self) -> bool:
        """Whether each place of the grid tosses a coin."""
        return self.flip and self.size <= MOST_FLIPPED

    @property
    def rate(self) -> Fraction:
        """What a row that must change costs in the exponent: ε/2 of a row and a quantile."""
        return row_epsilon(self) / (2 * len(self.quantiles))

    @property
    def argument(self) -> str:
        """Why it is private."""
        return "One more changed row alters the number of rows to change by at most 1, at every place."

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        found = np.empty(len(self.quantiles), np.int64)
        bounds, below, upto = level_sets(np.sort(places), self.size)
        for i, q in enumerate(self.quantiles):
            lengths = self._lengths(below, upto, len(places), q)
            cuts = _smooth(bounds, lengths, self.smoothing)
            found[i] = self._draw(cuts, lengths, bits)
        return np.sort(found)

    def _draw(self, cuts: IntArray, lengths: IntArray, bits: Bits) -> int:
        """A place of the grid, by the length of its interval."""
        widths = np.diff(cuts)
        if self.flips:
            return permute_and_flip(np.repeat(-lengths, widths), self.rate, bits=bits)
        return choose_place(cuts[:-1], widths, lengths, self.rate, bits=bits)[0]

    def _lengths(self, below: IntArray, upto: IntArray, n: int, q: Fraction) -> IntArray:
        """(k,) len of the places of each interval."""
        if self.neighbors is Neighbors.REPLACE:
            k = (q * n).__ceil__()
            return np.maximum(0, np.maximum(below - k + 1, k - upto)) if n else np.zeros(len(below), np.int64)
        top, bottom = ratio(q)
        most = max(top, bottom - top)
        distance = np.maximum(0, np.maximum(bottom * below - top * n, top * n - bottom * upto))
        return -(-distance // most)


def level_sets(ordered: IntArray, size: int) -> tuple[IntArray, IntArray, IntArray]:
    """The grid cut where the number of rows below, or not above, changes: each value is an interval, and each gap.

    Args:
        ordered: (n,) sorted places, >= 0.
        size: grid points.

    Returns:
        bounds: (2d + 2,) interval i holds bounds[i] … bounds[i+1] - 1, possibly none; d distinct values.
        below: (2d + 1,) rows below every place of the interval.
        upto: (2d + 1,) rows not above.

    Example:
        >>> [part.tolist() for part in level_sets(np.array([1, 1, 3]), 5)]
        [[0, 1, 2, 3, 4, 5], [0, 0, 2, 2, 3], [0, 2, 2, 3, 3]]
    """
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    values, ranks = ordered[first], np.append(first, len(ordered))
    twice = np.repeat(ranks, 2)
    bounds = np.concatenate([[0], np.repeat(values, 2), [size]])
    bounds[2:-1:2] += 1
    return bounds, twice[:-1], twice[1:]


def _smooth(bounds: IntArray, lengths: IntArray, reach: int) -> IntArray:
    """Bounds of the sets of equal least length within reach.

    Lengths fall up to the places of length 0 and rise after them, so the least in reach is that of the place moved
    by the reach towards those: sets on the left move left, sets on the right move right, all within the grid.
    """
    best = np.flatnonzero(lengths == 0)
    moved = bounds.copy()
    moved[: best[0] + 1] -= reach
    moved[best[-1] + 1 :] += reach
    return np.clip(moved, bounds[0], bounds[-1])
