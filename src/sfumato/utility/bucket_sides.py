"""The rows of each bucket in one of the two tables: entries by bucket, their numbers, their extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.summary.pair import Pair
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two tables.

    Args:
        attributes: its columns.
        owner: (n_entries,) int64, bucket of each entry, sorted.
        codes: (n_entries, m) int64, leaves.
        rows: (n_entries,) float64, rows of each entry.
        sizes: (n_buckets,) float64, rows of each bucket.
        numbers: (n_entries,) float64, number of the column in question, NaN where it is missing; None: text.
    """

    attributes: tuple[Attribute, ...]
    owner: IntArray
    codes: IntArray
    rows: FloatArray
    sizes: FloatArray
    numbers: FloatArray | None

    @classmethod
    def of_rows(cls, pair: Pair, j: int) -> Side:
        """The first table, with the numbers of quasi-identifier j."""
        where = pair.attributes[j].positions
        numbers = None if where is None else where[pair.codes[:, j]]
        return cls(
            pair.attributes,
            pair.bucket,
            pair.codes,
            pair.rows.astype(np.float64),
            pair.sizes.astype(np.float64),
            numbers,
        )

    @classmethod
    def of_values(cls, pair: Pair) -> Side:
        """The second table, with the numbers of the sensitive column."""
        values, where = pair.values, pair.sensitive.positions
        numbers = None if where is None else where[values.value]
        return cls(
            (pair.sensitive,),
            values.owner,
            values.value[:, None],
            values.count.astype(np.float64),
            pair.sizes.astype(np.float64),
            numbers,
        )

    def total(self, accepted: BoolArray) -> FloatArray:
        """(n_buckets,) float64: rows of the accepted entries; exact, being whole."""
        weights = self.rows * accepted
        return np.asarray(np.bincount(self.owner, weights=weights, minlength=len(self.sizes)), np.float64)

    def has_gaps(self, picked: FloatArray) -> bool:
        """Whether a row of a bucket with picked rows has no number."""
        return bool((~np.isfinite(np.asarray(self.numbers)) & (picked[self.owner] > 0)).any())

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """(n_buckets,) float64 each: mean and variance of the numbers of each bucket, missing ones as 0."""
        numbers, n = np.nan_to_num(np.asarray(self.numbers)), len(self.sizes)
        sizes = np.maximum(self.sizes, 1)
        means = np.bincount(self.owner, weights=self.rows * numbers, minlength=n) / sizes
        apart = (numbers - means[self.owner]) ** 2
        return means, np.bincount(self.owner, weights=self.rows * apart, minlength=n) / sizes


def least_and_greatest(side: Side, picked: FloatArray) -> tuple[float, float]:
    """The least and the greatest sum of the numbers of so many rows of each bucket, added up.

    Args:
        side: a table whose buckets with picked rows all have numbers.
        picked: (n_buckets,) float64, whole, at most the size of the bucket.

    Example:
        >>> one = np.zeros(3, int)
        >>> side = Side((), one, one[:, None], np.ones(3), np.array([3.0]), np.array([5.0, 1.0, 2.0]))
        >>> least_and_greatest(side, np.array([2.0]))
        (3.0, 7.0)
    """
    return _smallest(side, picked, 1.0), -_smallest(side, picked, -1.0)


def _smallest(side: Side, picked: FloatArray, sign: float) -> float:
    """The least sum of so many of the numbers times a sign."""
    numbers = sign * np.nan_to_num(np.asarray(side.numbers))
    order = np.lexsort((numbers, side.owner))
    owner, rows = side.owner[order], side.rows[order]
    reached = np.cumsum(rows)
    before = reached - rows
    starts = np.searchsorted(owner, np.arange(len(side.sizes)))
    first = np.concatenate((before, [0.0]))[starts]
    taken = np.clip(picked[owner] - (before - first[owner]), 0, rows)
    return float((taken * numbers[order]).sum())
