"""Edges put between vertices of given degrees and given numbers of edges between classes of vertices.

Ends of edges are dealt out to vertices, as many as each has degrees, and paired at random; loops and doubles are mended by
exchanging ends with other edges between the same classes, which changes no degree. Those that are left, where classes are
dense, get other vertices of their classes; what is left then is dropped.

Source: B. Bollobás, "A probabilistic proof of an asymptotic formula for the number of labelled regular graphs", European
Journal of Combinatorics 1, 1980 (pairing); for classes of degrees P. Mahadevan et al., "Systematic topology analysis and
generation using degree correlations", SIGCOMM 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.permutation import permutation
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, FloatArray, IntArray

ROUNDS = 30
"""Of mending."""


def wire(classes: IntArray, degrees: IntArray, edges: IntArray, *, bits: Bits) -> Graph:
    """A random graph.

    Args:
        classes: (n,) int64 of each vertex, in [0, c).
        degrees: (n,) int64 >= 0, how many ends each vertex has; where a class needs more, its vertices take another turn.
        edges: (c, c) int64 >= 0; the upper triangle says how many edges lie within and between classes.
        bits: source of chance.

    Returns:
        Graph: at most so many edges; between classes without any end of degree, none.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> one = np.zeros(4, int)
        >>> wire(one, np.array([3, 1, 1, 1]), np.array([[3]]), bits=SystemBits()).degrees.tolist()
        [3, 1, 1, 1]
    """
    many = len(edges)
    has = np.bincount(classes, degrees, minlength=many) > 0
    first, second = np.triu_indices(many)
    times = np.where(has[first] & has[second], edges[first, second], 0)
    block = np.repeat(np.arange(len(times)), times)
    of_class = np.stack((first[block], second[block]), axis=1)
    ends = _dealt(classes, degrees, of_class.ravel(), bits).reshape(-1, 2)
    begins = np.concatenate(([0], np.cumsum(times)))
    members = np.argsort(classes, kind="stable")
    for turn in range(2 * ROUNDS):
        bad = np.flatnonzero(_is_bad(ends, len(classes)))
        if not len(bad):
            break
        if turn < ROUNDS:
            _exchange(ends, bad, begins, block, bits)
        else:
            ends[bad] = _anybody(members, np.bincount(classes, minlength=many), of_class[bad], bits)
    return Graph(len(classes), ends)


def fitted(counts: FloatArray, ends: FloatArray, rounds: int = 50) -> FloatArray:
    """Symmetric counts of edges between classes, scaled until those at each class have so many ends; a few rounds.

    Args:
        counts: (c, c) >= 0, symmetric; an edge within a class counts once and has two ends there.
        ends: (c,) >= 0.
        rounds: of scaling.

    Source:
        W. Deming, F. Stephan, "On a least squares adjustment of a sampled frequency table when the expected marginal totals
        are known", Annals of Mathematical Statistics 11, 1940; symmetric, with square roots.

    Example:
        >>> fitted(np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([3.0, 3.0])).round(6).tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    out = counts.copy()
    for _ in range(rounds):
        have = out.sum(axis=1) + np.diag(out)
        scale = np.sqrt(np.divide(ends, have, out=np.ones_like(have), where=have > 0))
        out = out * np.multiply.outer(scale, scale)
    return out


def _dealt(classes: IntArray, degrees: IntArray, wanted: IntArray, bits: Bits) -> IntArray:
    """For each wanted class a vertex of it, each as often as its degree before any takes another turn."""
    stubs = np.repeat(np.arange(len(classes)), degrees)
    stubs = stubs[permutation(len(stubs), bits=bits)]
    stubs = stubs[np.argsort(classes[stubs], kind="stable")]
    sizes = np.bincount(classes[stubs], minlength=int(classes.max(initial=0)) + 1)
    starts = np.cumsum(sizes) - sizes
    shuffled = permutation(len(wanted), bits=bits)
    order = shuffled[np.argsort(wanted[shuffled], kind="stable")]
    asked = wanted[order]
    turn = np.arange(len(order)) - np.searchsorted(asked, asked)
    out = np.empty(len(wanted), np.int64)
    out[order] = stubs[starts[asked] + turn % np.maximum(sizes[asked], 1)] if len(order) else 0
    return out


def _is_bad(ends: IntArray, vertices: int) -> BoolArray:
    """(m,) loops, and edges that are there already."""
    code = ends.min(axis=1) * vertices + ends.max(axis=1)
    order = np.argsort(code, kind="stable")
    bad = np.asarray(ends[:, 0] == ends[:, 1], np.bool_)
    bad[order[1:]] |= code[order[1:]] == code[order[:-1]]
    return bad


def _exchange(ends: IntArray, bad: IntArray, begins: IntArray, block: IntArray, bits: Bits) -> None:
    """Second ends of bad edges exchanged with those of other edges between the same classes, in place."""
    sizes = np.diff(begins)[block[bad]]
    place = begins[block[bad]] + np.floor(uniform(len(bad), bits=bits) * sizes).astype(np.int64)
    place, first = np.unique(place, return_index=True)
    bad = bad[first]
    free = ~np.isin(place, bad)
    place, bad = place[free], bad[free]
    within = np.flatnonzero(np.floor(uniform(len(bad), bits=bits) * 2) == 1)
    same = within[_within(block[bad[within]], begins)]
    ends[place[same]] = ends[place[same], ::-1]  # edges within a class have no first end
    ends[bad, 1], ends[place, 1] = ends[place, 1], ends[bad, 1]


def _anybody(members: IntArray, sizes: IntArray, wanted: IntArray, bits: Bits) -> IntArray:
    """Vertices of the wanted classes, each equally likely."""
    drawn = np.floor(uniform(wanted.size, bits=bits).reshape(wanted.shape) * sizes[wanted]).astype(np.int64)
    found: IntArray = members[(np.cumsum(sizes) - sizes)[wanted] + drawn]
    return found


def _within(block: IntArray, begins: IntArray) -> BoolArray:
    """Whether blocks of the upper triangle are those within a class."""
    many = int((np.sqrt(8 * (len(begins) - 1) + 1) - 1) // 2)
    first, second = np.triu_indices(many)
    return np.asarray((first == second)[block], np.bool_)


def uniform(n: int, *, bits: Bits) -> FloatArray:
    """(n,) floats in [0, 1), of 53 bits; good for what promises nothing.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bool(uniform(1, bits=SystemBits())[0] < 1)
        True
    """
    return np.asarray((bits.words(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53)
