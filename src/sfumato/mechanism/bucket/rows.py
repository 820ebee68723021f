"""Which row goes to which bucket: rows of equal quasi-identifiers and value are drawn, never chosen.

The summary holds the distinct (quasi-identifiers, sensitive value) tuples with their rows. Each row is
a ball here; which ball of a value stands where is uniformly random, from the secure source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.permutation import permutation
from sfumato.recipe.steps import Splits

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def shuffled_rows(rows: IntArray, keys: IntArray, *, bits: Bits) -> IntArray:
    """The tuple of each row, rows in the order of a key and uniformly random among equal keys.

    Args:
        rows: (n_tuples,) int64, rows of each tuple, >= 0.
        keys: (n_tuples,) int64, what to sort by.
        bits: secure chance.

    Returns:
        (n,) int64 indices of tuples, n the sum of `rows`.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> shuffled_rows(np.array([2, 1]), np.array([1, 0]), bits=SystemBits()).tolist()
        [1, 0, 0]
    """
    each = np.repeat(np.arange(len(rows)), rows)
    each = each[permutation(len(each), bits=bits)]
    return each[np.argsort(keys[each], kind="stable")]


def in_turn(n: int, n_buckets: int) -> IntArray:
    """(n,) int64: buckets 0, 1, …, n_buckets-1, 0, 1, … in turn.

    A value that fills c <= n_buckets neighboring places meets c different buckets; one that fills more
    meets each bucket floor(c/n_buckets) or ceil(c/n_buckets) times.

    Source:
        R. McNaughton, "Scheduling with deadlines and loss functions", Management Science 6(1), 1959,
        theorem 3.1: jobs no longer than the schedule, laid out one after the other and cut into equal
        pieces, never run twice at one time.

    Example:
        >>> in_turn(5, 2).tolist()
        [0, 1, 0, 1, 0]
    """
    return np.arange(n, dtype=np.int64) % n_buckets


def in_blocks(n: int, n_buckets: int) -> IntArray:
    """(n,) int64: neighboring rows share a bucket; sizes differ by one at most.

    Example:
        >>> in_blocks(5, 2).tolist()
        [0, 0, 0, 1, 1]
    """
    return np.arange(n, dtype=np.int64) * n_buckets // n


def splits_of(tuple_: IntArray, bucket: IntArray, *, bits: Bits) -> Splits:
    """The rows of each tuple by bucket, buckets of one tuple in a uniformly random order.

    An engine hands out the rows of a tuple in table order; were the buckets sorted, that order would tell
    which rows of equal quasi-identifiers have the same value.

    Args:
        tuple_: (n,) int64, tuple of each row.
        bucket: (n,) int64, bucket of each row.
        bits: secure chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> s = splits_of(np.array([1, 0, 1]), np.array([0, 1, 0]), bits=SystemBits())
        >>> s.tuple_.tolist(), s.rows.tolist(), s.member.tolist()
        ([0, 1], [1, 2], [1, 0])
    """
    n_buckets = int(bucket.max(initial=0)) + 1
    keys, counts = np.unique(tuple_ * n_buckets + bucket, return_counts=True)
    order = permutation(len(keys), bits=bits)
    order = order[np.argsort(keys[order] // n_buckets, kind="stable")]
    return Splits(keys[order] // n_buckets, counts[order], keys[order] % n_buckets)
