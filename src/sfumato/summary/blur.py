"""Where the published value of a cell may lie: what mechanisms say about a changed column, for risk and worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray


class Blur(Protocol):
    """The law of the published value of each original leaf, as far as numbers have an order."""

    def within(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """(m,) chance that the published value of a cell of leaf i lies in [low_i, high_i], both ends included.

        Args:
            low: (m,) float64 lowest values, one for each leaf.
            high: (m,) float64 highest values; an interval with high < low is empty.
        """
        ...

    def same(self, m: int) -> FloatArray:
        """(m,) chance that a cell of leaf i is published as it was written."""
        ...

    def error(self) -> tuple[FloatArray, FloatArray]:
        """(m,) mean absolute and (m,) mean squared distance of the published value from the leaf's."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which original leaf is published as which value, in how many cells: counted, or expected.

    Args:
        leaf: (p,) int64 leaf codes in [0, m).
        value: (p,) int64 codes of published values in [0, q).
        cells: (p,) float64 > 0, cells of each pair; pairs may repeat.
        numbers: (m,) position of each leaf on the number line, NaN where it has none; None: text.
        published: (q,) position of each published value; None: text.
        kept: (q,) int64, the leaf that each published value is the text of; -1: none.

    Raises:
        ParameterError: arrays of unequal length. Remedy: one leaf, value and number of cells for each pair.

    Example:
        >>> swap = Pairs(np.array([0, 1]), np.array([1, 0]), np.ones(2), np.array([5.0, 7.0]), np.array([5.0, 7.0]),
        ...              kept=np.array([0, 1]))
        >>> swap.within(np.array([6.0, 6.0]), np.array([8.0, 8.0])).tolist()
        [1.0, 0.0]
        >>> swap.error()[0].tolist()
        [2.0, 2.0]
    """

    leaf: IntArray
    value: IntArray
    cells: FloatArray
    numbers: FloatArray | None
    published: FloatArray | None
    kept: IntArray

    def __post_init__(self) -> None:
        if not len(self.leaf) == len(self.value) == len(self.cells):
            raise ParameterError("Pairs must have one leaf, value and number of cells each.", "pass equal lengths.")

    def totals(self, m: int) -> FloatArray:
        """(m,) cells of each leaf."""
        return np.asarray(np.bincount(self.leaf, weights=self.cells, minlength=m), np.float64)

    def within(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """See `Blur.within`; 0 for a leaf without cells or a value without a number."""
        y = self._values()
        inside = (y >= low[self.leaf]) & (y <= high[self.leaf])
        return self._mean(np.asarray(inside, np.float64), len(low))

    def same(self, m: int) -> FloatArray:
        """See `Blur.same`."""
        return self._mean(np.asarray(self.kept[self.value] == self.leaf, np.float64), m)

    def error(self) -> tuple[FloatArray, FloatArray]:
        """See `Blur.error`; NaN for a leaf or value without a number."""
        numbers = np.zeros(0) if self.numbers is None else self.numbers
        away = self._values() - numbers[self.leaf]
        return self._mean(np.abs(away), len(numbers)), self._mean(away**2, len(numbers))

    def best(self) -> FloatArray:
        """(q,) cells of the likeliest original leaf of each published value; 0 behind the last that is published."""
        size = int(self.value.max(initial=0)) + 1
        distinct, first, back = np.unique(self.leaf * size + self.value, return_index=True, return_inverse=True)
        cells = np.bincount(back, weights=self.cells, minlength=len(distinct))
        out = np.zeros(size)
        np.maximum.at(out, self.value[first], cells)
        return out

    def _values(self) -> FloatArray:
        """(p,) the number published in each pair."""
        if self.published is None:
            return np.full(len(self.value), np.nan)
        return np.asarray(self.published[self.value], np.float64)

    def _mean(self, what: FloatArray, m: int) -> FloatArray:
        """(m,) mean over the cells of each leaf."""
        totals = self.totals(m)
        sums = np.bincount(self.leaf, weights=what * self.cells, minlength=m)
        return np.asarray(np.divide(sums, totals, out=np.zeros(m), where=totals > 0), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Each text is published as itself with one chance, and as each other one with another: pairs without a table of them.

    Args:
        counts: (m,) int64, cells of each leaf.
        kept: (q,) int64, the leaf that each published value is the text of; -1: none.
        stays: chance of a cell to be published as it was.
        other: chance of each other value.

    Example:
        >>> toss = Alike(np.array([4, 1]), np.array([0, 1]), stays=0.75, other=0.25)
        >>> toss.same(2).tolist(), toss.best().tolist()
        ([0.75, 0.75], [3.0, 1.0])
    """

    counts: IntArray
    kept: IntArray
    stays: float
    other: float

    def within(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """See `Blur.within`: no text has a number."""
        del high
        return np.zeros(len(low))

    def same(self, m: int) -> FloatArray:
        """See `Blur.same`."""
        out = np.zeros(m)
        out[self.kept[self.kept >= 0]] = self.stays
        return np.where(self.counts[:m] > 0, out, 0.0)

    def error(self) -> tuple[FloatArray, FloatArray]:
        """See `Blur.error`: NaN, for no text has a number."""
        out = np.where(self.counts > 0, np.nan, 0.0)
        return out, out

    def best(self) -> FloatArray:
        """(q,) cells of the likeliest original leaf of each published value: its own, or the most frequent other."""
        own = np.where(self.kept >= 0, self.counts[self.kept], 0)
        most = np.sort(np.append(self.counts, (0, 0)))
        others = np.where((self.kept >= 0) & (own == most[-1]), most[-2], most[-1])
        return np.asarray(np.maximum(self.stays * own, self.other * others), np.float64)


def deviation(numbers: FloatArray, counts: IntArray) -> float:
    """Standard deviation of the cells, over n; leaves without a number are left out.

    Example:
        >>> deviation(np.array([1.0, 3.0, np.nan]), np.array([2, 2, 9]))
        1.0
    """
    known = np.isfinite(numbers) & (counts > 0)
    if not known.any():
        return 0.0
    mean = np.average(numbers[known], weights=counts[known])
    return float(np.sqrt(np.average((numbers[known] - mean) ** 2, weights=counts[known])))
