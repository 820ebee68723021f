"""Released rows and persons joined: keys that are equal, and runs of leaves that a person's leaf lies in.

Columns whose labels exclude each other make a key: a value names the one label that holds it. Of the columns whose
labels overlap, the one that holds fewest persons is looked up by runs: persons in order of key and leaf are, for each
run of a row's label, those between two places. So a row finds just the persons whom key and label hold, and what is
looked up grows with the runs, not with the pairs that have equal keys. Any further column is compared pair by pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.cover import held_by_labels
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import IntArray

AT_ONCE = 1 << 22
"""Pairs compared at once."""
PER_LOOKED_AT = 16
"""Pairs that are compared in bit sets in the time in which one is looked at by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Rows with persons who follow each other in some order.

    Args:
        row: (r,) int64; a row may have several ranges.
        first: (r,) int64, place of the first person of each range.
        last: (r,) int64, place after its last.
        order: the persons by place.
    """

    row: IntArray
    first: IntArray
    last: IntArray
    order: IntArray

    @property
    def n_pairs(self) -> int:
        """Pairs of a row and a person."""
        return int((self.last - self.first).sum())

    def pairs(self) -> Iterator[tuple[IntArray, IntArray]]:
        """The pairs (row, person), in parts."""
        for at, place in _expanded(self.first, self.last):
            yield self.row[at], self.order[place]


def joined(
    published: Published,
    sides: tuple[IntArray, IntArray],
    columns: Sequence[int],
    equal: tuple[IntArray, IntArray] | None,
    kinds: Sequence[IntArray],
) -> tuple[IntArray, IntArray] | None:
    """The pairs (row, person) in which every label of the row holds the person's value, kind by kind.

    Args:
        published: the release whose labels the rows are made of.
        sides: (q, m) int64, label codes of the rows; (n, m) int64, leaf codes of the persons.
        columns: the columns that are compared.
        equal: (q,) and (n,) int64, a further code that must be the same in both; None: there is none.
        kinds: rows that are joined together, each in one.

    Returns:
        The pairs, unsorted; None if so many come into question that all may as well be compared.
    """
    rows, codes = sides
    most, found = max(len(rows) * len(codes) // PER_LOOKED_AT, AT_ONCE), []
    held = {j: held_by_labels(published.spans[j], codes[:, j]) for j in columns}
    for mine in kinds:
        left, right, overlapping = _keys(published, (rows[mine], codes), columns, equal, mine)
        by_key = _of_equal_keys(left, right)
        narrow = [j for j in overlapping if int(_n_runs(published.spans[j])[rows[mine, j]].sum()) < by_key.n_pairs]
        parts: Iterable[Ranges] = [by_key]
        if narrow:
            one = min(narrow, key=lambda j: float(held[j][rows[mine, j]].sum()))
            overlapping.remove(one)
            most -= int(_n_runs(published.spans[one])[rows[mine, one]].sum())
            parts = within_runs(published.spans[one], rows[mine, one], codes[:, one], (left, right))
        for part in parts:
            most -= part.n_pairs
            if most < 0:
                return None
            for row, person in part.pairs():
                found.append(checked(published, sides, overlapping, (mine[row], person)))
    return concatenated(found)


def _of_equal_keys(left: IntArray, right: IntArray) -> Ranges:
    """Each row with the persons of its key; keys are numbered from 0, -1 has none."""
    counts = np.bincount(right + 1, minlength=int(left.max(initial=0)) + 2)
    ends = np.cumsum(counts)
    return Ranges(np.arange(len(left)), ends[left], ends[left + 1], np.argsort(right, kind="stable"))


def within_runs(
    spans: Spans, labels: IntArray, leaves: IntArray, keys: tuple[IntArray, IntArray] | None = None
) -> Iterator[Ranges]:
    """Rows with the persons whose leaf their label stands for, and who have an equal key; in parts, each pair once.

    Args:
        spans: what labels stand for.
        labels: (q,) int64, label of each row.
        leaves: (n,) int64, leaf of each person.
        keys: (q,) int64 >= 0 and (n,) int64, -1: nobody's; None: all are equal.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> spans = release_by_age(["17", "[20, 37]"], [1, 2]).spans[0]
        >>> [found] = within_runs(spans, np.array([0, 1, 1]), np.array([2, 0, 1]))
        >>> [(row.tolist(), person.tolist()) for row, person in found.pairs()]
        [([0, 1, 1, 2, 2], [1, 2, 0, 2, 0])]
    """
    left, right = (np.zeros(len(labels), np.int64), np.zeros(len(leaves), np.int64)) if keys is None else keys
    width, rank = spans.domain.n + 1, spans.domain.rank[leaves]
    at = np.where((rank >= 0) & (right >= 0), right * width + rank, -1)
    order = np.argsort(at, kind="stable")
    at = at[order]
    ends = np.searchsorted(spans.owner, np.arange(spans.n_labels + 1))
    for row, run in _expanded(ends[labels], ends[labels + 1]):
        first, last = (np.searchsorted(at, left[row] * width + end[run]) for end in (spans.start, spans.stop))
        some = last > first
        yield Ranges(row[some], first[some], last[some], order)


def _n_runs(spans: Spans) -> IntArray:
    """(n_labels,) int64: runs of each label."""
    return np.bincount(spans.owner, minlength=spans.n_labels)


def _keys(
    published: Published,
    sides: tuple[IntArray, IntArray],
    columns: Sequence[int],
    equal: tuple[IntArray, IntArray] | None,
    mine: IntArray,
) -> tuple[IntArray, IntArray, list[int]]:
    """(q,) and (n,) int64 keys from 0 on that are equal in every pair, -1: in none; columns still to compare."""
    rows, codes = sides
    left, right = (np.zeros(len(mine), np.int64), np.zeros(len(codes), np.int64))
    if equal is not None:
        left, right = _numbered(equal[0][mine] + 1, equal[1] + 1)  # also where neither has one
    overlapping = []
    for j in columns:
        of_leaf = _label_of_leaf(published.spans[j], distinct(rows[:, j]))
        if of_leaf is None:
            overlapping.append(j)
            continue
        width, none = published.spans[j].n_labels + 1, of_leaf[codes[:, j]] < 0
        left, right = _numbered(left * width + rows[:, j], np.where(none, -1, right * width + of_leaf[codes[:, j]]))
    return left, right, overlapping


def _numbered(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """The same codes numbered from 0, so that they stay small when joined with others; negative ones fit nobody."""
    numbers = distinct(left)
    at = np.minimum(np.searchsorted(numbers, right), max(len(numbers) - 1, 0))
    known = (numbers[at] == right) & (right >= 0) if len(numbers) else np.zeros(len(right), np.bool_)
    return np.searchsorted(numbers, left), np.where(known, at, -1)


def _label_of_leaf(spans: Spans, labels: IntArray) -> IntArray | None:
    """(n_leaves,) int64: the one of some labels that stands for each leaf, -1: none; None if two stand for one."""
    mine = np.isin(spans.owner, labels)
    by_start = np.argsort(spans.start[mine], kind="stable")
    owner, start, stop = (ends[mine][by_start] for ends in (spans.owner, spans.start, spans.stop))
    if (start[1:] < stop[:-1]).any():
        return None
    out = np.full(len(spans.domain.rank), -1, np.int64)
    place = np.repeat(start - np.cumsum(stop - start) + (stop - start), stop - start) + np.arange((stop - start).sum())
    out[spans.domain.order[place]] = np.repeat(owner, stop - start)
    return out


def _expanded(first: IntArray, last: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs (row, place) for places first … last - 1 of each row, in parts."""
    ends = np.cumsum(last - first)
    cuts = np.searchsorted(ends, np.arange(AT_ONCE, int(ends[-1]) if len(ends) else 0, AT_ONCE))
    for part in np.split(np.arange(len(first)), distinct(cuts)):
        n = last[part] - first[part]
        row = np.repeat(part, n)
        yield row, np.repeat(first[part] - np.cumsum(n) + n, n) + np.arange(len(row))


def checked(
    published: Published, sides: tuple[IntArray, IntArray], columns: Sequence[int], pairs: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Those of some pairs whose labels hold the values in some columns."""
    row, person = pairs
    for j in columns:
        inside = _holds(published.spans[j], sides[0][row, j], sides[1][person, j])
        row, person = row[inside], person[inside]
    return row, person


def _holds(spans: Spans, labels: IntArray, leaves: IntArray) -> IntArray:
    """Which of some pairs have a label that stands for the leaf: its last run that starts at or before the leaf.

    Label -1 stands for all.
    """
    if not len(spans.owner):
        return np.flatnonzero(labels < 0)
    width = spans.domain.n + 1
    rank = spans.domain.rank[leaves]
    run = np.searchsorted(spans.owner * width + spans.start, labels * width + rank, "right") - 1
    fits = (spans.owner[run] == labels) & (rank < spans.stop[run]) & (rank >= 0) & (run >= 0)
    return np.flatnonzero(fits | (labels < 0))


def concatenated(parts: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    """All pairs of some parts."""
    row, person = (np.concatenate([part[side] for part in parts] or [np.zeros(0, np.int64)]) for side in (0, 1))
    return row, person
