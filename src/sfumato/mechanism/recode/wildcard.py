"""Single cells to suppress when a suppressed cell counts as any value.

Two rows *match* when they agree in every attribute that neither has suppressed. A row is safe when
at least k rows, itself included, match it. A suppressed cell then helps twice: its row matches more
rows, and they match it. In a *flat* (rows that agree outside a set T of attributes) x rows with T
suppressed bring x more matches to every other row, so a few cells per flat are enough.

Search: flats of one attribute first, then of two, and so on. In each round every unsafe row looks at
the flat that makes most unsafe rows safe per suppressed cell; flats that are the best of all their
unsafe rows are taken together, and matches are counted anew.

Source: the definition of a match is that of sdcMicro's frequency counts (M. Templ, A. Kowarik,
B. Meindl, "Statistical Disclosure Control for Micro-Data Using the R Package sdcMicro", JSS 67(4),
2015, section 2); the search is ours.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.scan import first_per_segment, running_sum, segment_starts
from sfumato.numbers.distinct import distinct
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.splits import Watch
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """Rows with suppressed cells, alike rows together.

    Args:
        origin: (n,) int64, finest tuple of each group.
        mask: (n,) int64, bit j set: attribute j is suppressed.
        rows: (n,) int64, >= 1.
    """

    origin: IntArray
    mask: IntArray
    rows: IntArray

    def moved(self, group: IntArray, mask: IntArray, rows: IntArray) -> Masked:
        """Suppress more cells in some rows of the listed groups (each listed once)."""
        left = self.rows.copy()
        left[group] -= rows
        origin = np.concatenate((self.origin, self.origin[group]))
        pairs = np.stack((origin, np.concatenate((self.mask, mask))), axis=1)
        distinct, member = distinct_rows(pairs)
        total = np.bincount(member, weights=np.concatenate((left, rows))).astype(np.int64)
        there = total > 0
        return Masked(distinct[there, 0], distinct[there, 1], total[there])

    def n_cells(self, j: int) -> int:
        """Suppressed cells of attribute j."""
        return int(self.rows[(self.mask >> j & 1) == 1].sum())


def matches(codes: IntArray, groups: Masked) -> IntArray:
    """(n,) int64: rows that match each group, itself included.

    For two masks P and Q the groups match that agree outside P ∪ Q.

    Args:
        codes: (n_tuples, m) int64, values of the finest tuples.
        groups: rows with suppressed cells.

    Example:
        >>> rows = Masked(np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([1, 1, 1]))
        >>> matches(np.array([[0, 0], [1, 0], [2, 0]]), rows).tolist()
        [2, 2, 3]
    """
    out = np.zeros(len(groups.rows), np.int64)
    present = distinct(groups.mask)
    where = {int(mask): np.flatnonzero(groups.mask == mask) for mask in present}
    for mine, ours in where.items():
        by_union: dict[int, list[IntArray]] = {}
        for other, theirs in where.items():
            by_union.setdefault(mine | other, []).append(theirs)
        for union, lists in by_union.items():
            theirs = np.concatenate(lists)
            both = np.concatenate((ours, theirs))
            _, key = distinct_rows(_outside(codes[groups.origin[both]], union))
            n_mine = len(ours)
            total = np.bincount(key[n_mine:], weights=groups.rows[theirs], minlength=int(key.max()) + 1)
            out[ours] += total[key[:n_mine]].astype(np.int64)
    return out


def suppress_cells(codes: IntArray, rows: IntArray, k: int, importance: FloatArray, watch: Watch) -> Masked:
    """Suppress cells until every row matches k rows; needs k <= all rows.

    Args:
        codes: (n, m) int64, values of the finest tuples.
        rows: (n,) int64.
        k: least number of matching rows.
        importance: (m,) float64 > 0, what a suppressed cell of each attribute costs.
        watch: listener; limits are not read, since an unfinished suppression protects nobody.
    """
    m = codes.shape[1]
    groups = Masked(np.arange(len(rows)), np.zeros(len(rows), np.int64), rows)
    width = 1
    while True:
        found = matches(codes, groups)
        short = np.maximum(k - found, 0)
        if not short.any():
            return groups
        watch.progress(int(groups.rows[short == 0].sum()), int(rows.sum()), "suppressing cells")
        sets = chain.from_iterable(combinations(range(m), size) for size in range(1, width + 1))
        masks = sorted(sum(1 << j for j in chosen) for chosen in sets)
        flats = [_flats(codes, groups, short, k, mask, importance) for mask in masks]
        watch.checked += len(masks)
        moved = _take_best(groups, flats)
        if moved is None:
            width += 1
        else:
            groups = moved


@dataclass(frozen=True, slots=True, eq=False)
class Flats:
    """What could be suppressed for one set of attributes.

    Args:
        mask: the attributes.
        price: (n_flats,) float64, cost per unsafe group made safe.
        unsafe: (n_unsafe,) int64, unsafe groups; each lies in one flat.
        flat: (n_unsafe,) int64, the flat of each, sorted.
        whole: (n_unsafe,) bool, whether all rows of the group are suppressed.
        donor: (n_flats,) int64, group that gives more rows, -1: none is needed.
        extra: (n_flats,) int64, how many.
    """

    mask: int
    price: FloatArray
    unsafe: IntArray
    flat: IntArray
    whole: BoolArray
    donor: IntArray
    extra: IntArray


def _outside(codes: IntArray, mask: int) -> IntArray:
    """The columns that a mask leaves."""
    return codes[:, [j for j in range(codes.shape[1]) if not mask >> j & 1]]


def _flats(codes: IntArray, groups: Masked, short: IntArray, k: int, mask: int, importance: FloatArray) -> Flats:
    """The flats along `mask` that hold unsafe groups and at least k rows, with the cheapest choice in each."""
    inside = np.flatnonzero(groups.mask & ~mask == 0)
    _, key = distinct_rows(_outside(codes[groups.origin[inside]], mask))
    size = np.bincount(key, weights=groups.rows[inside])
    may = (short[inside] > 0) & (size[key] >= k) & (groups.mask[inside] != mask)
    order = np.lexsort((groups.rows[inside], -short[inside], key))
    order = order[may[order]]
    unsafe, flat_key = inside[order], key[order]
    begin, count = segment_starts(flat_key)
    flat = np.repeat(np.arange(len(begin)), count)
    donor, donor_rows = _donors(groups, short, inside, key, flat_key[begin])
    before = running_sum(groups.rows[unsafe], begin, count) - groups.rows[unsafe] if len(begin) else unsafe
    enough = np.maximum(short[unsafe] - before, 0) <= donor_rows[flat]
    cost = np.where(enough, np.maximum(before, short[unsafe]), np.iinfo(np.int64).max)
    n_all = np.add.reduceat(groups.rows[unsafe], begin) if len(begin) else begin
    least = np.minimum(np.minimum.reduceat(cost, begin), n_all) if len(begin) else begin
    stop = first_per_segment(flat, cost == least[flat])
    at = np.full(len(begin), len(unsafe))
    at[flat[stop]] = stop
    whole = np.arange(len(unsafe)) < at[flat]
    extra = np.zeros(len(begin), np.int64)
    extra[flat[stop]] = np.maximum(short[unsafe[stop]] - before[stop], 0)
    per_cell = sum(float(importance[j]) for j in range(codes.shape[1]) if mask >> j & 1)
    price = least * per_cell / np.maximum(count, 1)
    return Flats(mask, price, unsafe, flat, whole, np.where(extra > 0, donor, -1), extra)


def _donors(
    groups: Masked, short: IntArray, inside: IntArray, key: IntArray, wanted: IntArray
) -> tuple[IntArray, IntArray]:
    """For each wanted key the safe group of most rows, and its rows; (-1, 0) where there is none."""
    safe = np.flatnonzero((short[inside] == 0) & (groups.mask[inside] == 0))
    order = safe[np.lexsort((-groups.rows[inside[safe]], key[safe]))]
    first, _ = segment_starts(key[order])
    best = np.full(int(key.max(initial=0)) + 1, -1, np.int64)
    best[key[order[first]]] = inside[order[first]]
    donor = best[wanted]
    return donor, np.where(donor >= 0, groups.rows[donor], 0)


def _take_best(groups: Masked, flats: list[Flats]) -> Masked | None:
    """Suppress in every flat that is the best of all its unsafe groups; None: there is no flat."""
    best = np.full(len(groups.rows), np.inf)
    for f in flats:
        best[f.unsafe] = np.minimum(best[f.unsafe], f.price[f.flat])
    group, mask, rows = [], [], []
    used = np.zeros(len(groups.rows), bool)
    for f in flats:
        good = np.ones(len(f.price), bool)
        good[f.flat[(f.price[f.flat] > best[f.unsafe]) | used[f.unsafe]]] = False
        given = np.flatnonzero(good & (f.donor >= 0))
        good[given[used[f.donor[given]]]] = False
        mine = f.unsafe[f.whole & good[f.flat]]
        given = np.flatnonzero(good & (f.donor >= 0))
        used[f.unsafe[good[f.flat]]] = True
        used[f.donor[given]] = True
        group += [mine, f.donor[given]]
        rows += [groups.rows[mine], f.extra[given]]
        mask.append(np.full(len(mine) + len(given), f.mask))
    who = np.concatenate(group)
    if not len(who):
        return None
    return groups.moved(who, groups.mask[who] | np.concatenate(mask), np.concatenate(rows))
