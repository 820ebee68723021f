"""Text grouped so that the groups of a level hold about equally many persons: neighbors in order, or by frequency alone.

`balanced` keeps frequent values and merges rare ones; here every value may be merged, and no group is a rest. In order,
groups are runs of neighbors, cut nearest to equal shares. By frequency each value, the most frequent first, goes to the
group that has fewest persons: the fullest group then has at most the persons of one value more than the emptiest. A group
of one value is that value; where only such ones become a group, they do so a level earlier.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.hierarchy.balanced import balanced_from, check_fanout, free_label, group_sizes, nearest
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.number import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.table.hierarchy.groups import Member
    from sfumato.table.hierarchy.intervals import Intervals
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

_LISTED = 5
"""A group of more values than this is named; one of fewer is published as the set of its values."""


def equal_in_order(column: Column, values: Sequence[str | None], counts: IntArray, fanout: int) -> Intervals | Groups:
    """Groups of neighbors; ranges with open ends where the column is ordered.

    Args:
        column: the declaration.
        values: distinct values; missing ones are left aside.
        counts: (n,) int64, persons with each value.
        fanout: about how many groups become one at each level, >= 2.

    Raises:
        ParameterError: `fanout` below 2.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> town = Column("town", Role.QUASI_IDENTIFYING)
        >>> equal_in_order(town, ["c", "a", "d", "b"], np.array([1, 3, 1, 1]), 2).build(town, ["a"]).labels[1]
        ('a', '{b, c, d}')
    """
    check_fanout(fanout)
    if column.kind.is_ordered:
        return balanced_from(column, values, counts, fanout)
    held = {value: int(count) for value, count in zip(values, counts.tolist(), strict=True) if value is not None}
    texts = in_order(column, list(held))
    weights = np.array([held[text] for text in texts], np.int64)
    before, cuts, levels = np.cumsum(weights) - weights, np.arange(1, len(texts)), []
    for size in group_sizes(len(texts), fanout):
        cuts = nearest(cuts, before, int(weights.sum()), size)
        levels.append(np.searchsorted(cuts, np.arange(len(texts)), side="right").tolist())
    return _nested(texts, levels, lambda block: f"{block[0]} – {block[-1]}")


def equal_by_frequency(values: Sequence[str | None], counts: IntArray, fanout: int) -> Groups:
    """Groups of any values, as equal as the next value allows; those of a level are made of those of the finer one.

    Args:
        values: distinct values; missing ones are left aside.
        counts: (n,) int64, persons with each value.
        fanout: about how many groups become one at each level, >= 2.

    Raises:
        ParameterError: `fanout` below 2.

    Source:
        R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969), section 4 (longest first).

    Example:
        >>> equal_by_frequency(["a", "b", "c", "d"], np.array([5, 3, 1, 2]), 2).members
        (Group(members=('a', 'c'), label=None), Group(members=('b', 'd'), label=None))
    """
    check_fanout(fanout)
    held = {value: int(count) for value, count in zip(values, counts.tolist(), strict=True) if value is not None}
    texts = sorted(held, key=lambda text: (-held[text], text))
    loads = [held[text] for text in texts]
    levels: list[list[int]] = []
    for size in group_sizes(len(texts), fanout):
        above = shared(loads, size)
        levels.append([above[group] for group in levels[-1]] if levels else above)
        loads = [sum(load for load, group in zip(loads, above, strict=True) if group == one) for one in range(size)]
    return _nested(texts, levels, lambda block: f"{block[0]} and {len(block) - 1} more")


def shared(loads: Sequence[int], size: int) -> list[int]:
    """Which of `size` groups each load goes to: the heaviest first, each to the group that has least.

    Example:
        >>> shared([5, 3, 1, 2], 2)
        [0, 1, 0, 1]
    """
    groups, free = [0] * len(loads), [(0, group) for group in range(size)]
    for place in sorted(range(len(loads)), key=lambda i: -loads[i]):
        load, group = heapq.heappop(free)
        groups[place] = group
        heapq.heappush(free, (load + loads[place], group))
    return groups


def _nested(texts: Sequence[str], levels: Sequence[Sequence[int]], named: Callable[[Sequence[str]], str]) -> Groups:
    """Groups in groups, from the group of each text at each level, the finest first; one of one member is that member."""
    parts: list[tuple[Member, list[int]]] = [(text, [place]) for place, text in enumerate(texts)]
    taken = set(texts)
    for level in levels:
        inner: dict[int, list[tuple[Member, list[int]]]] = {}
        for part in parts:
            inner.setdefault(level[part[1][0]], []).append(part)
        parts = []
        for block in inner.values():
            places = [place for _, found in block for place in found]
            if len(block) == 1:
                parts.append(block[0])
                continue
            label = free_label(named([texts[i] for i in places]), taken) if len(places) > _LISTED else None
            taken.add(label or "")
            parts.append((Group(tuple(member for member, _ in block), label), places))
    return Groups(tuple(member for member, _ in parts))
