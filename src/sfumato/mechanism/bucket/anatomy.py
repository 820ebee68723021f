"""Anatomy: every bucket holds the values of the sensitive column in about the proportions of the table.

Rows are laid out by sensitive value and dealt into the buckets in turn, like cards. With G = floor(n/l)
buckets and no value on more than n/l rows, no bucket gets a value twice, which is what Xiao and Tao's
algorithm reaches by drawing from the l largest remaining values. With larger buckets each of them is a
systematic sample of the ordered values, which brings it as close to the table as its size allows.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.mechanism.bucket.decision import BucketDecision, check_one_row_each, missing_leaf, pair_of
from sfumato.mechanism.bucket.rows import in_turn, shuffled_rows, splits_of
from sfumato.noise.permutation import permutation
from sfumato.summary.pair import bucket_classes, value_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import TableCriterion
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Splits
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The smallest buckets that keep every promise, each with the table's mix of values.

    Bucket sizes are floor(n/s) to the next whole number for the least s that keeps the promises. They are
    looked for by doubling s and halving the interval between a size that fails and one that holds; a smaller
    one below the interval may exist where a promise does not grow easier with the size. Rows whose value is
    missing are left out of the dealing and then spread over the buckets in turn.

    The number of buckets and which values share one follow from the counts of the sensitive column alone; which
    row of a value goes where is uniformly random. So all tables that agree on the two published ones
    are equally likely to have given them: knowing this program tells nothing more.

    Args:
        promises: criteria on the sensitive column; buckets are their classes.

    Source:
        X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, sections 3 and 5:
        n - floor(n/l) is the reconstruction error there and here.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING), ["20", "30"])
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
        >>> joint = Classes(np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 2, 1]), np.array([1, 2, 1]))
        >>> done = Anatomy((FrequencyLDiversity("illness", 2),)).decide(joint, (age, illness), bits=SystemBits())
        >>> done.pair.sizes.tolist(), done.pair.values.count.tolist()
        ([2, 2], [1, 1, 1, 1])
    """

    promises: tuple[Criterion | TableCriterion, ...]

    def decide(self, joint: Classes, attributes: Sequence[Attribute], *, bits: Bits) -> BucketDecision:
        """Deal the rows; see `BucketMethod.decide`."""
        check_one_row_each(joint)
        sensitive, value = attributes[-1], joint.codes[:, -1]
        told = value != missing_leaf(sensitive)
        counts = np.bincount(value[told], weights=joint.rows[told], minlength=sensitive.hierarchy.n_leaves)
        search = _Search(self.promises, sensitive, counts.astype(np.int64))
        n_buckets = int(counts.sum()) // search.smallest(self._least())
        splits = _dealt(joint, told, n_buckets, bits=bits)
        return BucketDecision(splits, pair_of(joint, attributes, splits), len(search.tried), search.statement())

    def _least(self) -> int:
        """The smallest size worth trying: a bucket of fewer than l rows has a value on more than 1/l of them."""
        asked = [promise.least for promise in self.promises if isinstance(promise, FrequencyLDiversity)]
        return max([2, *(math.ceil(least) for least in asked)])


def _dealt(joint: Classes, told: BoolArray, n_buckets: int, *, bits: Bits) -> Splits:
    """Rows with a value in the order of values, dealt in turn; the others spread over the buckets."""
    rows, value = joint.rows, joint.codes[:, -1]
    dealt = shuffled_rows(np.where(told, rows, 0), value, bits=bits)
    rest = shuffled_rows(np.where(told, 0, rows), value, bits=bits)
    turns = permutation(n_buckets, bits=bits)[in_turn(len(rest), n_buckets)]
    bucket = np.concatenate((in_turn(len(dealt), n_buckets), turns))
    return splits_of(np.concatenate((dealt, rest)), bucket, bits=bits)


@dataclass(slots=True)
class _Search:
    """Looks for the smallest size of buckets; remembers which sizes it tried."""

    promises: tuple[Criterion | TableCriterion, ...]
    sensitive: Attribute
    counts: IntArray
    tried: dict[int, bool] = field(default_factory=dict)

    def smallest(self, least: int) -> int:
        """The smallest size found that keeps every promise."""
        n = int(self.counts.sum())
        low, high = least - 1, least
        while high <= n and not self.holds(high):
            low, high = high, high * 2
        if high > n:
            high = n
            if n < least or not self.holds(n):
                raise NoSolution(
                    "Some number of buckets must keep every promise; not even one bucket of all rows does.",
                    "ask for less: a value may be too frequent for this l, or a ratio too strict for the rarest value.",
                )
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.holds(middle) else (middle, high)
        return high

    def holds(self, size: int) -> bool:
        """Whether buckets of this size keep every promise."""
        n_buckets = int(self.counts.sum()) // size
        if n_buckets not in self.tried:
            buckets = dealt_values(self.counts, n_buckets, self.sensitive)
            self.tried[n_buckets] = all(_kept(promise, buckets) for promise in self.promises)
        return self.tried[n_buckets]

    def statement(self) -> str:
        """How the size was found."""
        return (
            f"Sizes of buckets were doubled from the least one and then halved in between; {len(self.tried)} numbers of "
            "buckets were judged exactly. Larger buckets need not keep a promise that smaller ones keep."
        )


def dealt_values(counts: IntArray, n_buckets: int, attribute: Attribute) -> Classes:
    """The buckets that dealing values in turn gives, without any row.

    Args:
        counts: (n_leaves,) int64, rows of each value.
        n_buckets: number of buckets, 1 … the sum of `counts`.
        attribute: the sensitive column.

    Returns:
        Classes: one a bucket, with the histogram of the column.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
        >>> dealt_values(np.array([3, 2]), 2, illness).histograms[0].count.tolist()
        [2, 1, 1, 1]
    """
    n = int(counts.sum())
    owner = in_turn(n, n_buckets)
    values = value_counts(owner, np.repeat(np.arange(len(counts)), counts), np.ones(n, np.int64), attribute)
    return bucket_classes(values, np.bincount(owner, minlength=n_buckets))


def _kept(promise: Criterion | TableCriterion, buckets: Classes) -> bool:
    if isinstance(promise, Criterion):
        return bool(promise.holds(buckets).all())
    return promise.holds_together(buckets)
