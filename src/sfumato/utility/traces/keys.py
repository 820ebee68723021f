"""Rows of several whole numbers as one number each, because one column is sorted faster than several."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import IntArray

_MOST = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """Numbers that are equal where rows are, and rise with the rows.

    Args:
        key: (n,) int64.
        firsts: of each different number of the first column, by rising number.
        base: how many keys each of them has.
    """

    key: IntArray
    firsts: IntArray
    base: int

    def first(self, key: IntArray) -> IntArray:
        """The first column of keys."""
        return self.firsts[key // self.base]


def joined(first: IntArray, *others: IntArray) -> Keys:
    """One number for each row.

    Args:
        first: (n,) int64; the most significant.
        others: (n,) int64 each.

    Example:
        >>> found = joined(np.array([5, 5, 9]), np.array([-1, 2**50, -1]))
        >>> found.key.tolist(), found.first(found.key).tolist()
        ([0, 1125899906842625, 1125899906842626], [5, 5, 9])
    """
    firsts, rank = np.unique(first, return_inverse=True)
    columns, sizes = [rank.ravel()], [max(len(firsts), 1)]
    for one in others:
        least = int(one.min(initial=0))
        columns.append(one - least)
        sizes.append(int(one.max(initial=0)) - least + 1)
    at = 1
    while prod(sizes) > _MOST:
        values, rank = np.unique(columns[at], return_inverse=True)
        columns[at], sizes[at] = rank.ravel(), max(len(values), 1)
        at += 1
    key = columns[0].astype(np.int64)
    for one, size in zip(columns[1:], sizes[1:], strict=True):
        key = key * size + one
    return Keys(key, firsts, prod(sizes[1:]))


def distinct(numbers: IntArray) -> IntArray:
    """Different numbers, rising: by sorting, which is several times as fast as hashing where most are different.

    Example:
        >>> distinct(np.array([3, 1, 3])).tolist()
        [1, 3]
    """
    ordered = np.sort(numbers)
    new = np.ones(len(ordered), bool)
    new[1:] = np.diff(ordered) != 0
    return ordered[new]
