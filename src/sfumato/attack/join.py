"""Released rows and persons joined: column by column, only the persons are looked at who are left.

Columns whose labels exclude each other make a key: a value names the one label that holds it. Where labels overlap,
persons are put in groups of equal key and leaf, in order: the groups that a run of leaves holds stand between two
places, and each of them is looked up in the next column. So a row finds whom all its labels hold, and what is looked at
grows with runs, and with groups that are there, not with the pairs that have equal keys. Where labels of a column have
more runs than persons are left, or few are left at all, these are compared with it one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.lookup import Groups, Join, Lookup, Part
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import IntArray

PER_LOOKED_AT = 16
"""Pairs that are compared in bit sets in the time in which one is looked at by itself."""
_LEAST = 1 << 22
"""Pairs that are looked at in any case before all are compared instead."""


def joined(
    published: Published,
    sides: tuple[IntArray, IntArray],
    columns: Sequence[int],
    equal: tuple[IntArray, IntArray] | None,
) -> tuple[IntArray, IntArray] | None:
    """The pairs (row, person) in which every label of the row holds the person's value.

    Args:
        published: the release whose labels the rows are made of.
        sides: (q, m) int64, label codes of the rows; (n, m) int64, leaf codes of the persons.
        columns: the columns that are compared.
        equal: (q,) and (n,) int64, a further code that must be the same in both; None: there is none.

    Returns:
        The pairs, unsorted; None if so many are looked at that all may as well be compared.
    """
    rows, codes = sides
    join = Join({j: Lookup.of(published.spans[j], rows[:, j], codes[:, j]) for j in columns})
    left, right, overlapping = _keys(published, sides, columns, equal)
    groups = Groups.by(right)
    most = max(len(rows) * len(codes) // PER_LOOKED_AT, _LEAST)
    found = within(join.rarest_first(groups.same(left), groups, overlapping), most)
    return None if found is None else concatenated(found)


def within(parts: Iterator[Part], most: int) -> list[tuple[IntArray, IntArray]] | None:
    """The pairs of some parts; None if more than so many are looked at.

    Example:
        >>> pair = (np.array([0]), np.array([7]))
        >>> [within(iter([Part(3), Part(0, *pair)]), most) is None for most in (2, 3)]
        [True, False]
    """
    found = []
    for part in parts:
        most -= part.looked
        if most < 0:
            return None
        found.append((part.row, part.person))
    return found


def _keys(
    published: Published,
    sides: tuple[IntArray, IntArray],
    columns: Sequence[int],
    equal: tuple[IntArray, IntArray] | None,
) -> tuple[IntArray, IntArray, list[int]]:
    """(q,) and (n,) int64 keys from 0 on that are equal in every pair, -1: in none; columns still to compare."""
    rows, codes = sides
    left, right = (np.zeros(len(rows), np.int64), np.zeros(len(codes), np.int64))
    if equal is not None:
        left, right = _numbered(equal[0] + 1, equal[1] + 1)  # also where neither has one
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


def concatenated(parts: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    """All pairs of some parts."""
    row, person = (np.concatenate([part[side] for part in parts] or [np.zeros(0, np.int64)]) for side in (0, 1))
    return row, person
