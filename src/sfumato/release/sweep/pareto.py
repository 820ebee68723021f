"""The releases that no other beats: the Pareto front of risk and worth, exactly."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def pareto_front(costs: Sequence[tuple[float, float]]) -> list[bool]:
    """Which points no other beats.

    A point is beaten by another that is at most as costly in both ways and less in one. Equal points stand or fall
    together. Numbers are compared as they are, without tolerance.

    Args:
        costs: two finite costs of each point, less is better.

    Returns:
        One truth value for each point.

    Source:
        S. Börzsönyi, D. Kossmann, K. Stocker, "The skyline operator", ICDE 2001, section 1.

    Example:
        >>> pareto_front([(0.2, 0.1), (0.1, 0.3), (0.2, 0.2), (0.1, 0.3)])
        [True, True, False, True]
    """
    order = sorted(range(len(costs)), key=costs.__getitem__)
    kept = [False] * len(costs)
    least = float("inf")
    for _, tied in groupby(order, key=lambda i: costs[i][0]):
        same = list(tied)
        best = costs[same[0]][1]
        if best < least:
            for i in same:
                kept[i] = costs[i][1] == best
            least = best
    return kept
