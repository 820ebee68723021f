"""Bucket size: every bucket of two published tables holds at least k rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, smallest
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class BucketSize(OfSizes):
    """Every bucket holds at least k rows, whatever values they have.

    Proof: a row may have any of the k or more values of its bucket, repeats counted. If they are all equal,
    its value is known all the same.

    Args:
        k: least number of rows in a bucket, >= 1.

    Raises:
        ParameterError: k < 1. Remedy: choose k >= 2.

    Source:
        B. Nguyen, "Techniques d'anonymisation", Statistique et société 2(4), 2014: k-anonymity by
        bucketization.

    Example:
        >>> from sfumato.testing.examples import classes_with_illness
        >>> BucketSize(3).holds(classes_with_illness([[3, 0], [1, 1]])).tolist()
        [True, False]
    """

    model: ClassVar[str] = "bucket-size"
    monotone_in = Move.MERGE | Move.ABSORB
    """A union is at least as large as its largest part."""

    k: int

    def __post_init__(self) -> None:
        as_whole("k", self.k, low=1)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which buckets hold at least k persons."""
        return classes.persons >= self.k

    def measure(self, classes: Classes) -> float:
        """Persons in the smallest bucket; infinity when there is none."""
        return smallest(classes.persons, classes)

    def guarantee(self) -> Guarantee:
        """The promise of bucket size."""
        return Guarantee(
            name="bucket size",
            statement=f"Each published row shares its bucket, and the list of its values, with at least {self.k - 1} others.",
            definition="Every bucket holds at least k rows.",
            parameters={"k": self.k},
            kind="checked",
            source="B. Nguyen, Statistique et société 2(4), 2014",
            assumptions=(
                "It bounds nothing that is learned of the sensitive value: all rows of a bucket may have the same one.",
                "It does not hide who is in the table.",
            ),
        )
