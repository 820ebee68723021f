"""A hierarchy made automatically, so that the groups of a level hold about equally many persons.

Ordered columns: neighbours are merged into ranges, cut where the running count comes nearest to
equal shares. Text has no neighbours, so its rarest values are merged into a group `Other`, and more of
them into `Other (7 values)` at the next level. Ties are broken by the order of values, so the result is fixed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.groups import Group, Groups, Member
from sfumato.table.hierarchy.intervals import Intervals, from_edges
from sfumato.table.number import leaves_of
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.number import Edge
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

OTHER = "Other"
"""Label of the merged rare values."""
_MOST_GROUPS = 1000
"""The finest level has no more groups than this."""
_FEWEST = 3
"""Fewer values than this have no rare ones beside a frequent one."""


@dataclass(frozen=True, slots=True)
class Balanced:
    """Balanced by distinct values; `balanced_from` makes one balanced by persons.

    Args:
        fanout: about how many nodes become one at each level, >= 2.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
        >>> Balanced(2).build(age, ["1", "2", "3", "4"]).labels[1]
        ('< 3', '>= 3')
    """

    fanout: int

    def __post_init__(self) -> None:
        check_fanout(self.fanout)

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return f"made by frequency, {self.fanout} to 1 at each level"

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Make the groups from the distinct values alone, each counted once."""
        present = list(dict.fromkeys(value for value in values if value is not None))
        spec = balanced_from(column, present, np.ones(len(present), np.int64), self.fanout)
        return spec.build(column, present)


def balanced_from(column: Column, values: Sequence[str | None], counts: IntArray, fanout: int) -> Intervals | Groups:
    """A concrete hierarchy balanced by persons, to be written into a plan.

    Args:
        column: the declaration.
        values: distinct values; missing ones are left aside.
        counts: (n,) int64, persons with each value.
        fanout: about how many nodes become one at each level, >= 2.

    Returns:
        Intervals with open ends for an ordered column, else groups `Other`.

    Raises:
        ParameterError: `fanout` below 2.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> town = Column("town", Role.QUASI_IDENTIFYING)
        >>> balanced_from(town, ["a", "b", "c"], np.array([9, 1, 2]), 2).build(town, ["a", "b", "c"]).labels[1]
        ('a', 'Other')
    """
    check_fanout(fanout)
    present = [(value, int(count)) for value, count in zip(values, counts.tolist(), strict=True) if value is not None]
    if column.kind.is_ordered:
        return _balanced_ranges(column, dict(present), fanout)
    return _nested_others(present, fanout)


def merge_rare(values: Sequence[str], counts: IntArray, at_least: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split values into those that stay and those merged into one group.

    Every value with fewer than `at_least` persons is merged, and then the next rarest ones until the
    group itself has `at_least`. Equal counts are taken in the order of the texts.

    Returns:
        Kept values and merged values, from rare to frequent. All are merged if they are too few.

    Example:
        >>> merge_rare(["L", "R", "B", "F", "I"], np.array([3, 4, 3, 1, 1]), 3)
        (('L', 'R'), ('F', 'I', 'B'))
    """
    order = sorted(range(len(values)), key=lambda i: (int(counts[i]), values[i]))
    ranked = counts[order]
    n_merged = int((ranked < at_least).sum())
    if n_merged:
        n_merged = max(n_merged, int(np.searchsorted(np.cumsum(ranked), at_least)) + 1)
    texts = [values[i] for i in order]
    return tuple(texts[n_merged:]), tuple(texts[:n_merged])


def rare_from(values: Sequence[str], counts: IntArray, at_least: int, label: str = OTHER) -> Groups:
    """Groups in which every value held by too few persons is merged into one that is held by enough.

    Example:
        >>> rare_from(["L", "R", "B", "F", "I"], np.array([3, 4, 3, 1, 1]), 3).members
        ('L', 'R', Group(members=('F', 'I', 'B'), label='Other'))
    """
    kept, merged = merge_rare(values, counts, at_least)
    return Groups((*kept, Group(merged, free_label(label, values))) if merged else kept)


def rarer_than_equal(values: Sequence[str | None], counts: IntArray) -> Groups:
    """Values that fewer persons hold than an equal share would be become one group; a group holds two at least.

    Example:
        >>> rarer_than_equal(["a", "b", "c"], np.array([9, 1, 2])).members
        ('a', Group(members=('c', 'b'), label='Other'))
    """
    present = [(value, int(count)) for value, count in zip(values, counts.tolist(), strict=True) if value is not None]
    ranked = [value for value, _ in sorted(present, key=lambda pair: (-pair[1], pair[0]))]
    if len(ranked) < _FEWEST:
        return Groups(tuple(ranked))
    share = sum(count for _, count in present) / len(present)
    n_kept = min(max(sum(count > share for _, count in present), 1), len(ranked) - 2)
    return Groups((*ranked[:n_kept], Group(tuple(ranked[n_kept:]), free_label(OTHER, ranked))))


def check_fanout(fanout: int) -> None:
    """At least two nodes become one."""
    if fanout < 2:
        raise ParameterError(
            "`balanced` must be at least 2; got {fanout}.", "say how many nodes become one.", fanout=fanout
        )


def group_sizes(n: int, fanout: int) -> list[int]:
    """Groups at each level from fine to coarse: n / fanout, n / fanout², …, above 1.

    Levels with more groups than anyone can read are left out.
    """
    sizes = []
    while (n := -(-n // fanout)) > 1:
        sizes.append(n)
    return [size for size in sizes if size <= _MOST_GROUPS]


def _balanced_ranges(column: Column, counts: dict[str, int], fanout: int) -> Intervals | Groups:
    """Ranges with about equally many persons; the edges of a level are among those of the finer one."""
    leaves = leaves_of(_unbounded(column), list(counts))
    distinct, first = np.unique(leaves.places, return_index=True)
    weights = np.add.reduceat(np.array([counts[text] for text in leaves.texts], np.int64), first)
    before = np.cumsum(weights) - weights
    cuts, levels = np.arange(1, len(distinct)), []
    for size in group_sizes(len(distinct), fanout):
        cuts = nearest(cuts, before, int(weights.sum()), size)
        levels.append([_edge(column, float(distinct[cut])) for cut in cuts.tolist()])
    return from_edges(levels, below=True, above=True) if levels else Groups(leaves.texts)


def nearest(cuts: IntArray, before: IntArray, total: int, size: int) -> IntArray:
    """`size` - 1 of the cuts, ascending, each the nearest possible to its equal share of the persons.

    Args:
        cuts: (n,) int64 candidates, ascending, n >= size - 1.
        before: persons below each distinct value, to which cuts are indices.
        total: all persons.
        size: groups wanted.
    """
    number = np.arange(size - 1)
    have, want = before[cuts] * size, (number + 1) * total
    above = np.clip(np.searchsorted(have, want), 1, max(len(cuts) - 1, 1))
    at = np.where(want - have[above - 1] <= have[np.minimum(above, len(cuts) - 1)] - want, above - 1, above)
    at = np.maximum.accumulate(at - number) + number
    return cuts[np.minimum(at, len(cuts) - (size - 1) + number)]


def _edge(column: Column, place: float) -> Edge:
    """A place on the number line as a plan writes it."""
    if column.kind is Kind.DATE:
        return date.fromordinal(int(place) + date(1970, 1, 1).toordinal())
    return int(place) if place.is_integer() else place


def _unbounded(column: Column) -> Column:
    """The column without declared bounds: only observed values carry persons."""
    return replace(column, bounds=None)


def _nested_others(present: Sequence[tuple[str, int]], fanout: int) -> Groups:
    """Keep fewer of the frequent values at each level; the rest is `Other`, with its number of values above the first.

    Two groups of one name would be one class wherever cells of several levels stand in one release.
    """
    ranked = [value for value, _ in sorted(present, key=lambda pair: (-pair[1], pair[0]))]
    sizes = group_sizes(len(ranked), fanout)
    if not sizes:
        return Groups(tuple(ranked))
    n_kept = sizes[0] - 1
    other = Group(tuple(ranked[n_kept:]), free_label(OTHER, ranked))
    for size in sizes[1:]:
        inner: tuple[Member, ...] = (*ranked[size - 1 : n_kept], other)
        n_kept = size - 1
        other = Group(inner, free_label(f"{OTHER} ({len(ranked) - n_kept} values)", ranked))
    return Groups((*ranked[:n_kept], other))


def free_label(label: str, values: Container[str]) -> str:
    """The label, marked where the table has a value of that text."""
    while label in values:
        label = f"{label} (merged)"
    return label
