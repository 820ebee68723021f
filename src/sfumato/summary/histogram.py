"""How are the values of a sensitive attribute spread over the classes? A sparse table of counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
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
        distinct, inverse = np.unique(key, return_inverse=True)
        return distinct, np.bincount(inverse, weights=count, minlength=len(distinct)).astype(np.int64)
    added = np.bincount(key, weights=count, minlength=n_keys)
    present = added if count.all() else np.bincount(key, minlength=n_keys)
    distinct = np.flatnonzero(present > 0)
    return distinct, added[distinct].astype(np.int64)
