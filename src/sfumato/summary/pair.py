"""A pair: two tables that share nothing but a bucket number.

The first holds the quasi-identifiers of every row with the number of its bucket, the second how often
each sensitive value occurs in each bucket. Which row of a bucket has which of its values is not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram

if TYPE_CHECKING:
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Rows by bucket and quasi-identifiers, and values by bucket.

    Args:
        attributes: the m quasi-identifiers.
        codes: (n_entries, m) int64, leaf codes of the quasi-identifiers of each entry.
        bucket: (n_entries,) int64 in 0 … n_buckets-1, bucket of each entry, sorted.
        rows: (n_entries,) int64, rows of the bucket with these quasi-identifiers, >= 1.
        values: rows by bucket (`owner`) and leaf of the sensitive column; the rows of a bucket are as
            many as its entries have.
    """

    attributes: tuple[Attribute, ...]
    codes: IntArray
    bucket: IntArray
    rows: IntArray
    values: Histogram

    @property
    def sensitive(self) -> Attribute:
        """The column of the second table."""
        return self.values.attribute

    @property
    def n_buckets(self) -> int:
        """Number of buckets."""
        return int(self.bucket[-1]) + 1 if len(self.bucket) else 0

    @property
    def n_rows(self) -> int:
        """Rows of the first table."""
        return int(self.rows.sum())

    @property
    def sizes(self) -> IntArray:
        """(n_buckets,) int64: rows of each bucket."""
        return np.bincount(self.bucket, weights=self.rows, minlength=self.n_buckets).astype(np.int64)

    def classes(self) -> Classes:
        """The buckets as classes, so that criteria on the sensitive column can judge them. A row is a person."""
        return bucket_classes(self.values, self.sizes)

    def select(self, kept: BoolArray) -> Pair:
        """Only some buckets, renumbered; totals of the sensitive column stay those of the whole table.

        Args:
            kept: (n_buckets,) bool.
        """
        inside, places = kept[self.bucket], np.flatnonzero(kept)
        number = np.cumsum(kept) - 1
        return Pair(
            self.attributes,
            self.codes[inside],
            number[self.bucket[inside]],
            self.rows[inside],
            self.values.keep(places, self.n_buckets),
        )


def bucket_classes(values: Histogram, sizes: IntArray) -> Classes:
    """Buckets as classes whose only code is their number.

    Args:
        values: rows by bucket and sensitive value.
        sizes: (n_buckets,) int64, rows of each bucket.

    Example:
        >>> from sfumato.testing.examples import classes_with_illness
        >>> two = classes_with_illness([[1, 1], [2, 1]])
        >>> bucket_classes(two.histograms[0], two.rows).rows.tolist()
        [2, 3]
    """
    return Classes(np.arange(len(sizes))[:, None], rows=sizes, alone=sizes, histograms=(values,))


def value_counts(owner: IntArray, value: IntArray, rows: IntArray, attribute: Attribute) -> Histogram:
    """Rows by bucket and value from a list of (bucket, value, rows) in any order, repeats added up.

    Args:
        owner: (n,) int64 buckets.
        value: (n,) int64 leaves of the attribute.
        rows: (n,) int64.
        attribute: the sensitive column.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
        >>> h = value_counts(np.array([1, 0, 1]), np.array([1, 0, 1]), np.array([2, 1, 1]), illness)
        >>> h.owner.tolist(), h.value.tolist(), h.count.tolist(), h.total.tolist()
        ([0, 1], [0, 1], [1, 3], [1, 3])
    """
    n_leaves = attribute.hierarchy.n_leaves
    keys, where = np.unique(owner * n_leaves + value, return_inverse=True)
    count = np.bincount(where, weights=rows, minlength=len(keys)).astype(np.int64)
    total = np.bincount(value, weights=rows, minlength=n_leaves).astype(np.int64)
    return Histogram(attribute, keys // n_leaves, keys % n_leaves, count, total)
