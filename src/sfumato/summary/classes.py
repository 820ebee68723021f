"""Classes: the distinct quasi-identifier tuples of a table, and how many persons share each.

`Classes` is both the summary at the finest level (every distinct tuple) and what remains of it at a
coarser level. It is a monoid: two summaries of two parts of a table merge by addition, as long as no
person has rows in both.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.order import order_of
from sfumato.numbers.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.histogram import Histogram
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Persons whose rows lie in more than one finest tuple: (tuple, person) pairs.

    Such a person counts once in every class that holds one of the tuples, so counts of these persons
    do not add up when classes merge. All others do, and stay in `Classes.persons`.

    Args:
        owner: (n_pairs,) int64, class of each pair.
        person: (n_pairs,) int64, arbitrary number of the person.
    """

    owner: IntArray
    person: IntArray

    def merge(self, membership: IntArray) -> Spread:
        """The distinct pairs over coarser classes."""
        pairs = np.unique(np.stack((membership[self.owner], self.person)), axis=1)
        return Spread(pairs[0], pairs[1])

    def counts(self, n_classes: int) -> IntArray:
        """(n_classes,) int64: these persons in each class."""
        return np.bincount(self.owner, minlength=n_classes)


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Equivalence classes: the distinct tuples of quasi-identifiers, with counts.

    Args:
        codes: (n_classes, m) int64, code of each attribute in each class; at the finest level these
            are leaf codes. Rows are distinct and sorted.
        rows: (n_classes,) int64, rows in each class that are to be published; 0 for classes known
            only from the population.
        alone: (n_classes,) int64, persons of the class whose rows all lie in one finest tuple; the same array as `rows`
            where each row is a person, so that nothing is done twice.
        spread: the other persons; None when there are none.
        population: (n_classes,) int64, persons of a larger known population in each class, the
            published ones included; None when no population is known.
        personal_k: (n_classes,) int64, the largest k that a person of the class asks; None: nobody.
        histograms: one per sensitive attribute that was asked for.
        beside: one for each column that a criterion reads although it is not published, such as persons' own wishes.
    """

    codes: IntArray
    rows: IntArray
    alone: IntArray
    spread: Spread | None = None
    population: IntArray | None = None
    personal_k: IntArray | None = None
    histograms: tuple[Histogram, ...] = ()
    beside: tuple[Histogram, ...] = ()
    _counted: dict[tuple[int, int], IntArray] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What `rows_by_code` found: several measures ask the same of one table."""

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.rows)

    @property
    def persons(self) -> IntArray:
        """(n_classes,) int64: persons in each class; each counts once in a class."""
        return self.alone if self.spread is None else self.alone + self.spread.counts(self.n_classes)

    @property
    def n_rows(self) -> int:
        """Rows in all classes."""
        return int(self.rows.sum())

    def beside_of(self, column: str) -> Histogram:
        """The counts of a column that is not published.

        Raises:
            ParameterError: it was not counted. Remedy: a criterion that reads it declares it (`guarantee.base.CountsBeside`).
        """
        for histogram in self.beside:
            if histogram.attribute.name == column:
                return histogram
        raise ParameterError(
            "A criterion reads the column {column!r}, whose values must be counted; they were not.",
            "name the column that holds them in the criterion.",
            column=column,
        )

    def rows_by_code(self, j: int, n_codes: int) -> IntArray:
        """(n_codes,) int64, not to be written to: rows with each code of attribute j; exact below 2**53 rows.

        Example:
            >>> classes = Classes(np.array([[0, 1], [2, 1]]), rows=np.array([5, 3]), alone=np.array([5, 3]))
            >>> classes.rows_by_code(0, 3).tolist()
            [5, 0, 3]
        """
        found = self._counted.get((j, n_codes))
        if found is None:
            found = np.bincount(self.codes[:, j], weights=self.rows, minlength=n_codes).astype(np.int64)
            found.flags.writeable = False
            self._counted[j, n_codes] = found
        return found

    def select(self, mask: BoolArray) -> Classes:
        """Only the classes where `mask` (n_classes,) is true."""
        if mask.all():
            return self
        kept = np.flatnonzero(mask)
        spread = self.spread
        if spread is not None:
            new = np.full(self.n_classes, -1, np.int64)
            new[kept] = np.arange(len(kept))
            inside = mask[spread.owner]
            spread = Spread(new[spread.owner[inside]], spread.person[inside])
        rows = self.rows[kept]
        return replace(
            self,
            codes=rows_at(self.codes, kept),
            rows=rows,
            alone=rows if self.alone is self.rows else self.alone[kept],
            spread=spread,
            population=None if self.population is None else self.population[kept],
            personal_k=None if self.personal_k is None else self.personal_k[kept],
            histograms=tuple(h.keep(kept, self.n_classes) for h in self.histograms),
            beside=tuple(h.keep(kept, self.n_classes) for h in self.beside),
        )


def roll_up(classes: Classes, attributes: Sequence[Attribute], levels: Sequence[int]) -> tuple[Classes, IntArray]:
    """Generalize finest classes to one level per attribute.

    Args:
        classes: finest classes (leaf codes).
        attributes: the m attributes, in the order of the columns of `codes`.
        levels: m levels, each between 0 and the height of its attribute.

    Returns:
        The coarser classes, and (n_fine,) int64 membership: the coarser class of each finer one.
    """
    if not any(levels):
        distinct, membership = distinct_rows(classes.codes)
        if distinct is classes.codes:
            return classes, membership
    codes = np.empty((len(attributes), classes.n_classes), np.int64).T
    for j, (attribute, level) in enumerate(zip(attributes, levels, strict=True)):
        codes[:, j] = attribute.hierarchy.ancestors[level][classes.codes[:, j]]
    return group(classes, codes)


def group(classes: Classes, codes: IntArray) -> tuple[Classes, IntArray]:
    """Merge the classes whose new `codes` (n_classes, m) are equal."""
    distinct, membership = distinct_rows(codes)
    return merge(classes, membership, distinct), membership


def merge(classes: Classes, membership: IntArray, codes: IntArray) -> Classes:
    """Merge classes by membership (n_classes,), each >= 0; `codes` (n_new, m) names the new ones."""
    n = len(codes)
    rows = _add(classes.rows, membership, n)
    return replace(
        classes,
        codes=codes,
        rows=rows,
        alone=rows if classes.alone is classes.rows else _add(classes.alone, membership, n),
        spread=None if classes.spread is None else classes.spread.merge(membership),
        population=None if classes.population is None else _add(classes.population, membership, n),
        personal_k=None if classes.personal_k is None else _largest(classes.personal_k, membership, n),
        histograms=tuple(h.merge(membership) for h in classes.histograms),
        beside=tuple(h.merge(membership) for h in classes.beside),
    )


def rows_at(codes: IntArray, index: IntArray) -> IntArray:
    """(k, m): the rows of a matrix at k places, stored column by column, as columns are what is read of codes.

    Example:
        >>> rows_at(np.array([[1, 0], [0, 2]]), np.array([1])).tolist()
        [[0, 2]]
    """
    out = np.empty((codes.shape[1], len(index)), codes.dtype)

    def take(j: int) -> None:
        np.take(codes[:, j], index, out=out[j], mode="clip")

    in_threads(take, range(len(out)), out.size)
    return out.T


def distinct_rows(codes: IntArray, *, in_place: bool = False) -> tuple[IntArray, IntArray]:
    """The sorted distinct rows of a matrix of codes >= 0, and (n,) int64 which one each row is.

    A mixed-radix key replaces the row where it fits in 63 bits; keys are compacted where it does not.

    Args:
        codes: (n, m) int64.
        in_place: whether the distinct rows may be written over `codes`, so that no second matrix is held; they are
            where most rows are distinct.

    Example:
        >>> distinct_rows(np.array([[1, 0], [0, 2], [1, 0]]))[1].tolist()
        [1, 0, 1]
    """
    n, m = codes.shape
    if n == 0 or m == 0:
        return codes[: min(n, 1)], np.zeros(n, np.int64)
    key = np.zeros(n, np.int64)
    size = 1
    for j in range(m):
        radix = int(codes[:, j].max()) + 1
        if size * radix >= 2**62:
            distinct, key = np.unique(key, return_inverse=True)
            size = len(distinct)
        key *= radix
        key += codes[:, j]
        size *= radix
    if np.all(key[1:] > key[:-1]):
        return codes, np.arange(n)
    first, member = distinct_keys(key, size)
    if not in_place or 2 * len(first) < n:
        return rows_at(codes, first), member

    def move(column: IntArray) -> None:
        column[: len(first)] = column[first]

    in_threads(move, list(codes.T), codes.size)
    return codes[: len(first)], member


def distinct_keys(key: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Where each distinct key stands first, in the order of the keys; and (n,) which one each key is.

    Args:
        key: (n,) int64, each >= 0, n >= 1.
        size: above all keys.

    Example:
        >>> [part.tolist() for part in distinct_keys(np.array([7, 2, 7]), 8)]
        [[1, 0], [1, 0, 1]]
    """
    order = order_of(key, size)
    ordered = key.take(order)
    starts = np.empty(len(key), bool)
    starts[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    member = np.empty(len(key), np.int64)
    nth = np.cumsum(starts, out=ordered)
    nth -= 1
    member[order] = nth
    return order[starts], member


def _add(counts: IntArray, membership: IntArray, n: int) -> IntArray:
    """Sums of integer counts by class; exact below 2**53 persons."""
    if n == 1:
        return np.array([counts.sum()], np.int64)
    return np.bincount(membership, weights=counts, minlength=n).astype(np.int64)


def _largest(values: IntArray, membership: IntArray, n: int) -> IntArray:
    """Largest value in each new class."""
    out = np.zeros(n, np.int64)
    np.maximum.at(out, membership, values)
    return out
