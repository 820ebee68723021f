"""Edges added, removed and moved until every vertex has the degree it owes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.summary.neighborhoods import Near
    from sfumato.types import IntArray


def graph_of(near: Near) -> Graph:
    """The graph of these neighbors."""
    size = np.fromiter((len(one) for one in near), np.int64, len(near))
    to = np.fromiter((v for one in near for v in one), np.int64, int(size.sum()))
    ends = np.stack([np.repeat(np.arange(len(near)), size), to], axis=1)
    return Graph(len(near), ends[ends[:, 0] < ends[:, 1]])


def join(near: Near, one: int, other: int) -> None:
    """Add the edge."""
    near[one].add(other)
    near[other].add(one)


def part(near: Near, one: int, other: int) -> None:
    """Remove the edge."""
    near[one].discard(other)
    near[other].discard(one)


def pair_off(near: Near, owed: IntArray, *, added: bool) -> IntArray:
    """Join (or part) vertices that owe degrees with one another, those that owe most first.

    Args:
        near: changed.
        owed: (n,) int64 >= 0: edges that each vertex must gain (or lose).
        added: whether edges are added; else removed.

    Returns:
        (n,) int64 what is still owed, where partners are wanting.

    Source:
        K. Liu and E. Terzi, "Towards identity anonymization on graphs", SIGMOD 2008, section 6 (Supergraph), after
        V. Havel 1955 and S. Hakimi 1962.

    Example:
        >>> from sfumato.summary.neighborhoods import near_sets
        >>> near = near_sets(Graph(4, np.array([[0, 1]])))
        >>> pair_off(near, np.array([2, 0, 1, 1]), added=True).tolist(), near[0]
        ([0, 0, 0, 0], {1, 2, 3})
    """
    left, unpaired, change = owed.copy(), np.zeros_like(owed), join if added else part
    waiting: list[list[int]] = [[] for _ in range(int(owed.max(initial=0)) + 1)]
    for v in np.flatnonzero(owed).tolist():
        waiting[owed[v]].append(v)
    for top in range(len(waiting) - 1, 0, -1):
        while waiting[top]:
            v = waiting[top].pop()
            if left[v] != top:
                continue
            left[v] = 0
            mine, found = near[v], list[int]()
            for level in range(top, 0, -1):
                found += take(waiting[level], top - len(found), partial(_owes, left, level), mine, added)
                if len(found) == top:
                    break
            for u in found:
                change(near, v, u)
                left[u] -= 1
                waiting[left[u]].append(u)
            unpaired[v] = top - len(found)
    return unpaired


def _owes(left: IntArray, level: int, u: int) -> bool:
    return bool(left[u] == level)


def take(some: list[int], wanted: int, waits: Callable[[int], bool], mine: set[int], added: bool = True) -> list[int]:
    """Up to so many from the end of a list, who still wait and can be joined (or parted); who no longer waits is dropped.

    Args:
        some: changed: who is taken is no longer in it.
        wanted: >= 0.
        waits: whether somebody still waits here.
        mine: neighbors of whoever looks for partners.
        added: whether partners must not be neighbors; else they must be.

    Example:
        >>> some = [1, 2, 3, 4]
        >>> take(some, 2, lambda u: u != 4, {3}), some
        ([2, 1], [3])
    """
    out, passed = list[int](), list[int]()
    while some and len(out) < wanted:
        u = some.pop()
        if waits(u):
            (passed if (u in mine) == added else out).append(u)
    some += reversed(passed)
    return out


def hand_over(near: Near, owed: IntArray) -> IntArray:
    """Move one end of an edge from a vertex with too many to one with too few, until there is none of either.

    Args:
        near: changed.
        owed: (n,) int64: above 0 for edges to gain, below 0 for edges to lose.

    Returns:
        (n,) int64 what is still owed.

    Example:
        >>> from sfumato.summary.neighborhoods import near_sets
        >>> near = near_sets(Graph(4, np.array([[0, 1], [0, 2]])))
        >>> hand_over(near, np.array([-1, 0, 0, 1])).tolist(), near[3]
        ([0, 0, 0, 0], {1})
    """
    left = owed.copy()
    few, many = np.flatnonzero(left > 0).tolist(), np.flatnonzero(left < 0).tolist()
    for v in few:
        for w in many:
            movable = sorted(near[w] - near[v] - {v})[: max(min(int(left[v]), int(-left[w])), 0)]
            for x in movable:
                part(near, w, x)
                join(near, v, x)
            left[v] -= len(movable)
            left[w] += len(movable)
            if not left[v]:
                break
        many = [w for w in many if left[w]]
    return left


def exchange(near: Near, owed: IntArray) -> IntArray:
    """Two who both want edges, or both have too many, with the help of others whose degrees stay.

    Two who want: an edge between others is removed, and each of its ends joined to one of them. Two who have too many:
    each gives up an edge, and the two ends set free are joined.

    Args:
        near: changed.
        owed: (n,) int64, all >= 0 or all <= 0.

    Returns:
        (n,) int64 what is still owed.

    Example:
        >>> from sfumato.summary.neighborhoods import near_sets
        >>> near = near_sets(Graph(4, np.array([[0, 1], [2, 3]])))
        >>> exchange(near, np.array([1, 1, 0, 0])).tolist(), sorted(near[0]), sorted(near[1])
        ([0, 0, 0, 0], [1, 2], [0, 3])
    """
    left = owed.copy()
    waiting = np.repeat(np.arange(len(owed)), np.abs(owed)).tolist()
    for u, v in zip(waiting[::2], waiting[1::2], strict=False):
        gains = bool(owed[u] > 0)
        found = next(_between(near, u, v) if gains else _freed(near, u, v), None)
        if found is None:
            continue
        x, y = found
        pairs = [(x, y), (u, x), (v, y)]
        for change, some in ((part, pairs[:1]), (join, pairs[1:])) if gains else ((part, pairs[1:]), (join, pairs[:1])):
            for one, other in some:
                change(near, one, other)
        left[u] -= 1 if gains else -1
        left[v] -= 1 if gains else -1
    return left


def _between(near: Near, u: int, v: int) -> Iterator[tuple[int, int]]:
    """Edges x, y of which u can be joined to x and v to y."""
    for x in range(len(near)):
        if x in (u, v) or x in near[u]:
            continue
        yield from ((x, y) for y in sorted(near[x] - near[v]) if y not in (u, v))


def _freed(near: Near, u: int, v: int) -> Iterator[tuple[int, int]]:
    """Neighbors x of u and y of v who can be joined."""
    for x in sorted(near[u] - {v}):
        yield from ((x, y) for y in sorted(near[v] - near[x] - {x, u}))
