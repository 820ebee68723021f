"""The released rows and persons that go together, where both are many: a join, or a comparison of those near each other.

Comparing every row with every person grows with their product. Where labels hold few persons, each row looks its own up
(`join`). Where so many would be looked at that all may as well be compared, persons are halved again and again along a
column, and each part is compared only with the rows whose labels reach into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.cover import breadth, cover_blocks
from sfumato.attack.join import PER_LOOKED_AT, concatenated, joined, within
from sfumato.attack.lookup import Groups, Join, Lookup, Part
from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import FloatArray, IntArray

_TOGETHER = 1 << 18
"""Pairs that are compared without looking which of them are near each other."""
_TRIED = 1 << 20
"""Pairs that are looked at, even if labels hold many persons each, before all are compared instead."""
_FAR = 2**40
"""Beyond every place."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The pairs of a person and a class that could hold the person, sorted by person, then class.

    Args:
        n: persons.
        target: (n_pairs,) int64, the person.
        owner: (n_pairs,) int64, the class.
        chance: (n_pairs,) float64, Π 1/|label|: how likely a row of the class has just these values, all values of a
            label held for equally likely.
    """

    n: int
    target: IntArray
    owner: IntArray
    chance: FloatArray

    @property
    def starts(self) -> IntArray:
        """(n + 1,) int64: first pair of each person, and the end."""
        return np.searchsorted(self.target, np.arange(self.n + 1))

    def parts(self, at_once: int) -> Iterator[tuple[slice, Matches]]:
        """So many persons at once, each part with those persons numbered from 0."""
        for start in range(0, self.n, at_once):
            stop = min(start + at_once, self.n)
            mine = slice(*np.searchsorted(self.target, (start, stop)))
            yield (
                slice(start, stop),
                Matches(stop - start, self.target[mine] - start, self.owner[mine], self.chance[mine]),
            )


def matches(published: Published, codes: IntArray, columns: Sequence[int] | None = None) -> Matches:
    """The classes that could hold each person.

    Args:
        published: the release.
        codes: (n, m) int64, leaf codes of the persons.
        columns: the quasi-identifiers that are known; None: all.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
        >>> two = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> found = matches(read_published([age], [["[17, 20]", ">= 20"]], two), np.array([[0], [1]]))
        >>> found.target.tolist(), found.owner.tolist(), found.chance.tolist()
        ([0, 1, 1], [0, 0, 1], [0.5, 0.5, 0.5])
    """
    known = range(len(published.attributes)) if columns is None else columns
    rows = published.classes.codes
    owner, target = covering_pairs(published, rows, codes, known)
    return Matches(len(codes), target, owner, breadth(published, known)[owner])


def covering_pairs(
    published: Published,
    rows: IntArray,
    codes: IntArray,
    columns: Sequence[int],
    *,
    equal: tuple[IntArray, IntArray] | None = None,
) -> tuple[IntArray, IntArray]:
    """Pairs (row, person) in which every label of the row holds the person's value; sorted by person, then row.

    Args:
        published: the release whose labels the rows are made of.
        rows: (q, m) int64, label codes.
        codes: (n, m) int64, leaf codes of the persons.
        columns: the columns that are compared.
        equal: (q,) and (n,) int64, a further code that must be the same in both; None: there is none.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> row, person = covering_pairs(table, table.classes.codes, np.array([[0], [1], [2]]), [0])
        >>> row.tolist(), person.tolist()
        ([0, 1, 1], [0, 1, 2])
    """
    parts = joined(published, (rows, codes), columns, equal)
    row, person = parts if parts is not None else _compared(published, (rows, codes), columns, equal)
    order = np.lexsort((row, person))
    return row[order], person[order]


def rarest_first(published: Published, rows: IntArray, codes: IntArray) -> Iterator[tuple[IntArray, IntArray]] | None:
    """Pairs (row, person) in which every label of the row holds the person's value, in parts, each pair once.

    Of each row only the persons are looked at whom its labels hold, the rarest first.

    Args:
        published: the release whose labels the rows are made of.
        rows: (q, m) int64, label codes; -1: the column is not asked about.
        codes: (n, m) int64, leaf codes of the persons.

    Returns:
        The parts; None if so many pairs come into question that all may as well be compared.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> parts = rarest_first(table, table.classes.codes[:1], np.array([[2]] * 20 + [[0]]))
        >>> [(row.tolist(), person.tolist()) for row, person in parts if len(row)]
        [([0], [20])]
    """
    join = Join({j: Lookup.of(spans, rows[:, j], codes[:, j]) for j, spans in enumerate(published.spans)})
    n = len(codes)
    held = [np.full(len(rows), n, np.float64)]  # where nothing is asked about: everybody
    held += [np.append(join.columns[j].held, n)[rows[:, j]] for j in range(rows.shape[1])]  # the last for -1
    parts, most = _of_rows(join, rows, n), len(rows) * n // PER_LOOKED_AT
    if np.min(held, axis=0).sum() <= most:
        return ((part.row, part.person) for part in parts)
    found = within(parts, min(most, _TRIED))
    return None if found is None else iter(found)


def _of_rows(join: Join, rows: IntArray, n: int) -> Iterator[Part]:
    """The same; rows that ask about the same columns together."""
    everybody = Groups.by(np.zeros(n, np.int64))
    kinds, kind = distinct_rows((rows >= 0).astype(np.int64))
    for at, asked in enumerate(kinds):
        mine = np.flatnonzero(kind == at)
        yield from join.rarest_first((mine, np.zeros(len(mine), np.int64)), everybody, np.flatnonzero(asked).tolist())


def _compared(
    published: Published,
    sides: tuple[IntArray, IntArray],
    columns: Sequence[int],
    equal: tuple[IntArray, IntArray] | None,
) -> tuple[IntArray, IntArray]:
    """The pairs, every row compared with every person near it."""
    rows, codes = sides
    reach = _Reach.of(published, rows, codes, columns, equal)
    found = []
    for mine, persons in reach.parts():
        for start, block in cover_blocks(published, rows[mine], codes[persons], columns):
            near = persons[start : start + block.shape[1]]
            same = block if equal is None else block & (equal[0][mine, None] == equal[1][near])
            row, person = np.nonzero(same)
            found.append((mine[row], near[person]))
    return concatenated(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """How far the labels of rows reach along each column, among ordered leaves.

    Args:
        low: (q, d) int64, first place that a row's label may hold.
        high: (q, d) int64, last.
        at: (n, d) int64, place of each person's value.
    """

    low: IntArray
    high: IntArray
    at: IntArray

    @classmethod
    def of(
        cls, published: Published, rows: IntArray, codes: IntArray, columns: Sequence[int],
        equal: tuple[IntArray, IntArray] | None,
    ) -> _Reach:  # fmt: skip
        """Of the runs of each label, the ends; a code that must be equal is a column too."""
        ends = [_ends(published.spans[j]) for j in columns]
        low = [low[rows[:, j]] for (low, _), j in zip(ends, columns, strict=True)]
        high = [high[rows[:, j]] for (_, high), j in zip(ends, columns, strict=True)]
        at = [published.spans[j].domain.rank[codes[:, j]] for j in columns]
        if equal is not None:
            low, high, at = [*low, equal[0]], [*high, equal[0]], [*at, equal[1]]
        low_of, high_of, at_of = (np.array(side, np.int64).T for side in (low, high, at))
        of_rows, of_persons = (len(rows), len(low)), (len(codes), len(low))
        return cls(low_of.reshape(of_rows), high_of.reshape(of_rows), at_of.reshape(of_persons))

    def parts(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Rows and persons that may go together, each pair that does in exactly one part."""
        waiting = [(np.arange(len(self.low)), np.arange(len(self.at)))]
        while waiting:
            rows, persons = waiting.pop()
            if not len(rows) or not len(persons):
                continue
            here = self.at[persons]
            least, most = here.min(axis=0, initial=_FAR), here.max(axis=0, initial=-_FAR)
            rows = rows[((self.low[rows] <= most) & (self.high[rows] >= least)).all(axis=1)]
            width = most - least
            if len(rows) * len(persons) <= _TOGETHER or not width.any():
                yield rows, persons
                continue
            column = int(np.argmax(width / np.maximum(self.at.max(axis=0), 1)))
            middle = np.median(here[:, column])
            is_left = here[:, column] <= middle if middle < most[column] else here[:, column] < middle
            waiting += [(rows, persons[~is_left]), (rows, persons[is_left])]


def _ends(spans: Spans) -> tuple[IntArray, IntArray]:
    """(n_labels + 1,) int64 first and last place of each label among the ordered leaves; label -1 holds all."""
    low, high = np.full(spans.n_labels + 1, _FAR), np.full(spans.n_labels + 1, -_FAR)
    np.minimum.at(low, spans.owner, spans.start)
    np.maximum.at(high, spans.owner, spans.stop - 1)
    low[-1], high[-1] = -_FAR, _FAR
    return low, high
