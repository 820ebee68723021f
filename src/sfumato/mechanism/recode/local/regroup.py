"""Classes joined two by two and parted anew: what a cut from the top cannot find.

Two classes are near if tuples of theirs differ in few attributes. Pairs whose union loses least beside
what both lose now are joined and cut again, all pairs of a round at once; a pair is kept as it was
unless what comes out loses less. No pair is tried twice. In between, single tuples move. It begins with
the best of three partitions from the top, whose cuts were chosen with more and less regard to balance.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.local.moves import move, state_of
from sfumato.mechanism.recode.partition.publish import runs_of
from sfumato.mechanism.recode.partition.splits import divide
from sfumato.numbers.distinct import distinct
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.recode.local.moves import State
    from sfumato.mechanism.recode.partition.cuts import Cuts, Groups, Table
    from sfumato.mechanism.recode.partition.nodes import Nodes
    from sfumato.mechanism.recode.partition.splits import Propose, Watch
    from sfumato.types import FloatArray, IntArray

    HashArray = npt.NDArray[np.uint64]

MOST_ROUNDS = 24
MOVES_EVERY = 12
"""Tuples move one by one after so many rounds."""

MOST_GROWTH = 1.2
"""Two classes are joined if their union loses at most so many times more than both do now."""

MOST_WIDE = 4
"""Attributes of which two may differ in tuples that are linked."""

MOST_LINKS = 4_000_000
"""Links between tuples kept; beyond, only tuples that differ in one attribute are linked."""

LEAST_GAIN = 1e-9


def thorough(table: Table, propose: Propose, begin: IntArray | None, watch: Watch) -> IntArray:
    """Part the tuples with effort.

    Args:
        table: the tuples.
        propose: ranks the cuts of cells.
        begin: (n,) int64, cell of each tuple to begin with; None: one cell.
        watch: limits and listener.

    Returns:
        (n,) int64, class of each tuple; every class satisfies the criteria.
    """
    seeds = [divide(table, tilted(propose, tilt), watch, begin) for tilt in (0, 1, -1)]
    best = min(range(len(seeds)), key=lambda i: round(float(state_of(table, seeds[i]).loss.sum()), 6))
    return regroup(table, move(table, seeds[best], watch), propose, watch)


def tilted(propose: Propose, eighths: int) -> Propose:
    """The same cuts, their gains times (rows of the smaller half / rows of the cell) ** (eighths / 8).

    Roots are taken by square roots, which every machine rounds alike.
    """
    if not eighths:
        return propose

    def ranked(table: Table, nodes: Nodes) -> tuple[Cuts, Sequence[Groups]]:
        cuts, groups = propose(table, nodes)
        share = _smaller_share(cuts, groups)
        factor = np.sqrt(np.sqrt(np.sqrt(share))) ** eighths
        return replace(cuts, gain=np.maximum(np.rint(cuts.gain * factor), 1).astype(np.int64)), groups

    return ranked


def _smaller_share(cuts: Cuts, groups: Sequence[Groups]) -> FloatArray:
    """(n,) float64: rows of the smaller half of each cut over those of its cell."""
    out = np.zeros(len(cuts.cell))
    for j in distinct(cuts.axis):
        mine = np.flatnonzero(cuts.axis == j)
        rows = np.concatenate((np.zeros(1, np.int64), np.cumsum(groups[j].sizes.rows)))
        first = np.searchsorted(groups[j].cell, cuts.cell[mine])
        last = np.searchsorted(groups[j].cell, cuts.cell[mine], side="right")
        share = (rows[first + cuts.last[mine] + 1] - rows[first + cuts.first[mine]]) / (rows[last] - rows[first])
        out[mine] = np.minimum(share, 1 - share)
    return out


def regroup(table: Table, member: IntArray, propose: Propose, watch: Watch) -> IntArray:
    """Join and part pairs of classes until little is left to try.

    Args:
        table: the tuples.
        member: (n,) int64, class of each; every class satisfies the criteria.
        propose: ranks the cuts of a joined pair.
        watch: limits and listener.

    Returns:
        (n,) int64, other classes that lose no more; every class satisfies the criteria.
    """
    links, marks, tried = links_of(table), _marks(len(member)), np.zeros(0, np.uint64)
    for turn in range(MOST_ROUNDS):
        watch.progress(turn, MOST_ROUNDS, "joining classes and parting them anew")
        if watch.is_over():
            break
        if turn % MOVES_EVERY == MOVES_EVERY - 1:
            member = move(table, member, watch)
        state = state_of(table, member)
        pairs, union = _pairs(table, state, links, marks, tried)
        if not len(union):
            break
        tried = np.concatenate((tried, union))
        member = _again(table, state, pairs, propose, watch)
    return divide(table, propose, watch, move(table, member, watch))


def links_of(table: Table) -> IntArray:
    """(2, n_links) int64: tuples that differ in one attribute, or in two of those with most values.

    Tuples that agree in all others stand in order of the rest, and each is linked to the two after it.
    """
    ranks = table.ranks
    m, n = ranks.shape
    widest = np.argsort(-ranks.max(axis=1, initial=0), kind="stable")[:MOST_WIDE]
    apart = [(j,) for j in range(m)] + list(combinations(sorted(widest.tolist()), 2))
    found = [np.zeros((2, 0), np.int64)]
    for free in apart[: max(MOST_LINKS // (2 * max(n, 1)), m)]:
        _, same = distinct_rows(np.delete(ranks, free, axis=0).T)
        order = np.lexsort((*ranks[list(free)], same))
        for lag in (1, 2):
            pairs = np.stack((order[:-lag], order[lag:]))
            found.append(pairs[:, same[pairs[0]] == same[pairs[1]]])
    return np.concatenate(found, axis=1)


def _marks(n: int) -> HashArray:
    """(n,) uint64, a number for each tuple: their sums tell sets of tuples apart (SplitMix64)."""
    with np.errstate(over="ignore"):
        x = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _pairs(
    table: Table, state: State, links: IntArray, marks: HashArray, tried: HashArray
) -> tuple[IntArray, HashArray]:
    """(2, n) int64 pairs of classes worth joining, each class in one at most; and the mark of each union."""
    n = len(state.starts)
    ends = np.sort(state.member[links], axis=0)
    keys = (ends[0] * n + ends[1])[ends[0] != ends[1]]
    keys.sort()
    a, b = np.divmod(keys[np.diff(keys, prepend=-1) > 0], n)
    mark = np.add.reduceat(marks[state.order], state.starts)
    union = mark[a] + mark[b]
    new = ~np.isin(union, tried)
    a, b, union = a[new], b[new], union[new]
    before = state.loss[a] + state.loss[b]
    rows = state.sizes.rows[a] + state.sizes.rows[b]
    after = rows * table.layout.losses(state.covers.take(a).join(state.covers.take(b)))
    growth = np.round((after - before) / np.maximum(before, LEAST_GAIN), 9)
    order = np.argsort(growth, kind="stable")
    order = order[(growth[order] < MOST_GROWTH) & (before[order] > 0)]
    chosen = order[_apart(a[order], b[order], n)]
    return np.stack((a[chosen], b[chosen])), union[chosen]


def _apart(a: IntArray, b: IntArray, n: int) -> IntArray:
    """Places of pairs, taken in turn, so that no class is in two."""
    free, chosen = [True] * n, []
    for i, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        if free[first] and free[second]:
            free[first] = free[second] = False
            chosen.append(i)
    return np.array(chosen, np.int64)


def _again(table: Table, state: State, pairs: IntArray, propose: Propose, watch: Watch) -> IntArray:
    """The classes after each pair was joined and parted, where that loses less."""
    number = np.full(len(state.starts), -1)
    number[pairs[0]] = number[pairs[1]] = np.arange(pairs.shape[1])
    pair = number[state.member]
    parted = divide(table, propose, watch, pair)
    here = np.flatnonzero(pair >= 0)
    runs = runs_of(parted[here])
    order = here[runs.order]
    losses = table.layout.losses(table.covers.take(order).reduce(runs.starts))
    losses *= np.add.reduceat(table.sizes.rows[order], runs.starts)
    after = np.bincount(pair[order[runs.starts]], weights=losses)
    better = after < state.loss[pairs].sum(axis=0) - LEAST_GAIN
    taken = here[better[pair[here]]]
    member = state.member.copy()
    member[taken] = len(state.starts) + parted[taken]
    return (np.cumsum(np.bincount(member) > 0) - 1)[member]
