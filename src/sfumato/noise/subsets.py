"""Sets of k out of d values, every set equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.integers import uniform_integers
from sfumato.numbers.check import LARGEST, whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray

_CELLS = 1 << 19
"""Bytes of membership marks that are held at a time."""
_SPARSE = 32
"""Values per element from which sorting is cheaper than marking."""


def subsets(n: int, size: int, k: int, *, bits: Bits) -> IntArray:
    """Independent subsets of k elements of 0 … size-1, each of the C(size, k) equally likely.

    Uniform values are drawn until k different ones have come: a row lacks m elements, so m more values are drawn,
    and so on, never more than it lacks. Renaming the values changes nothing in this process, so every
    set of k is equally likely. If k > size/2, the set that is left out is drawn. Rows are sorted, so
    their order tells nothing.

    Args:
        n: number of subsets, >= 0.
        size: number of values d, >= 1.
        k: elements of a subset, 0 … size.
        bits: source of chance.

    Returns:
        (n, k) int64, every row strictly increasing.

    Raises:
        ParameterError: a number outside its range. Remedy: give it inside.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> subsets(2, 3, 3, bits=SystemBits()).tolist()
        [[0, 1, 2], [0, 1, 2]]
    """
    n, size = whole(n, "n", 0, LARGEST - 1), whole(size, "size", 1, LARGEST - 1)
    k = whole(k, "k", 0, size)
    if k * _SPARSE < size:
        return _by_sorting(uniform_integers(n * k, size, bits=bits).reshape(n, k), size, bits)
    out, step = np.empty((n, k), np.int64), max(1, _CELLS // size)
    for start in range(0, n, step):
        part = out[start : start + step]
        marks = _marked(len(part), size, min(k, size - k), bits)
        places = np.flatnonzero(marks if 2 * k <= size else ~marks).reshape(part.shape)
        np.subtract(places, np.arange(0, marks.size, size)[:, None], out=part)
    return out


def _marked(n: int, size: int, k: int, bits: Bits) -> BoolArray:
    """(n, size) bool: k places of every row are marked."""
    marks = np.zeros(n * size, bool)
    starts, lacking = np.arange(0, n * size, size), np.full(n, k)
    while len(starts):
        begins = np.repeat(starts, lacking)
        marks[begins + uniform_integers(len(begins), size, bits=bits)] = True
        lacking = k - np.count_nonzero(marks.reshape(n, size)[starts // size], axis=1)
        starts, lacking = starts[lacking > 0], lacking[lacking > 0]
    return marks.reshape(n, size)


def _by_sorting(values: IntArray, size: int, bits: Bits) -> IntArray:
    """Rows in which what repeats was drawn again until nothing repeats."""
    values.sort(axis=1)
    again = np.flatnonzero(np.any(values[:, 1:] == values[:, :-1], axis=1))
    while len(again):
        rows = values[again]
        repeats = rows[:, 1:] == rows[:, :-1]
        rows[:, 1:][repeats] = uniform_integers(int(repeats.sum()), size, bits=bits)
        rows.sort(axis=1)
        values[again] = rows
        again = again[np.any(rows[:, 1:] == rows[:, :-1], axis=1)]
    return values
