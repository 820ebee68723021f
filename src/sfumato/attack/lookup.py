"""Rows and persons looked up column by column: groups of equal persons, and the runs of leaves that labels stand for."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.cover import held_by_labels
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.summary.span import Spans
    from sfumato.types import FloatArray, IntArray

_AT_ONCE = 1 << 18
"""Pairs looked at at once: arrays of 2 MiB, for which the system is not asked anew each time."""
_PER_RUN = 2
"""Pairs that are looked at in the time in which both ends of a run are found."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Persons who are equal in what was looked up so far.

    Args:
        codes: (g,) int64, ascending, what the persons of each group have in common.
        of: (n,) int64, group of each person; -1: none.
        order: (n,) int64, the persons by group, those in none first.
        ends: (g + 1,) int64, place in `order` of the first person of each group, and the end.
    """

    codes: IntArray
    of: IntArray
    order: IntArray
    ends: IntArray
    _parts: dict[int, Groups] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def by(cls, codes: IntArray) -> Groups:
        """Persons with equal codes >= 0 together; those with -1 in no group.

        Example:
            >>> found = Groups.by(np.array([7, -1, 3, 7]))
            >>> found.codes.tolist(), found.of.tolist(), found.order.tolist(), found.ends.tolist()
            ([3, 7], [1, -1, 0, 1], [1, 2, 0, 3], [1, 2, 4])
        """
        order = np.argsort(codes, kind="stable")
        ordered = codes[order]
        is_first = ordered >= 0
        is_first[1:] &= ordered[1:] != ordered[:-1]
        of = np.empty(len(codes), np.int64)
        of[order] = np.cumsum(is_first) - 1
        return cls(ordered[is_first], of, order, np.append(np.flatnonzero(is_first), len(codes)))

    def same(self, codes: IntArray) -> tuple[IntArray, IntArray]:
        """Which of some codes a group has, and which group.

        Example:
            >>> [part.tolist() for part in Groups.by(np.array([7, -1, 3, 7])).same(np.array([5, 7, 3, 9]))]
            [[1, 2], [1, 0]]
        """
        at = np.searchsorted(self.codes, codes)
        known = np.flatnonzero(np.append(self.codes, -1)[at] == codes)
        return known, at[known]

    def is_parted(self, j: int) -> bool:
        """Whether the parts by a column were made before."""
        return j in self._parts

    def parts(self, j: int, column: Lookup) -> Groups:
        """The groups parted by the leaves of a column, made once; a code is the group × width + the place."""
        if j not in self._parts:
            there = (self.of >= 0) & (column.place >= 0)
            self._parts[j] = Groups.by(np.where(there, self.of * column.width + column.place, -1))
        return self._parts[j]


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """One column of some rows and persons.

    Args:
        labels: (q,) int64, label of each row; rows that do not ask about the column have -1, and are not looked up.
        place: (n,) int64, place of each person's leaf in the order of the domain; -1: outside.
        width: more than any place.
        ends: (n_labels + 1,) int64, first run of each label, and the end.
        start: (n_runs,) int64, label × width + first place of each run; ascending.
        stop: (n_runs,) int64, label × width + place after its last.
        held: (n_labels,) float64, persons whom each label holds.
    """

    labels: IntArray
    place: IntArray
    width: int
    ends: IntArray
    start: IntArray
    stop: IntArray
    held: FloatArray

    @classmethod
    def of(cls, spans: Spans, labels: IntArray, leaves: IntArray) -> Lookup:
        """Of what labels stand for, the labels of rows, and the leaves of persons."""
        width, first = spans.domain.n + 1, spans.owner * (spans.domain.n + 1)
        ends = np.searchsorted(spans.owner, np.arange(spans.n_labels + 1))
        held = held_by_labels(spans, leaves)
        return cls(labels, spans.domain.rank[leaves], width, ends, first + spans.start, first + spans.stop, held)

    def n_runs(self, row: IntArray) -> int:
        """Runs of the labels of some rows."""
        labels = self.labels[row]
        return int((self.ends[labels + 1] - self.ends[labels]).sum())

    def within(self, row: IntArray, group: IntArray, parts: Groups) -> Iterator[tuple[IntArray, IntArray]]:
        """Rows with groups, each with those parts of its group whose leaf the row's label stands for; in parts."""
        labels = self.labels[row]
        shift = (group - labels) * self.width
        for at, run in _expanded(self.ends[labels], self.ends[labels + 1]):
            first, last = (np.searchsorted(parts.codes, shift[at] + end[run]) for end in (self.start, self.stop))
            for found, part in _expanded(first, last):
                yield row[at[found]], part

    def holds(self, row: IntArray, person: IntArray) -> IntArray:
        """Which of some pairs have a label that stands for the leaf: its last run that starts at or before the leaf."""
        if not len(self.start):
            return _NONE
        labels, place = self.labels[row], self.place[person]
        code = labels * self.width + place
        run = np.searchsorted(self.start, code, "right") - 1
        return np.flatnonzero((run >= self.ends[labels]) & (code < self.stop[run]) & (place >= 0))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Pairs that go, and how much was looked at since the last part.

    Args:
        looked: pairs of a row with a group or a person that were looked at.
        row: (r,) int64.
        person: (r,) int64.
    """

    looked: int
    row: IntArray = field(default_factory=lambda: _NONE)
    person: IntArray = field(default_factory=lambda: _NONE)


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """Rows and persons, and the columns in which they can be looked up.

    Args:
        columns: by number.
    """

    columns: Mapping[int, Lookup]

    def rarest_first(
        self, entries: tuple[IntArray, IntArray], groups: Groups, columns: Sequence[int]
    ) -> Iterator[Part]:
        """Each row with the persons of its groups whom its labels hold; each pair once.

        Of each row that column is looked up first of which its label holds fewest persons.

        Args:
            entries: (r,) int64 rows and (r,) int64 groups, each pair once.
            groups: of persons.
            columns: in which they are looked up.

        Returns:
            Parts; some without pairs say what was looked at on the way, before the next is.

        Example:
            >>> from sfumato.testing.examples import release_by_age
            >>> spans = release_by_age(["17", "[20, 37]"], [1, 2]).spans[0]
            >>> join = Join({0: Lookup.of(spans, np.array([0, 1]), np.array([2, 0, 1] * 9))})
            >>> everybody = Groups.by(np.zeros(27, np.int64))
            >>> parts = list(join.rarest_first((np.arange(2), np.zeros(2, np.int64)), everybody, [0]))
            >>> [part.looked for part in parts], [len(part.row) for part in parts]
            ([3, 27, 0], [0, 0, 27])
        """
        row, group = entries
        held = np.array([self.columns[j].held[self.columns[j].labels[row]] for j in columns]).reshape(
            len(columns), len(row)
        )
        rarest = np.argmin(held, axis=0) if len(held) else np.zeros(len(row), np.int64)
        for first in distinct(rarest).tolist():
            mine = np.flatnonzero(rarest == first)
            order = sorted(range(len(held)), key=lambda i: (i != first, float(held[i, mine].sum())))
            yield from self._pairs((row[mine], group[mine]), groups, tuple(columns[i] for i in order))

    def _pairs(
        self, entries: tuple[IntArray, IntArray], groups: Groups, waiting: tuple[int, ...], left: tuple[int, ...] = ()
    ) -> Iterator[Part]:
        """The same, columns looked up in the order in which they wait, persons compared with those that are left."""
        row, group = entries
        n_pairs = int((groups.ends[group + 1] - groups.ends[group]).sum())
        for passed, j in enumerate(waiting, 1):
            column, sorting = self.columns[j], 0 if groups.is_parted(j) else len(groups.of)
            if sorting + _PER_RUN * column.n_runs(row) < n_pairs:
                parts = groups.parts(j, column)
                for found in column.within(row, group, parts):
                    yield Part(len(found[0]))
                    yield from self._pairs(found, parts, waiting[passed:], left)
                return
            left = (*left, j)
        yield Part(n_pairs)
        for at, place in _expanded(groups.ends[group], groups.ends[group + 1]):
            yield self._checked(row[at], groups.order[place], left)

    def _checked(self, row: IntArray, person: IntArray, columns: tuple[int, ...]) -> Part:
        """Those of some pairs whose labels hold the values in some columns."""
        for j in columns:
            inside = self.columns[j].holds(row, person)
            row, person = row[inside], person[inside]
        return Part(0, row, person)


def _expanded(first: IntArray, last: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs (row, place) for places first … last - 1 of each row, in parts."""
    ends = np.cumsum(last - first)
    cuts = np.searchsorted(ends, np.arange(_AT_ONCE, int(ends[-1]) if len(ends) else 0, _AT_ONCE))
    for part in np.split(np.arange(len(first)), distinct(cuts)):
        n = last[part] - first[part]
        row = np.repeat(part, n)
        yield row, np.repeat(first[part] - np.cumsum(n) + n, n) + np.arange(len(row))
