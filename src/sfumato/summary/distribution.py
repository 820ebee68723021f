"""How is a sensitive column distributed within each class, and in the whole table?

Rule for missing values: they are left out of every distribution, of the classes and of the table. A
class in which nobody has a value has no distribution (`sizes` is 0 there).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

N = TypeVar("N", bound=np.generic)

_EXACT = 2**53
"""Sums of whole numbers below this are exact in floating point, in any order."""

MISSING_RULE = "Persons whose value is missing are left out; a class in which all values are missing fails."
"""What the criteria on sensitive columns do with missing values, for reports."""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Counts of the values of one sensitive column by class, missing ones left out.

    Args:
        attribute: the column.
        owner: (nnz,) int64, class of each entry, sorted.
        value: (nnz,) int64, leaf code of each entry, sorted within a class.
        count: (nnz,) int64, persons, >= 1.
        sizes: (n_classes,) int64, persons with a value in each class.
        total: (n_leaves,) int64, persons with each value in the original table; 0 for the missing leaf.
    """

    attribute: Attribute
    owner: IntArray
    value: IntArray
    count: IntArray
    sizes: IntArray
    total: IntArray

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.sizes)

    @property
    def released(self) -> IntArray:
        """(n_leaves,) int64, persons with each value in these classes alone."""
        return np.bincount(self.value, weights=self.count, minlength=len(self.total)).astype(np.int64)

    def add(self, amounts: IntArray) -> IntArray:
        """(n_classes,) sums of one amount by entry; exact for int64 and for Python integers."""
        return add_by_owner(amounts, self.owner, self.n_classes)


def distribution_of(classes: Classes, column: str) -> Distribution:
    """The distribution of one sensitive column.

    Raises:
        ParameterError: the classes hold no counts of that column. Remedy: declare it as sensitive.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.histogram import Histogram
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout", None])
        >>> counts = Histogram(illness, np.array([0, 0, 1]), np.array([0, 2, 2]), np.array([2, 1, 3]), np.array([5, 1, 4]))
        >>> two = Classes(np.array([[0], [1]]), np.array([3, 3]), np.array([3, 3]), histograms=(counts,))
        >>> d = distribution_of(two, "illness")
        >>> d.sizes.tolist(), d.total.tolist()
        ([2, 0], [5, 1, 0])
    """
    found = next((h for h in classes.histograms if h.attribute.name == column), None)
    if found is None:
        counted = [h.attribute.name for h in classes.histograms]
        raise ParameterError(
            "A criterion judges the column {column!r}, so its values must be counted; counted: {counted}.",
            "declare that column with role `sensitive`, or correct the name in the criterion.",
            column=column,
            counted=counted,
        )
    owner, value, count, total = found.owner, found.value, found.count, found.total
    names = found.attribute.hierarchy.labels[0]
    if None in names:
        missing = names.index(None)
        present = value != missing
        owner, value, count = owner[present], value[present], count[present]
        total = np.where(np.arange(len(total)) == missing, 0, total)
    sizes = add_by_owner(count, owner, classes.n_classes)
    return Distribution(found.attribute, owner, value, count, sizes, total)


def add_by_owner(amounts: npt.NDArray[N], owner: IntArray, n_classes: int) -> npt.NDArray[N]:
    """Sums of amounts by owner; `owner` is sorted. Exact for int64 and for Python integers.

    Example:
        >>> add_by_owner(np.array([1, 2, 3]), np.array([0, 2, 2]), 4).tolist()
        [1, 0, 5, 0]
    """
    if amounts.dtype == np.int64 and _size(amounts) < _EXACT:
        return np.bincount(owner, weights=amounts, minlength=n_classes).astype(amounts.dtype)
    out = np.zeros(n_classes, amounts.dtype)
    if len(owner):
        starts = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
        out[owner[starts]] = np.add.reduceat(amounts, starts)
    return out


def _size(amounts: npt.NDArray[N]) -> int:
    """No sum of some of the integers is larger, up to its sign."""
    return max(int(amounts.max(initial=0)), -int(amounts.min(initial=0))) * len(amounts)
