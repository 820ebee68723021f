"""The classes that can be had at the least generalization: level vectors are visited by rising loss.

At each vector the tuples that are left are grouped at its levels; groups that satisfy the criteria
become classes and leave. What costs little is decided first, so that few rows remain for the
coarse nodes. Groups are found from two halves of the attributes, each grouped once per half vector
and kept; tuples whose half alone stands in too small a group are left out at once.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_VECTORS = 50_000
MOST_VISITS = 300_000_000
"""Tuples looked at over all vectors; beyond, what is left is parted from the top."""

WORTH_KEEPING = 0.6
"""Share of live tuples below which the groups of the halves are computed anew, for those only."""

MOST_KEPT = 40_000_000
"""Numbers kept for half vectors."""

MOST_SLOTS = 2**16
"""Groups are counted in so many slots; where there may be more of them, several share one."""


@dataclass(slots=True)
class Half:
    """Groups of the tuples by some of the attributes, by level vector; kept once computed.

    Args:
        attributes: the attributes of this half.
        codes: (n, h) int64, leaf codes of the tuples.
        persons: (n,) int64.
        least: persons that any class needs.
        kept: number of the group of each tuple (-1: fewer than `least` persons), by level vector.
    """

    attributes: tuple[Attribute, ...]
    codes: IntArray
    persons: IntArray
    least: int
    kept: dict[tuple[int, ...], tuple[IntArray, int]] = field(default_factory=dict)

    def groups(self, levels: tuple[int, ...]) -> tuple[IntArray, int]:
        """(n,) int64 group of each tuple, or -1, and the number of groups."""
        found = self.kept.get(levels)
        if found is None:
            found = self._group(levels)
            if (len(self.kept) + 1) * len(self.persons) <= MOST_KEPT:
                self.kept[levels] = found
        return found

    def _group(self, levels: tuple[int, ...]) -> tuple[IntArray, int]:
        if not levels:
            return np.zeros(len(self.persons), np.int64), 1
        columns = [
            a.hierarchy.ancestors[level][self.codes[:, j]]
            for j, (a, level) in enumerate(zip(self.attributes, levels, strict=True))
        ]
        key, size = columns[0], int(columns[0].max(initial=0)) + 1
        for column in columns[1:]:
            radix = int(column.max(initial=0)) + 1
            key, size = key * radix + column, size * radix
            if size > MOST_SLOTS:
                distinct, key = distinct_rows(np.stack(columns, axis=1))
                size = len(distinct)
                break
        enough = np.bincount(key, weights=self.persons, minlength=size) >= self.least
        number = np.where(enough, np.cumsum(enough) - 1, -1)
        return number[key], int(enough.sum())


def peel(table: Table, attributes: Sequence[Attribute], watch: Watch) -> IntArray:
    """Take classes by rising generalization.

    Returns:
        (n,) int64, class of each tuple, -1 for those that no visited vector could place.
    """
    finest = table.judge.finest
    vectors = cheapest(level_losses(attributes, finest.codes, finest.rows), MOST_VECTORS)
    middle = _middle(attributes)
    member = np.full(finest.n_classes, -1, np.int64)
    here = np.arange(finest.n_classes)
    halves, alive = _halves(table, attributes, middle, here), np.ones(len(here), bool)
    n_done, n_left, visits = 0, len(here), 0
    for i, vector in enumerate(vectors.tolist()):
        if not n_left or visits > MOST_VISITS:
            break
        if i % 64 == 0:
            watch.progress(len(member) - n_left, len(member), "taking classes by rising loss")
            if watch.is_over():
                break
        watch.checked += 1
        visits += len(here)
        taken, classes = _classes_at(table, halves, here, alive, (tuple(vector[:middle]), tuple(vector[middle:])))
        if len(taken):
            member[here[taken]] = n_done + classes
            n_done += int(classes.max()) + 1
            alive[taken] = False
            n_left -= len(taken)
        if n_left < WORTH_KEEPING * len(here):
            here, alive = here[alive], alive[alive]
            halves = _halves(table, attributes, middle, here)
    return member


def _middle(attributes: Sequence[Attribute]) -> int:
    """Where to part the attributes so that both halves have about as many level vectors."""
    sizes = np.log([a.hierarchy.height + 1 for a in attributes])
    return int(np.argmin(np.abs(np.cumsum(sizes) - sizes.sum() / 2))) + 1


def _halves(table: Table, attributes: Sequence[Attribute], middle: int, left: IntArray) -> tuple[Half, Half]:
    """Both halves of the attributes, for the tuples that are left."""
    codes, persons = table.judge.finest.codes[left], table.sizes.persons[left]
    least = table.judge.least_persons()
    return (
        Half(tuple(attributes[:middle]), codes[:, :middle], persons, least),
        Half(tuple(attributes[middle:]), codes[:, middle:], persons, least),
    )


def _classes_at(
    table: Table,
    halves: tuple[Half, Half],
    tuples: IntArray,
    alive: BoolArray,
    levels: tuple[tuple[int, ...], tuple[int, ...]],
) -> tuple[IntArray, IntArray]:
    """Places in `tuples` of those that form classes at a level vector, and the class of each."""
    a, _ = halves[0].groups(levels[0])
    b, n_b = halves[1].groups(levels[1])
    here = np.flatnonzero(alive & (a >= 0) & (b >= 0))
    nothing = np.zeros(0, np.int64)
    if not len(here):
        return nothing, nothing
    here, key = _in_large_groups(here, a[here] * n_b + b[here], halves[0])
    if not len(here):
        return nothing, nothing
    order = np.argsort(key, kind="stable")
    here, key = here[order], key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    ok = table.judge.may_hold(table.sizes.take(tuples[here]).reduce(starts))
    group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(here))))
    here, group = here[ok[group]], (np.cumsum(ok) - 1)[group[ok[group]]]
    if not len(here) or table.judge.is_exact_on_sizes:
        return here, group
    order = np.argsort(here)
    here, group = here[order], group[order]
    ok = table.judge.holds_for(tuples[here], group, int(ok.sum()))
    return here[ok[group]], (np.cumsum(ok) - 1)[group[ok[group]]]


def _in_large_groups(here: IntArray, key: IntArray, half: Half) -> tuple[IntArray, IntArray]:
    """The tuples, with the keys of their groups, that may stand in groups of enough persons: most vectors have none."""
    slot = key & (MOST_SLOTS - 1)
    enough = np.bincount(slot, weights=half.persons[here]) >= half.least
    if not enough.any():
        return here[:0], key[:0]
    stay = np.flatnonzero(enough[slot])
    return here[stay], key[stay]


def level_losses(attributes: Sequence[Attribute], codes: IntArray, rows: IntArray) -> list[FloatArray]:
    """For each attribute the (height + 1,) mean loss over the rows when all are at one level.

    The loss of a node is its share of the leaves, 0 at level 0 and for a node of one leaf.
    """
    out = []
    for j, attribute in enumerate(attributes):
        tree = attribute.hierarchy
        by_leaf = np.bincount(codes[:, j], weights=rows, minlength=tree.n_leaves) / max(rows.sum(), 1)
        losses = np.zeros(tree.height + 1)
        for level in range(1, tree.height + 1):
            counts = tree.leaf_counts(level)
            share = np.where(counts > 1, counts / tree.n_leaves, 0.0)
            losses[level] = by_leaf @ share[tree.ancestors[level]]
        out.append(losses * attribute.column.weight)
    return out


def cheapest(losses: Sequence[FloatArray], most: int) -> IntArray:
    """The level vectors of least total loss, by rising loss; ties by level, first attribute first.

    Attributes are added one by one, keeping the `most` cheapest beginnings: a vector among the
    cheapest has a beginning among the cheapest.

    Args:
        losses: for each attribute the loss at each of its levels, rising.
        most: greatest number of vectors.

    Returns:
        (n, m) int64, n <= most.

    Example:
        >>> cheapest([np.array([0.0, 0.5]), np.array([0.0, 0.2, 1.0])], 4).tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    vectors, total = np.zeros((1, 0), np.int64), np.zeros(1)
    for loss in losses:
        n, h = len(vectors), len(loss)
        added = (total[:, None] + loss).ravel()
        levels = np.tile(np.arange(h), n)
        order = np.argsort(np.round(added, 12), kind="stable")[:most]
        vectors = np.concatenate((np.repeat(vectors, h, axis=0)[order], levels[order, None]), axis=1)
        total = added[order]
    return vectors
