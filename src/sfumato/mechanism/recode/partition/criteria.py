"""The criteria on candidate classes: asked cheaply of sizes first, then exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import COUNTED, Criterion, Move, TableCriterion
from sfumato.summary.classes import Classes, merge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.types import BoolArray, IntArray

    Change = Callable[[IntArray], IntArray]

LARGEST_FLOOR = 2**40


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """What adds up when classes merge: all that a criterion on sizes reads.

    Args:
        rows: (n,) int64.
        persons: (n,) int64; exact when no person has rows in several tuples, else an upper bound. The same array as
            `rows` where each row is a person, so that nothing is done twice.
        population: (n,) int64 or None.
        personal_k: (n,) int64, the largest, or None.
    """

    rows: IntArray
    persons: IntArray
    population: IntArray | None
    personal_k: IntArray | None

    def each(self, of_counts: Change, of_k: Change) -> Sizes:
        """What is made of each count, and of the k asked."""
        rows = of_counts(self.rows)
        return Sizes(
            rows,
            rows if self.persons is self.rows else of_counts(self.persons),
            None if self.population is None else of_counts(self.population),
            None if self.personal_k is None else of_k(self.personal_k),
        )

    def take(self, index: IntArray) -> Sizes:
        """The sizes of the listed classes."""

        def listed(sizes: IntArray) -> IntArray:
            return sizes.take(index)

        return self.each(listed, listed)

    def reduce(self, starts: IntArray) -> Sizes:
        """The sizes of runs of classes that begin at `starts` (sorted)."""
        return self.each(lambda counts: np.add.reduceat(counts, starts), lambda k: np.maximum.reduceat(k, starts))

    def without(self, part: Sizes, personal_k: IntArray | None) -> Sizes:
        """What remains of each class without a part of it, of which the k asked is given."""
        rows = self.rows - part.rows
        is_alike = self.persons is self.rows and part.persons is part.rows
        population = None
        if self.population is not None and part.population is not None:
            population = self.population - part.population
        return Sizes(rows, rows if is_alike else self.persons - part.persons, population, personal_k)


def sizes_of(classes: Classes) -> Sizes:
    """Sizes of finest classes."""
    return Sizes(classes.rows, classes.persons, classes.population, classes.personal_k)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """The criteria on single classes, and the finest classes they are asked about.

    Args:
        finest: finest classes.
        criteria: criteria judged class by class.
        floor: least number of persons in a class whatever the criteria say (1: none); raised to make
            criteria on the whole table hold.
    """

    finest: Classes
    criteria: tuple[Criterion, ...]
    floor: int = 1

    @property
    def is_exact_on_sizes(self) -> bool:
        """Whether `may_hold` already decides: nothing but additive sizes is read."""
        return self.finest.spread is None and not any(c.needs & COUNTED for c in self.criteria)

    def may_hold(self, sizes: Sizes) -> BoolArray:
        """(n,) bool: whether criteria that read sizes only hold; the others are not asked."""
        n = len(sizes.rows)
        classes = Classes(
            np.empty((n, 0), np.int64),
            rows=sizes.rows,
            alone=sizes.persons,
            population=sizes.population,
            personal_k=sizes.personal_k,
        )
        out = sizes.persons >= self.floor
        for criterion in self.criteria:
            if not criterion.needs & COUNTED:
                out &= criterion.holds(classes)
        return out

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: whether every criterion holds, exactly."""
        out = classes.persons >= self.floor
        for criterion in self.criteria:
            out &= criterion.holds(classes)
        return out

    def holds_for(self, tuples: IntArray, member: IntArray, n_classes: int) -> BoolArray:
        """(n_classes,) bool: whether every criterion holds in each class of a part of the table.

        Args:
            tuples: sorted indices of finest tuples.
            member: (len(tuples),) int64, class of each.
            n_classes: number of classes; every one has a tuple.
        """
        mask = np.zeros(self.finest.n_classes, bool)
        mask[tuples] = True
        nameless = replace(self.finest, codes=np.empty((self.finest.n_classes, 0), np.int64))
        return self.holds(merge(nameless.select(mask), member, np.empty((n_classes, 0), np.int64)))

    def least_persons(self) -> int:
        """Persons that any class needs: classes with fewer than twice as many cannot be parted."""
        return max([self.floor, *(_least(c) for c in self.criteria)])


def _least(criterion: Criterion) -> int:
    """The smallest class that a criterion on sizes alone accepts; 1 for the others."""
    if criterion.needs or not criterion.monotone_in & Move.ABSORB:
        return 1
    low, high = 1, 1
    while high < LARGEST_FLOOR and not _accepts(criterion, high):
        low, high = high + 1, high * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _accepts(criterion, middle) else (middle + 1, high)
    return low


def _accepts(criterion: Criterion, size: int) -> bool:
    """Whether a class of so many persons, one row each, satisfies the criterion."""
    one = np.array([size])
    return bool(criterion.holds(Classes(np.empty((1, 0), np.int64), rows=one, alone=one))[0])


def sorted_out(
    criteria: Sequence[Criterion | TableCriterion],
) -> tuple[tuple[Criterion, ...], tuple[TableCriterion, ...]]:
    """Criteria on single classes, and criteria on the whole table."""
    single = tuple(c for c in criteria if isinstance(c, Criterion))
    table = tuple(c for c in criteria if not isinstance(c, Criterion))
    return single, table
