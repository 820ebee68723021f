"""Numbers and dates in declared intervals, one list of them per level.

Every interval holds its lower edge and not its upper one, and is spelled `[20, 25[` unless the plan
names it. Values outside are refused, or fall in a class of their own where an open end was declared:
`< 20` below, `>= 65` above.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import AmbiguousHierarchy, HierarchyError, IntervalGap, IntervalOverlap, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.label import format_below, format_from, format_half_open
from sfumato.table.number import Edge, leaves_of, place, spell
from sfumato.table.schema import chained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` up to, without, `high`.

    Args:
        low: lower edge, inside; None: open below.
        high: upper edge, outside; None: open above.
        label: what is published; None: the interval's own spelling.
    """

    low: Edge | None
    high: Edge | None
    label: str | None = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise ParameterError("An interval must have an edge; it has none.", "publish `*` for any value.")
        if self.low is not None and self.high is not None and not place(self.low) < place(self.high):
            raise ParameterError(
                "An interval must begin before it ends; got {low} to {high}.",
                "exchange or correct them.",
                low=self.low,
                high=self.high,
            )

    @property
    def start(self) -> float:
        """Place of the lower edge, -inf where open."""
        return -np.inf if self.low is None else place(self.low)

    @property
    def end(self) -> float:
        """Place of the upper edge, inf where open."""
        return np.inf if self.high is None else place(self.high)


@dataclass(frozen=True, slots=True)
class Intervals:
    """Declared intervals; the levels go from fine to coarse, then `*`.

    Args:
        levels: the intervals of each level.

    Example:
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
        >>> spec = from_edges([[0, 18, 65]], below=False, above=True)
        >>> spec.build(age, ["70", "3", "18"]).labels
        (('3', '18', '70'), ('[0, 18[', '[18, 65[', '>= 65'), ('*',))
    """

    levels: tuple[tuple[Interval, ...], ...]

    def __post_init__(self) -> None:
        if not self.levels or not all(self.levels):
            raise ParameterError("Every level must have an interval; one has none.", "give each level its intervals.")

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return "declared intervals: " + chained([str(len(level)) for level in self.levels])

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Put each value in its interval.

        Raises:
            IntervalOverlap: two intervals of one level share values.
            IntervalGap: a value lies in no interval of some level.
            AmbiguousHierarchy: an interval lies across two of the next level.
        """
        leaves = leaves_of(column, values)
        labels: list[tuple[str | None, ...]] = [leaves.texts]
        ancestors: list[IntArray] = [np.arange(len(leaves.texts))]
        for number, level in enumerate(self.levels, 1):
            ordered = sorted(level, key=lambda interval: interval.start)
            _check_apart(column.name, ordered, number)
            if number > 1:
                _check_nested(column.name, self.levels[number - 2], ordered, number)
            places = _classify(column.name, ordered, leaves.places, number)
            used, codes = np.unique(places, return_inverse=True)
            labels.append(_labels(column, [ordered[i] for i in used.tolist()], number))
            ancestors.append(codes.astype(np.int64))
        return Hierarchy.from_codes(column.name, labels, ancestors)


def from_edges(levels: Sequence[Sequence[Edge]], *, below: bool, above: bool) -> Intervals:
    """Intervals between each edge and the next, with open ends as asked.

    Args:
        levels: edges of each level, strictly increasing, from the finest level to the coarsest.
        below: whether everything below the first edge is a class of its own.
        above: whether everything from the last edge on is a class of its own.

    Raises:
        ParameterError: the edges of a level do not increase, or there are too few. Remedy: sort them.

    Example:
        >>> [interval.label or (interval.low, interval.high) for interval in from_edges([[18, 65]], below=True, above=True).levels[0]]
        [(None, 18), (18, 65), (65, None)]
    """
    return Intervals(tuple(_between(edges, below=below, above=above) for edges in levels))


def _between(edges: Sequence[Edge], *, below: bool, above: bool) -> tuple[Interval, ...]:
    places = [place(edge) for edge in edges]
    if any(a >= b for a, b in pairwise(places)):
        raise ParameterError(
            "The edges of intervals must be strictly increasing; got {edges}.",
            "sort them and write each once.",
            edges=[str(edge) for edge in edges],
        )
    inner = [Interval(low, high) for low, high in pairwise(edges)]
    first = [Interval(None, edges[0])] if below and edges else []
    last = [Interval(edges[-1], None)] if above and edges else []
    if not (first or inner or last):
        raise ParameterError(
            "Intervals need two edges, or an open end; got {n_edges}.", "add an edge.", n_edges=len(edges)
        )
    return (*first, *inner, *last)


def _check_apart(column: str, level: Sequence[Interval], number: int) -> None:
    """Intervals of one level share no value."""
    overlaps = sum(later.start < earlier.end for earlier, later in pairwise(level))
    if overlaps:
        raise IntervalOverlap(
            "The intervals of level {number} of {column!r} must not overlap; {overlaps} of {n_level} begin before "
            "the one below ends.",
            "each interval holds its lower edge and not its upper one: end each where the next begins.",
            number=number,
            column=column,
            overlaps=overlaps,
            n_level=len(level),
        )


def _check_nested(column: str, finer: Sequence[Interval], coarser: Sequence[Interval], number: int) -> None:
    """Each finer interval lies inside one coarser interval, or outside them all."""
    starts, ends = np.array([i.start for i in coarser]), np.array([i.end for i in coarser])
    low, high = np.array([i.start for i in finer]), np.array([i.end for i in finer])
    touched = np.searchsorted(starts, high, "left") - np.searchsorted(ends, low, "right")
    first = np.minimum(np.searchsorted(ends, low, "right"), len(coarser) - 1)
    torn = (touched > 1) | ((touched == 1) & ((low < starts[first]) | (high > ends[first])))
    if torn.any():
        raise AmbiguousHierarchy(
            "Each interval of level {number} of {column!r} must lie inside one of level {number2}; "
            "{sum} of {n_finer} lie across an edge.",
            "let the edges of a coarser level be among those of the finer one.",
            number=number - 1,
            column=column,
            number2=number,
            sum=int(torn.sum()),
            n_finer=len(finer),
        )


def _classify(column: str, level: Sequence[Interval], places: FloatArray, number: int) -> IntArray:
    """(n,) int64: the interval of each value."""
    starts, ends = np.array([i.start for i in level]), np.array([i.end for i in level])
    found = np.searchsorted(starts, places, "right") - 1
    outside = (found < 0) | (places >= ends[found])
    if outside.any():
        n_below, n_above = int((places < starts[0]).sum()), int((places >= ends[-1]).sum())
        raise IntervalGap(
            "Every value of {column!r} must lie in an interval of level {number}; {sum} of {n_places} "
            "do not: {n_below} below the first, {n_above} from the end of the last on, "
            "{sum2} between.",
            "add the interval, or ask for open ends (`below = true`, `above = true`).",
            column=column,
            number=number,
            sum=int(outside.sum()),
            n_places=len(places),
            n_below=n_below,
            n_above=n_above,
            sum2=int(outside.sum()) - n_below - n_above,
        )
    return found.astype(np.int64)


def _labels(column: Column, level: Sequence[Interval], number: int) -> tuple[str, ...]:
    """What is published for each interval; two intervals never look alike."""
    labels = tuple(_label(column, interval) for interval in level)
    if len(set(labels)) < len(labels):
        raise HierarchyError(
            "The intervals of level {number} of {name!r} must have different labels; {n_labels} repeat one.",
            "give each its own label, or a date format that tells the edges apart.",
            number=number,
            name=column.name,
            n_labels=len(labels) - len(set(labels)),
        )
    return labels


def _label(column: Column, interval: Interval) -> str:
    """The declared label, or the interval spelled out."""
    if interval.label is not None:
        return interval.label
    if interval.low is None:
        return format_below(spell(column, interval.high or 0))
    if interval.high is None:
        return format_from(spell(column, interval.low))
    return format_half_open(spell(column, interval.low), spell(column, interval.high))
