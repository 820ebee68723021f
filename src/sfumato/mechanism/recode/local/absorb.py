"""Where do tuples go that found no class? To the class whose loss grows least by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.partition.publish import runs_of

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.types import IntArray

MOST_PAIRS = 1_000_000
"""Pairs of a tuple and a class compared at a time."""


def absorb(table: Table, member: IntArray) -> IntArray:
    """Give every tuple a class.

    Tuples without one form a class of their own if that satisfies the criteria; otherwise each joins
    the class whose rows × loss grows least. Classes may then fail criteria that a union can break;
    `settle.repair` joins those.

    Args:
        table: the tuples.
        member: (n,) int64, class of each tuple, -1: none.

    Returns:
        (n,) int64, all >= 0, numbered from 0.
    """
    left = np.flatnonzero(member < 0)
    if not len(left):
        return member
    out = member.copy()
    n_classes = int(member.max()) + 1
    alone = np.zeros(len(left), np.int64)
    if not n_classes or table.judge.holds_for(left, alone, 1)[0]:
        out[left] = n_classes
        return out
    placed = np.flatnonzero(member >= 0)
    runs = runs_of(member[placed])
    covers = table.covers.take(placed[runs.order]).reduce(runs.starts)
    rows = np.add.reduceat(table.sizes.rows[placed[runs.order]], runs.starts)
    before = rows * table.layout.losses(covers)
    step = max(MOST_PAIRS // n_classes, 1)
    for begin in range(0, len(left), step):
        some = left[begin : begin + step]
        each = np.repeat(some, n_classes)
        union = covers.take(np.tile(np.arange(n_classes), len(some))).join(table.covers.take(each))
        after = (np.tile(rows, len(some)) + table.sizes.rows[each]) * table.layout.losses(union)
        out[some] = np.argmin(after.reshape(len(some), n_classes) - before, axis=1)
    return out
