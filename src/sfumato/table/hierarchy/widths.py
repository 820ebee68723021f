"""Numbers in intervals of one width, then of wider ones: ages by 5, then 10, then 20 years.

Interval i of width w holds start + i·w and everything up to, without, start + (i+1)·w. It is spelled
`[20, 25[`. All levels share `start` and every width is a multiple of the one before, so they nest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import AmbiguousHierarchy, HierarchyError, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import Hierarchy, check_height
from sfumato.table.label import format_below, format_from, format_half_open
from sfumato.table.number import exact, leaves_of, spell_number
from sfumato.table.schema import Kind, chained

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from sfumato.table.schema import Column
    from sfumato.types import FloatArray, IntArray

_EXACT_INTEGERS = 2.0**53
"""Floats count exactly up to here."""


@dataclass(frozen=True, slots=True)
class FixedWidths:
    """Intervals of fixed width.

    Args:
        width: width at level 1, > 0.
        then: widths of the next levels, each a larger multiple of the one before.
        start: an edge of every level.
        low: values below it are one class `< low`; None: no such class.
        high: values from it on are one class `>= high`; None: no such class.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
        >>> FixedWidths(5, (10,), high=90).build(age, ["17", "20", "93"]).labels[1:]
        (('[15, 20[', '[20, 25[', '>= 90'), ('[10, 20[', '[20, 30[', '>= 90'), ('*',))
    """

    width: float
    then: tuple[float, ...] = ()
    start: float = 0
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        widths = (self.width, *self.then)
        if not all(0 < width < math.inf for width in widths):
            raise ParameterError(
                "Widths must be positive numbers; got {widths}.", "give widths above 0.", widths=list(widths)
            )
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ParameterError(
                "`from` must lie below `to`; got {low} and {high}.", "exchange them.", low=self.low, high=self.high
            )

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return "intervals of " + chained([spell_number(exact(width)) for width in (self.width, *self.then)])

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Put each value in its interval at each width.

        Raises:
            AmbiguousHierarchy: a width is no larger multiple of the one before.
            HierarchyError: the column has no number, or floats cannot tell the edges apart.
        """
        check_height(column.name, len(self.then) + 2)
        self._check_nested(column.name)
        if column.kind is Kind.DATE:
            raise HierarchyError(
                "Fixed widths need numbers; {name!r} is declared as date.",
                'use `dates = ["month", "year"]`, or `intervals` whose edges are dates.',
                name=column.name,
            )
        leaves = leaves_of(column, values)
        labels: list[tuple[str | None, ...]] = [leaves.texts]
        ancestors: list[IntArray] = [np.arange(len(leaves.texts))]
        for width in (self.width, *self.then):
            bins = _bins(leaves.places, exact(self.start), exact(width), column.name)
            if self.low is not None:
                bins[leaves.places < self.low] = bins.min() - 1
            if self.high is not None:
                bins[leaves.places >= self.high] = bins.max() + 1
            used, first, codes = np.unique(bins, return_index=True, return_inverse=True)
            labels.append(tuple(self._label(leaves.places[i], b, width) for i, b in zip(first, used, strict=True)))
            ancestors.append(codes.astype(np.int64))
        return Hierarchy.from_codes(column.name, labels, ancestors)

    def _label(self, member: float, number: int, width: float) -> str:
        """The spelling of the interval that holds `member`, cut at the open ends."""
        if self.low is not None and member < self.low:
            return format_below(spell_number(exact(self.low)))
        if self.high is not None and member >= self.high:
            return format_from(spell_number(exact(self.high)))
        low = _edge(exact(self.start), exact(width), int(number))
        high = low + exact(width)
        low = low if self.low is None else max(low, exact(self.low))
        high = high if self.high is None else min(high, exact(self.high))
        return format_half_open(spell_number(low), spell_number(high))

    def _check_nested(self, column: str) -> None:
        """Every width is a larger multiple of the one before."""
        for finer, coarser in zip((self.width, *self.then), self.then, strict=False):
            if coarser <= finer or exact(coarser) % exact(finer):
                raise AmbiguousHierarchy(
                    "Each width of {column!r} must be a larger multiple of the one before, else an interval lies "
                    "across two others; {coarser} after {finer} is not.",
                    "choose multiples of {finer} in increasing order.",
                    column=column,
                    coarser=coarser,
                    finer=finer,
                )


def _edge(start: Decimal, width: Decimal, number: int) -> Decimal:
    """Lower edge of an interval by its number: start + number · width."""
    return start + width * number


def _bins(places: FloatArray, start: Decimal, width: Decimal, column: str) -> IntArray:
    """(n,) int64: number i of the interval that holds each value, exactly.

    The quotient of floats may be off by one at an edge; it is compared with the exact edges, rounded
    to floats as the values were when they were read.
    """
    guess = np.floor((places - float(start)) / float(width))
    if np.abs(guess).max() >= _EXACT_INTEGERS:
        raise HierarchyError(
            "The intervals of {column!r} must be wide enough to count them; width {spell_number} is too small for its values.",
            "choose a larger width.",
            column=column,
            spell_number=spell_number(width),
        )
    bins = guess.astype(np.int64)
    used, codes = np.unique(bins, return_inverse=True)
    low = np.array([float(_edge(start, width, number)) for number in used.tolist()])
    high = np.array([float(_edge(start, width, number + 1)) for number in used.tolist()])
    if not (low < high).all():
        raise HierarchyError(
            "The edges of the intervals of {column!r} must be strictly increasing; width {spell_number} is too small.",
            "choose a larger width.",
            column=column,
            spell_number=spell_number(width),
        )
    return bins + (places >= high[codes]) - (places < low[codes])
