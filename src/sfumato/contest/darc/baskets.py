"""Which items the same customers buy: cosines between items over customers, weighted by quantities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray

_PAIRS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Baskets:
    """How much of each item each customer bought, sorted by customer.

    Args:
        items: how many there are.
        customer: (m,) int64.
        item: (m,) int64.
        quantity: (m,) float64 sums.
    """

    items: int
    customer: IntArray
    item: IntArray
    quantity: FloatArray

    def where(self, which: BoolArray) -> Baskets:
        """Some of the entries."""
        return Baskets(self.items, self.customer[which], self.item[which], self.quantity[which])


def baskets_of(customer: IntArray, item: IntArray, quantity: IntArray, items: int) -> Baskets:
    """Sums of quantities by customer and item.

    Args:
        customer: (n,) int64 >= 0.
        item: (n,) int64 in [0, items).
        quantity: (n,) int64.
        items: how many there are.
    """
    code, place = np.unique(customer * items + item, return_inverse=True)
    total = np.bincount(place.ravel(), quantity, minlength=len(code))
    return Baskets(items, code // items, code % items, np.asarray(total, np.float64))


def cosines(baskets: Baskets) -> FloatArray:
    """(items, items) float64: cosine of the angle between two items, over customers; 0 for an item that nobody bought.

    Example:
        >>> both = baskets_of(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([3, 1, 1]), 2)
        >>> cosines(both).round(4).tolist()
        [[1.0, 0.7071], [0.7071, 1.0]]
    """
    n = baskets.items
    length = np.sqrt(np.bincount(baskets.item, baskets.quantity**2, minlength=n))
    unit = np.divide(
        baskets.quantity, length[baskets.item], out=np.zeros(len(baskets.item)), where=length[baskets.item] > 0
    )
    out = np.zeros(n * n)
    start = np.concatenate(([0], np.cumsum(np.bincount(baskets.customer)))) if len(unit) else np.zeros(1, int)
    pairs = np.diff(start) ** 2
    for some in _chunks(pairs):
        sizes = np.diff(start)[some]
        first, each = np.repeat(start[:-1][some], sizes), np.repeat(sizes, sizes)
        left, right = np.repeat(first + _counting(sizes), each), np.repeat(first, each) + _counting(each)
        code = baskets.item[left] * n + baskets.item[right]
        out += np.bincount(code, unit[left] * unit[right], minlength=n * n)
    return out.reshape(n, n)


def _chunks(pairs: IntArray) -> list[slice]:
    """Customers in slices of not too many pairs of items, at least one customer each."""
    bins = (np.cumsum(pairs) - 1) // _PAIRS
    edges = np.concatenate(([0], np.nonzero(np.diff(bins))[0] + 1, [len(pairs)]))
    return [slice(a, b) for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True) if b > a]


def _counting(sizes: IntArray) -> IntArray:
    """0 … s - 1 for each size s, one after another."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def apart(given: FloatArray, made: FloatArray) -> float:
    """Sum of the differences of two tables of cosines over the sum of the first, at most 1."""
    total = float(given.sum())
    return min(1.0, float(np.abs(given - made).sum()) / total) if total > 0 else 0.0
