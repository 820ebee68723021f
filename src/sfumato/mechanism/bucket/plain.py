"""Plain buckets: k rows each, formed without a look at the sensitive values. What they leak is worth knowing."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.mechanism.bucket.decision import BucketDecision, check_one_row_each, pair_of, without_last
from sfumato.mechanism.bucket.rows import in_blocks, shuffled_rows, splits_of
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


class Grouping(Enum):
    """Which rows share a plain bucket."""

    RANDOM = "random"
    """Any, every grouping equally likely."""
    SIMILAR = "similar"
    """Neighbors in the order of the quasi-identifiers, equal ones in random order."""


@dataclass(frozen=True, slots=True)
class PlainBuckets:
    """floor(n/k) buckets of at least k rows each, whatever values they hold.

    Args:
        k: least number of rows of a bucket, >= 1.
        grouping: which rows share one.

    Raises:
        ParameterError: k < 1. Remedy: choose k >= 2.

    Source:
        B. Nguyen, "Techniques d'anonymisation", Statistique et société 2(4), 2014: k-anonymity by
        bucketization; after X. Xiao and Y. Tao, VLDB 2006.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING), ["20", "30"])
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
        >>> joint = Classes(np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 2, 2]), np.array([1, 2, 2]))
        >>> done = PlainBuckets(2, Grouping.SIMILAR).decide(joint, (age, illness), bits=SystemBits())
        >>> sorted(done.pair.sizes.tolist())
        [2, 3]
    """

    k: int
    grouping: Grouping

    def __post_init__(self) -> None:
        as_whole("k", self.k, low=1)

    def decide(self, joint: Classes, attributes: Sequence[Attribute], *, bits: Bits) -> BucketDecision:
        """Cut the rows into blocks; see `BucketMethod.decide`."""
        check_one_row_each(joint)
        n = joint.n_rows
        if n < self.k:
            raise NoSolution(
                "A bucket must hold at least {k} rows; the whole table has {n:,}.", "choose a smaller k.", k=self.k, n=n
            )
        tuple_ = shuffled_rows(joint.rows, self._keys(joint), bits=bits)
        splits = splits_of(tuple_, in_blocks(n, n // self.k), bits=bits)
        return BucketDecision(
            splits, pair_of(joint, attributes, splits), 1, "No search: buckets of k rows were cut, blind to the values."
        )

    def _keys(self, joint: Classes) -> IntArray:
        """(n_tuples,) int64: what rows are sorted by before they are cut."""
        match self.grouping:
            case Grouping.RANDOM:
                return np.zeros(joint.n_classes, np.int64)
            case Grouping.SIMILAR:
                return without_last(joint)
            case _:
                assert_never(self.grouping)
