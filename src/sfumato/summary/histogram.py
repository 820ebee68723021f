"""How often each sensitive value stands in each class, as counts, as tallies of other columns, and as shares."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_keys, distinct_rows

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray


DENSE = 32
"""Keys below this many times their number are counted in a table of all keys, without sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """Persons who have one sensitive value in more than one finest tuple: (class, value, person) entries.

    Such a person counts once in every class, so these counts do not add up when classes merge.

    Args:
        owner: (n,) int64, class of each entry.
        value: (n,) int64, leaf code of each entry.
        person: (n,) int64, arbitrary number of the person.
    """

    owner: IntArray
    value: IntArray
    person: IntArray

    def merge(self, membership: IntArray) -> Repeats:
        """The distinct entries over coarser classes."""
        return Repeats(*np.unique(np.stack((membership[self.owner], self.value, self.person)), axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of (class, sensitive value), sorted by class, then value; no zero counts.

    Args:
        attribute: the sensitive attribute; values are codes of its leaves.
        owner: (nnz,) int64, class of each entry.
        value: (nnz,) int64, leaf code of each entry.
        count: (nnz,) int64, persons with that value in that class, >= 1.
        total: (n_leaves,) int64, persons with each value in the whole original table, suppressed
            ones included; it does not change when classes merge.
        repeats: the persons among them who would count twice if counts were added; None: nobody.
    """

    attribute: Attribute
    owner: IntArray
    value: IntArray
    count: IntArray
    total: IntArray
    repeats: Repeats | None = None

    def merge(self, membership: IntArray) -> Histogram:
        """The histogram over coarser classes; membership[i] >= 0 is the new class of class i.

        Example:
            >>> import numpy as np
            >>> from sfumato.table.attribute import bind
            >>> from sfumato.table.schema import Column, Role
            >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
            >>> fine = Histogram(illness, np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2, 1, 3]), np.array([5, 1]))
            >>> coarse = fine.merge(np.array([0, 0]))
            >>> coarse.owner.tolist(), coarse.value.tolist(), coarse.count.tolist()
            ([0, 0], [0, 1], [5, 1])
        """
        n_values = len(self.total)
        key = membership[self.owner] * n_values + self.value
        once = self.count
        if self.repeats is not None:
            once = once - self._repeated(self.owner * n_values + self.value)
        distinct, count = _added(key, once)
        owner = distinct // n_values
        repeats = None if self.repeats is None else self.repeats.merge(membership)
        added = Histogram(self.attribute, owner, distinct - owner * n_values, count, self.total, repeats)
        return added if repeats is None else replace(added, count=count + added._repeated(distinct))

    def _repeated(self, keys: IntArray) -> IntArray:
        """(nnz,) int64: repeating persons of each entry; `keys` are owner · n_values + value, sorted."""
        if self.repeats is None:
            return np.zeros(len(keys), np.int64)
        place = np.searchsorted(keys, self.repeats.owner * len(self.total) + self.repeats.value)
        return np.bincount(place, minlength=len(keys))

    def keep(self, kept: IntArray, n_classes: int) -> Histogram:
        """The histogram of the classes in `kept` (sorted indices), renumbered 0 … len(kept)-1."""
        new = np.full(n_classes, -1, np.int64)
        new[kept] = np.arange(len(kept))
        owner = new[self.owner]
        inside = owner >= 0
        repeats = self.repeats
        if repeats is not None:
            of = new[repeats.owner]
            repeats = Repeats(of[of >= 0], repeats.value[of >= 0], repeats.person[of >= 0])
        return Histogram(self.attribute, owner[inside], self.value[inside], self.count[inside], self.total, repeats)

    def dense(self, n_classes: int) -> FloatArray:
        """(n_classes, n_leaves) float64 counts; for small tables and twins in tests."""
        out = np.zeros((n_classes, len(self.total)))
        out[self.owner, self.value] = self.count
        return out


def _added(key: IntArray, count: IntArray) -> tuple[IntArray, IntArray]:
    """The sorted distinct keys, and the (n_distinct,) int64 sum of the counts of each."""
    n_keys = int(key.max(initial=-1)) + 1
    if n_keys > DENSE * len(key):
        first, member = distinct_keys(key, n_keys)
        return key[first], np.bincount(member, weights=count, minlength=len(first)).astype(np.int64)
    added = np.bincount(key, weights=count, minlength=n_keys)
    present = added if count.all() else np.bincount(key, minlength=n_keys)
    distinct = np.flatnonzero(present > 0)
    return distinct, added[distinct].astype(np.int64)


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


_BINS = 8
"""Bins for each row up to which counting into all possible tuples is faster than sorting."""


def tally(codes: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Add up the rows of equal tuples.

    Args:
        codes: (n, m) int64 >= 0, m >= 1.
        rows: (n,) int64 >= 0, rows of each.

    Returns:
        (n_distinct, m) int64, the sorted tuples that some row holds; (n_distinct,) int64, rows of each.

    Example:
        >>> [part.tolist() for part in tally(np.array([[1, 0], [0, 2], [1, 0]]), np.array([1, 2, 3]))]
        [[[0, 2], [1, 0]], [2, 4]]
    """
    radix = [int(largest) + 1 for largest in codes.max(axis=0, initial=0)]
    if prod(radix) > max(_BINS * len(codes), 2**16):
        distinct, member = distinct_rows(codes)
        counts = np.bincount(member, weights=rows, minlength=len(distinct)).astype(np.int64)
        return distinct[counts > 0], counts[counts > 0]
    key = np.ravel_multi_index(tuple(codes.T), radix)
    counts = np.bincount(key, weights=rows, minlength=prod(radix)).astype(np.int64)
    held = np.flatnonzero(counts)
    return np.stack(np.unravel_index(held, radix), axis=1).astype(np.int64), counts[held]
