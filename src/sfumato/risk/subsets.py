"""How strongly each set of columns identifies: distinction and separation of the subsets, and persons alone by chance.

Distinction is the share of distinct tuples, separation the share of pairs of rows that differ. Both are
computed for every subset by rolling the classes of a larger set up; rows are never read again.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, exp, log, log1p
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_rows
from sfumato.types import Share  # noqa: TC001  results read it off the class

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

SOURCE = "R. Motwani, Y. Xu, Efficient algorithms for masking and finding quasi-identifiers, VLDB 2007, section 2"

MOST_SUBSETS = 4095
"""Subsets of twelve columns: beyond it only the smaller subsets are looked at."""
_MOST_WORK = 100_000_000
"""Subsets times distinct tuples; beyond it, too, only the smaller subsets are looked at."""
_EXACT_ROWS = 2**31
"""With fewer rows, pairs are counted exactly in 63 bits."""
_EXACT_BITS = 53
"""Of whole numbers that a double holds exactly."""


@dataclass(frozen=True, slots=True)
class SubsetRisk:
    """One set of columns.

    Args:
        columns: their names, in table order.
        distinction: distinct tuples / rows.
        separation: pairs of rows that differ in some of the columns / all pairs.
    """

    columns: tuple[str, ...]
    distinction: Share
    separation: Share


@dataclass(frozen=True, slots=True)
class SubsetRisks:
    """Subsets of the quasi-identifiers, smaller ones first, and which ones were looked at."""

    subsets: tuple[SubsetRisk, ...]
    statement: str


def subset_risks(classes: Classes, attributes: Sequence[Attribute], *, most_subsets: int = MOST_SUBSETS) -> SubsetRisks:
    """Distinction and separation of every set of quasi-identifiers.

    With n rows and classes of f rows: distinction = J/n, separation = 1 - sum f(f-1) / (n(n-1)).

    Args:
        classes: finest classes of the table.
        attributes: the m quasi-identifiers.
        most_subsets: most subsets to compute, >= 1; where there are more, the largest complete sizes
            that fit are computed, and the full set. Tables of very many distinct tuples allow fewer.

    Returns:
        The subsets, and a statement of what was left out.

    Raises:
        ParameterError: `most_subsets` < 1. Remedy: allow at least one.

    Source:
        R. Motwani and Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers",
        VLDB 2007, section 2.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["F", "M"])
        >>> sizes = np.array([2, 3])
        >>> subset_risks(Classes(np.array([[0], [1]]), rows=sizes, alone=sizes), [sex]).subsets
        (SubsetRisk(columns=('sex',), distinction=0.4, separation=0.6),)
    """
    if most_subsets < 1:
        raise ParameterError(
            "`most_subsets` must be >= 1; got {most_subsets}.", "allow at least one subset.", most_subsets=most_subsets
        )
    published = classes.select(classes.rows > 0)
    m = len(attributes)
    affordable = max(m, _MOST_WORK // max(published.n_classes, 1), 1)
    largest, statement = _largest_size(m, min(most_subsets, affordable))
    names = [attribute.name for attribute in attributes]
    n = int(published.rows.sum())
    found = {
        chosen: _risk(tuple(names[j] for j in chosen), rows, n)
        for chosen, rows in _roll_up_all(published.codes, published.rows, m, largest)
    }
    return SubsetRisks(tuple(found[chosen] for chosen in sorted(found, key=lambda c: (len(c), c))), statement)


def _largest_size(m: int, most_subsets: int) -> tuple[int, str]:
    """The largest size of subsets that fits, and the sentence that says so."""
    total = 2**m - 1
    if total <= most_subsets:
        return m, f"All {total} subsets of {m} quasi-identifiers were computed."
    largest, n = 0, 0
    while n + comb(m, largest + 1) <= most_subsets:
        largest += 1
        n += comb(m, largest)
    return largest, (
        f"Of the {total} subsets of {m} quasi-identifiers, those of up to {largest} columns and the full set were "
        f"computed ({n + 1}); the others were not looked at."
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Tuples:
    """The distinct tuples of some columns.

    Args:
        keys: (n,) int64, sorted: each tuple as one number, the codes side by side in fields of bits, the first column
            highest; None where a key and a count do not fit into 63 bits together.
        rows: (n,) int64, rows of each tuple.
        widths: bits of each column.
        room: bits of the number of all rows.
    """

    keys: IntArray | None
    rows: IntArray
    widths: tuple[int, ...]
    room: int

    def without(self, j: int) -> _Tuples:
        """The tuples without one column; only if it is not the last must they be sorted again."""
        assert self.keys is not None, "keys too wide"  # noqa: S101 - such a set is no parent
        low, widths = sum(self.widths[j + 1 :]), (*self.widths[:j], *self.widths[j + 1 :])
        if low == 0:
            return _merged(self.keys >> self.widths[j], self.rows, widths, self.room)
        keys = self.keys >> low + self.widths[j]
        keys <<= low
        keys |= self.keys & (1 << low) - 1
        return _sorted(keys, self.rows, widths, self.room)


def _sorted(keys: IntArray, rows: IntArray, widths: tuple[int, ...], room: int) -> _Tuples:
    """The tuples of keys in any order, each with at least one row.

    Where the keys are fewer than the tuples, rows are added up in a place for each key, exact below 2⁵³ rows; else key
    and rows are sorted as one number. Keys that lost a column are made of few rising runs, which a stable sort merges:
    eight times as fast as any other.
    """
    if 1 << sum(widths) <= len(keys):
        counts = np.bincount(keys, weights=rows)
        (present,) = counts.nonzero()
        return _Tuples(present, counts[present].astype(np.int64), widths, room)
    packed = keys << room
    packed |= rows
    packed.sort(kind="stable")
    return _merged(packed >> room, packed & (1 << room) - 1, widths, room)


def _merged(keys: IntArray, rows: IntArray, widths: tuple[int, ...], room: int) -> _Tuples:
    """The tuples of sorted keys, of which some are equal."""
    ends = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=ends[:-1])
    (last,) = ends.nonzero()
    if len(last) == len(keys):
        return _Tuples(keys, rows, widths, room)
    below = rows.cumsum()[last]
    below[1:] -= below[:-1].copy()
    return _Tuples(keys[last], below, widths, room)


def _counted(codes: IntArray, rows: IntArray, chosen: Sequence[int], widths: Sequence[int], room: int) -> _Tuples:
    """The tuples of the chosen columns of a matrix of codes >= 0, whose columns have so many bits."""
    own = tuple(widths[j] for j in chosen)
    if sum(own) + room > 63:
        _, member = distinct_rows(codes[:, list(chosen)])
        return _Tuples(None, np.bincount(member, weights=rows).astype(np.int64), own, room)
    keys = np.zeros(len(codes), np.int64)
    for j, width in zip(chosen, own, strict=True):
        keys <<= width
        keys |= codes[:, j]
    return _sorted(keys, rows, own, room)


def _roll_up_all(codes: IntArray, rows: IntArray, m: int, largest: int) -> Iterator[tuple[tuple[int, ...], IntArray]]:
    """Each wanted subset with the rows of its classes; each is rolled up from its cheapest known superset, if any.

    Where a column has two values and there is room, the rows of both stand in one number, side by side, while the other
    columns are rolled up: half as many sets of columns, and each tells of itself and of itself with that column. A class
    may then have no rows.
    """
    room = int(rows.sum()).bit_length()
    if m == 0:
        return
    yield tuple(range(m)), rows
    widths = [int(most).bit_length() for most in codes.max(axis=0, initial=0)]
    twofold = next((j for j in reversed(range(m)) if widths[j] == 1 and m > 1), None)
    if twofold is None or sum(widths) - 1 + 2 * room > 63 or 2 * room > _EXACT_BITS:
        yield from _rolled_up(codes, rows, widths, room, min(largest, m - 1))
        return
    others = [j for j in range(m) if j != twofold]
    both = rows << codes[:, twofold] * room
    left = [widths[j] for j in others]
    for chosen, pairs in _rolled_up(codes[:, others], both, left, 2 * room, min(largest, m - 1)):
        named, first, second = tuple(others[j] for j in chosen), pairs & (1 << room) - 1, pairs >> room
        yield named, first + second
        if len(named) < min(largest, m - 1):
            yield tuple(sorted((*named, twofold))), np.concatenate((first, second))
    if largest:
        yield (twofold,), np.bincount(codes[:, twofold], weights=rows).astype(np.int64)


def _rolled_up(
    codes: IntArray, rows: IntArray, widths: Sequence[int], room: int, largest: int
) -> Iterator[tuple[tuple[int, ...], IntArray]]:
    """The same up to a size, of columns that have so many bits, and rows that have so many together."""
    m = codes.shape[1]
    full, above = tuple(range(m)), dict[int, _Tuples]()
    for size in range(min(largest, m), 0, -1):
        here = {}
        for chosen in combinations(full, size):
            marks = sum(1 << j for j in chosen)
            cheapest = min(_ways(marks, above, m), default=None)
            if cheapest is None:
                found = _counted(codes, rows, chosen, widths, room)
            else:
                _, parent, place = cheapest
                found = above[parent].without(place)
            yield chosen, found.rows
            if found.keys is not None:
                here[marks] = found
        above = here


def _ways(marks: int, above: Mapping[int, _Tuples], m: int) -> Iterator[tuple[int, int, int]]:
    """Known sets with one column more: what it costs to leave that out, the set, and where in it the column stands.

    A set of columns is a number in which bit j stands for column j.
    """
    if not above:
        return
    size = marks.bit_count()
    for j in range(m):
        parent = marks | 1 << j
        if parent != marks and parent in above:
            place = (marks & (1 << j) - 1).bit_count()
            yield len(above[parent].rows) * (1 if place == size else 2), parent, place


def _risk(columns: tuple[str, ...], rows: IntArray, n: int) -> SubsetRisk:
    """Distinction and separation from the sizes of the classes of n rows; exact integers up to the last division.

    A size of 0 is no class.
    """
    pairs = n * (n - 1)
    if n < _EXACT_ROWS:
        same = int(rows @ rows) - n
    else:
        same = sum(f * (f - 1) * c for f, c in zip(*(part.tolist() for part in np.unique_counts(rows)), strict=True))
    return SubsetRisk(columns, int(np.count_nonzero(rows)) / n if n else 0.0, (pairs - same) / pairs if pairs else 0.0)


DAYS = 365.25
"""Days of a year."""


def share_alone(persons: float, cells: float) -> float:
    """Expected share of persons who are alone in their cell, when all cells are equally likely.

    Formula: (1 - 1/c)^(m - 1) for m persons and c cells: none of the m - 1 others falls in the same cell.

    Args:
        persons: m >= 1.
        cells: c > 1, such as 2 sexes × 365.25 days × 80 years.

    Raises:
        ParameterError: numbers outside their ranges.

    Source:
        P. Golle, "Revisiting the Uniqueness of Simple Demographics in the US Population", WPES 2006, section 3.

    Example:
        >>> round(share_alone(27_000, 2 * DAYS * 80), 3)
        0.63
    """
    if not (persons >= 1 and cells > 1):
        raise ParameterError(
            "There must be a person and two cells; got {persons:g} and {cells:g}.",
            "give more.",
            persons=persons,
            cells=cells,
        )
    return exp((persons - 1) * log1p(-1 / cells))


def persons_for(share: float, cells: float) -> float:
    """How many persons of a place make that share of them alone: the inverse of `share_alone`.

    Args:
        share: in (0, 1].
        cells: c > 1.

    Raises:
        ParameterError: numbers outside their ranges.

    Example:
        >>> round(persons_for(0.87, 2 * DAYS * 80))
        8139
    """
    if not (0 < share <= 1 and cells > 1):
        raise ParameterError(
            "A share lies in (0, 1]; got {share:g}.", "give such a share and at least two cells.", share=share
        )
    return 1 + log(share) / log1p(-1 / cells)
