"""Lengths of shortest paths from a few vertices, sixty-four at a time in the bits of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray

AT_A_TIME = 64
_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1).astype(np.int64)
"""Ones in each byte."""


def path_lengths(graph: Graph, sources: IntArray, longest: int) -> IntArray:
    """(longest + 1,) int64: pairs of a source and another vertex at each distance 1, 2, …; place 0 counts those without.

    Args:
        graph: of n vertices.
        sources: different vertices.
        longest: paths that are longer count as none, >= 1.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> path_lengths(Graph(5, np.array([[0, 1], [1, 2], [2, 3]])), np.array([0]), 2).tolist()
        [2, 1, 1]
    """
    start, to = graph.neighbors()
    found = np.zeros(longest + 1, np.int64)
    for begin in range(0, len(sources), AT_A_TIME):
        found += _lengths_of(start, to, sources[begin : begin + AT_A_TIME], longest)
    found[0] = len(sources) * (graph.vertices - 1) - found[1:].sum()
    return found


def _lengths_of(start: IntArray, to: IntArray, sources: IntArray, longest: int) -> IntArray:
    """Pairs at each distance from at most 64 sources: what is reached spreads along all edges in each step."""
    met = np.zeros(len(start) - 1, np.uint64)
    met[sources] = np.uint64(1) << np.arange(len(sources), dtype=np.uint64)
    some = np.flatnonzero(np.diff(start))
    found, new = np.zeros(longest + 1, np.int64), met
    for length in range(1, longest + 1):
        if not len(some) or not new.any():
            break
        after = met.copy()
        after[some] |= np.bitwise_or.reduceat(new[to], start[some])
        new, met = after & ~met, after
        found[length] = _ONES[new.view(np.uint8)].sum()
    return found
