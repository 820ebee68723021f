"""The grouping of very many rows, compiled: the same groups, row for row, as `mdav` makes with numpy alone.

Needs numba (the extra `fast`). Sums run in the same order in both forms, so that not even a rounding differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.compiled import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.grouping.points import Points
    from sfumato.types import IntArray

VISITS_AT_A_TIME = 100_000_000
"""Rows looked at between two reports to the listener."""


def group_compiled(points: Points, k: int, tick: Callable[[int], None]) -> IntArray:
    """Part rows into groups; arguments and result as for `mdav`."""
    kernel = compiled(_group_rows)
    n, p = points.numbers.shape
    q = points.nodes.shape[1]
    counts = np.zeros((q, int(points.nodes.max(initial=0)) + 1), np.int64)
    for j in range(q):
        counts[j] = np.bincount(points.nodes[:, j], minlength=counts.shape[1])
    sums = np.cumsum(points.numbers, axis=0)[-1].copy() if p else np.zeros(0)
    numbers, nodes = points.numbers.copy(), points.nodes.copy()
    rows, member = np.arange(n), np.full(n, -1, np.int64)
    state = np.array([n, 0], np.int64)
    while state[0] > 0:
        kernel(numbers, nodes, points.weights, k, sums, counts, rows, member, state, VISITS_AT_A_TIME)
        tick(n - int(state[0]))
    return member


def _group_rows(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop, as compilers like it
    numbers: Any,
    nodes: Any,
    weights: Any,
    k: Any,
    sums: Any,
    counts: Any,
    rows: Any,
    member: Any,
    state: Any,
    budget: Any,
) -> None:
    """Make groups until all rows have one or the budget of visits is spent. `state`: rows left, groups made.

    The rows that are left stand first in `numbers`, `nodes` and `rows`, in their first order.
    """
    n, p, q = state[0], numbers.shape[1], nodes.shape[1]
    distance, gone = np.empty(n), np.zeros(n, np.bool_)
    chosen = np.empty(k, np.int64)
    visits = 0
    while n >= 2 * k and visits < budget:
        visits += 3 * n
        far, most = 0, -np.inf
        for i in range(n):
            d = 0.0
            for c in range(p):
                off = numbers[i, c] - sums[c] / n
                d += off * off
            for c in range(q):
                d -= weights[c] * (counts[c, nodes[i, c]] / n)
            if d > most:
                far, most = i, d
        for turn in range(2 if n >= 3 * k else 1):
            if turn == 1:
                far, most = 0, -np.inf
                for i in range(n):
                    if distance[i] > most:
                        far, most = i, distance[i]
            chosen[0], filled = far, 1
            for i in range(n):
                d = 0.0
                for c in range(p):
                    off = numbers[i, c] - numbers[far, c]
                    d += off * off
                for c in range(q):
                    if nodes[i, c] != nodes[far, c]:
                        d += weights[c]
                distance[i] = d
                if i != far and k > 1 and (filled < k or d < distance[chosen[k - 1]]):
                    at = filled if filled < k else k - 1
                    while at > 1 and distance[chosen[at - 1]] > d:
                        chosen[at] = chosen[at - 1]
                        at -= 1
                    chosen[at] = i
                    filled = min(filled + 1, k)
            chosen.sort()
            for i in chosen:
                gone[i] = True
                member[rows[i]] = state[1]
                for c in range(p):
                    sums[c] -= numbers[i, c]
                for c in range(q):
                    counts[c, nodes[i, c]] -= 1
            state[1] += 1
            to = chosen[0]
            for i in range(chosen[0], n):
                if gone[i]:
                    gone[i] = False
                else:
                    rows[to], distance[to] = rows[i], distance[i]
                    for c in range(p):
                        numbers[to, c] = numbers[i, c]
                    for c in range(q):
                        nodes[to, c] = nodes[i, c]
                    to += 1
            n = to
    if n < 2 * k:
        for i in range(n):
            member[rows[i]] = state[1]
        n = 0
    state[0] = n
