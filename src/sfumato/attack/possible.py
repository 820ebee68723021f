"""Which sensitive values some releases leave possible for each person, without a table of all persons and all values.

What grows is what there is: the values of each class, and for several releases those of the class with the fewest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.attack.pairs import Matches
    from sfumato.summary.histogram import Histogram
    from sfumato.types import BoolArray, FloatArray, IntArray

_CELLS = 1 << 22
"""Most entries that are gathered at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Rows with each value in the classes of one release that could hold each person.

    Persons whom the same single class could hold form a group, so that a class is written down once, whatever the number of
    its persons; of a value that a group lacks nothing is kept.

    Args:
        group: (n,) int64, group of each person; -1: no class could hold the person.
        key: (nnz,) int64, group · n_values + value, sorted.
        rows: (nnz,) int64, rows of the value; >= 1.
        n_values: values that there are.
    """

    group: IntArray
    key: IntArray
    rows: IntArray
    n_values: int

    @property
    def n_groups(self) -> int:
        """Groups of persons."""
        return int(self.group.max(initial=-1)) + 1

    @property
    def totals(self) -> IntArray:
        """(n_groups + 1,) int64: rows of each group; 0 at the end, for no group."""
        return np.bincount(self.key // self.n_values, weights=self.rows, minlength=self.n_groups + 1).astype(np.int64)

    @classmethod
    def of_table(cls, table: IntArray) -> Support:
        """From an (n, n_values) int64 table of all persons and values, for small ones: each person is a group."""
        owner, value = np.nonzero(table)
        group = np.where(table.any(axis=1), np.arange(len(table)), -1)
        return cls(group, owner * table.shape[1] + value, table[owner, value], table.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Remaining:
    """What is possible of each person in every one of some releases; persons of whom all releases say the same are one kind.

    Args:
        kind: (n,) int64, kind of each person.
        key: (nnz,) int64, kind · n_values + value of each value that is possible, sorted.
        rows: (nnz,) int64, least rows of the value over the releases; >= 1.
        belief: (nnz,) float64, product of the shares: the releases held for independent, all values for equally likely
            beforehand; those of a kind sum to 1.
        told: (n_kinds,) bool, whether any release says something of these persons.
        n_values: values that there are.
    """

    kind: IntArray
    key: IntArray
    rows: IntArray
    belief: FloatArray
    told: BoolArray
    n_values: int

    def dense(self, what: FloatArray | IntArray) -> FloatArray:
        """(n, n_values) float64: `rows` or `belief` of each person and value; for small tables and twins in tests."""
        out = np.zeros((len(self.told), self.n_values))
        out[self.key // self.n_values, self.key % self.n_values] = what
        return out[self.kind]


def supports(found: Matches, histogram: Histogram) -> Support:
    """Rows with each value in the classes that could hold each person.

    Suppressed rows could hold anyone and nothing is known of them but their value, which is in no class: persons who match no
    class are in no group.

    Args:
        found: the classes of one release that could hold each person.
        histogram: of the sensitive column over its classes.
    """
    n_values = len(histogram.total)
    hosts = np.bincount(found.target, minlength=found.n)
    several = np.flatnonzero(hosts > 1)
    own = hosts[found.target] == 1
    single, place = np.unique(found.owner[own], return_inverse=True)
    group = np.full(found.n, -1)
    group[found.target[own]] = place
    group[several] = len(single) + np.arange(len(several))
    classes = np.concatenate((single, found.owner[~own]))
    groups = np.concatenate((np.arange(len(single)), group[found.target[~own]]))
    key, rows = _added(groups, classes, histogram)
    filled = np.zeros(len(single) + len(several) + 1, bool)
    filled[key // n_values] = True
    return Support(np.where(filled[group], group, -1), key, rows, n_values)


def _added(groups: IntArray, classes: IntArray, histogram: Histogram) -> tuple[IntArray, IntArray]:
    """The sorted keys of (group, value), and their rows over the classes of each group; groups are sorted."""
    n_values = len(histogram.total)
    ends = np.searchsorted(histogram.owner, classes, "right")
    starts = np.searchsorted(histogram.owner, classes)
    keys, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for part in _parts(ends - starts, groups):
        each = ends[part] - starts[part]
        at = np.arange(each.sum()) + np.repeat(starts[part] - (np.cumsum(each) - each), each)
        key = np.repeat(groups[part], each) * n_values + histogram.value[at]
        distinct, place = np.unique(key, return_inverse=True)
        keys.append(distinct)
        rows.append(np.bincount(place, weights=histogram.count[at], minlength=len(distinct)).astype(np.int64))
    return np.concatenate(keys), np.concatenate(rows)


def _parts(each: IntArray, groups: IntArray) -> Iterator[slice]:
    """Slices of whole groups with about as many entries as are gathered at once."""
    until = np.cumsum(each)
    start = 0
    while start < len(each):
        before = until[start - 1] if start else 0
        stop = max(int(np.searchsorted(until, before + _CELLS, "right")), start + 1)
        stop = int(np.searchsorted(groups, groups[stop - 1], "right"))
        yield slice(start, stop)
        start = stop


def intersect(tables: Sequence[Support]) -> Remaining:
    """What is possible in every release, and how likely it is.

    Args:
        tables: `supports` of each release. A person without any row in one was suppressed there: that release says nothing
            of the person.

    Raises:
        ParameterError: no release. Remedy: give one or more.

    Example:
        >>> one, two = (Support.of_table(np.array(rows)) for rows in ([[2, 1, 0]], [[1, 0, 4]]))
        >>> found = intersect([one, two])
        >>> found.key.tolist(), found.rows.tolist(), found.belief.tolist()
        ([0], [1], [1.0])
    """
    if not tables:
        raise ParameterError("Releases can be intersected where there are some; got none.", "give one or more.")
    groups, kind = np.unique(np.stack([table.group for table in tables], axis=1), axis=0, return_inverse=True)
    sizes = np.stack([_sizes(table, groups[:, i]) for i, table in enumerate(tables)], axis=1)
    told, fewest = np.any(groups >= 0, axis=1), sizes.argmin(axis=1)
    n_kinds, n_values, found = len(groups), tables[0].n_values, [_NOTHING]
    for part in _parts(np.where(told, sizes.min(axis=1), 0), np.arange(n_kinds)):
        kinds = np.arange(part.start, part.stop)
        own = [kinds[fewest[part] == i] for i in range(len(tables))]
        starts = [_entries(table, own[i], groups[own[i], i]) for i, table in enumerate(tables)]
        found.append(_in_all(tables, groups, np.sort(np.concatenate(starts))))
    key, rows, belief = (np.concatenate(same) for same in zip(*found, strict=True))
    sums = np.bincount(key // n_values, weights=belief, minlength=n_kinds)[key // n_values]
    shares = np.divide(belief, sums, out=np.zeros_like(belief), where=sums > 0)
    return Remaining(kind.reshape(-1), key, rows, shares, told, n_values)


_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def _sizes(table: Support, groups: IntArray) -> IntArray:
    """Values that each of these groups of one release has; of no group: more than any has."""
    n = np.bincount(table.key // table.n_values, minlength=table.n_groups + 1)
    n[-1] = np.iinfo(np.int64).max
    return n[groups]


def _in_all(tables: Sequence[Support], groups: IntArray, key: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Of these keys of kind and value those that all releases have which tell of the kind: least rows, products of shares."""
    least, belief = np.full(len(key), np.iinfo(np.int64).max), np.ones(len(key))
    for i, table in enumerate(tables):
        kind = key // table.n_values
        group = groups[kind, i]
        at = placed(table.key, key + (group - kind) * table.n_values)
        rows, unseen = np.append(table.rows, 0)[at], group < 0
        least = np.where(unseen, least, np.minimum(least, rows))
        belief = np.where(unseen, belief, belief * (rows / np.maximum(table.totals[group], 1)))
        key, least, belief = (one[(at >= 0) | unseen] for one in (key, least, belief))
    return key, least, belief


def _entries(table: Support, kinds: IntArray, groups: IntArray) -> IntArray:
    """Keys of kind and value for the values that each kind's group has in a release."""
    kinds, groups = kinds[groups >= 0], groups[groups >= 0]
    starts = np.searchsorted(table.key, groups * table.n_values)
    each = np.searchsorted(table.key, (groups + 1) * table.n_values) - starts
    at = np.arange(each.sum()) + np.repeat(starts - (np.cumsum(each) - each), each)
    return np.asarray(np.repeat(kinds, each) * table.n_values + table.key[at] % table.n_values, np.int64)


def placed(keys: IntArray, wanted: IntArray) -> IntArray:
    """Where each wanted key stands among the sorted ones; -1: nowhere."""
    at = np.searchsorted(keys, wanted)
    inside = at < len(keys)
    inside[inside] = keys[at[inside]] == wanted[inside]
    return np.where(inside, at, -1)
