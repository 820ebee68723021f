"""Classes from summed counts of tuples, and the rows of a release from summed counts of values by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.together.construction import Seen, Valued, construct
from sfumato.together.judging import counted_by, not_added_up, sized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.safepub import SafePub
    from sfumato.release.tools import Tools
    from sfumato.summary.classes import Classes
    from sfumato.together.sums.declared import Cells
    from sfumato.together.sums.session import Sums
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Classes made of a sum.

    Args:
        labels: for each quasi-identifier the text of each class, None: missing.
        member: (cells,) int64 class of each declared tuple; -1: its rows are left out.
        sizes: (n,) int64 rows of each class, as the sum has it.
        unmet: rows that are left out because their persons ask for more than can be met.
        left_out: rows that the method suppresses; None: nobody may know.
        met: the largest k that can be met.
    """

    labels: tuple[tuple[str | None, ...], ...]
    member: IntArray
    sizes: IntArray
    unmet: int
    left_out: int | None
    met: int


def made_of(sums: Sums, counts: IntArray, tools: Tools) -> Made:
    """The classes that the method of the plan makes of summed counts; noise below 0 counts as 0.

    Raises:
        NoSolution: it finds none.
        ReportError: columns that steer have other numbers of rows. Remedy: compare versions.
    """
    if sums.terms.sampling is not None:
        return _sampled(sums, counts, sums.terms.sampling)
    cells, seen, there = sums.known, *_seen(sums, counts)
    found = construct(sums.terms, [seen], tools, None if sums.coarse is None else sums.coarse.attributes)
    member = np.full(cells.n, -1, np.int64)
    member[there] = found.member[0]
    _fill(member, there, found.labels, cells)
    return Made(found.labels, member, found.sizes, found.unmet, found.left_out, found.met)


def _sampled(sums: Sums, counts: IntArray, promise: SafePub) -> Made:
    """The tuples of levels of which enough rows were sampled: each is a class. Nothing else depends on the counts.

    Source:
        R. Bild, K. Kuhn, F. Prasser, PoPETs 2018(1), section 4.
    """
    large = counts >= promise.k
    if not large.any():
        raise NoSolution(
            "A class must hold {k} sampled rows; none does.", "choose coarser levels, or a larger epsilon.", k=promise.k
        )
    codes = sums.known.tuples_of(np.flatnonzero(large))
    labels = tuple(
        tuple(names[i] for i in column.tolist()) for names, column in zip(sums.known.values, codes.T, strict=True)
    )
    return Made(labels, np.where(large, np.cumsum(large) - 1, -1), counts[large], 0, None, 0)


def _seen(sums: Sums, counts: IntArray) -> tuple[Seen, IntArray]:
    """What the sum shows, and the declared tuples that occur in it."""
    cells, tables = sums.known, sums.tables(counts) if sums.valued else []
    by_column = [table.sum(axis=1) for table in tables] or [np.maximum(counts, 0)]
    rows = by_column[0]
    if not all(np.array_equal(rows, other) for other in by_column):
        raise not_added_up()
    there = np.flatnonzero(rows)
    if not len(there):
        raise NoSolution("Hospitals must have a row together; the sum has none.", "see that tables are not empty.")
    codes, m = cells.tuples_of(there), len(sums.terms.plan.schema.quasi_identifiers)
    used = [np.unique(column, return_inverse=True) for column in codes[:, :m].T]
    values = tuple(tuple(names[i] for i in one) for names, (one, _) in zip(cells.values, used, strict=False))
    asked = np.zeros(len(there), np.int64)
    if len(cells.sizes) > m:
        asked = np.array([int(str(value)) for value in cells.values[m]], np.int64)[codes[:, m]]
    tuples = np.stack([*(of for _, of in used), asked], axis=1)
    valued = [Valued(one.names[0], one.values[0], table[there]) for one, table in zip(sums.valued, tables, strict=True)]
    return Seen(values, tuples, rows[there], tuple(valued)), there


def _fill(member: IntArray, there: IntArray, labels: Sequence[Sequence[str | None]], cells: Cells) -> None:
    """Give absent tuples the class whose labels they would have, where every value has one label: then it is not told which
    tuples occur in a class. What persons ask for has no label.
    """
    placed = there[member[there] >= 0]
    codes, above = cells.tuples_of(placed), []
    for j, (column, size) in enumerate(zip(labels, cells.sizes, strict=False)):
        distinct, of = np.unique(np.array([repr(label) for label in column]), return_inverse=True)
        label = np.full(size, -1, np.int64)
        label[codes[:, j]] = of[member[placed]]
        if not np.array_equal(label[codes[:, j]], of[member[placed]]):
            return
        above.append((label, of, len(distinct)))
    absent = np.setdiff1d(np.arange(cells.n), there, assume_unique=True)
    known = np.zeros(len(labels[0]), np.int64)
    wanted, is_known = np.zeros(len(absent), np.int64), np.ones(len(absent), np.bool_)
    for (label, of, n), codes_of in zip(above, cells.tuples_of(absent).T, strict=False):
        known, wanted = known * n + of, wanted * n + label[codes_of]
        is_known &= label[codes_of] >= 0
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], wanted), len(order) - 1)
    same = is_known & (known[order][at] == wanted)
    member[absent[same]] = order[at[same]]


def counted(sums: Sums, table: IntArray, totals: IntArray) -> Classes:
    """Classes with the values of their sensitive columns.

    Args:
        sums: what is added.
        table: (n, combinations) int64 rows of each class with each combination of carried values.
        totals: values of columns that steer in the whole table, one column after the other, as `Sums.n_totals` counts them.
    """
    cells, plan = sums.carried, sums.terms.plan
    whole, of = table.reshape(len(table), *cells.sizes), sums.totals_of(totals)
    histograms = []
    for name in sums.terms.counted:
        j = cells.names.index(name)
        single = whole.sum(axis=tuple(i + 1 for i in range(len(cells.sizes)) if i != j)).reshape(len(table), -1)
        histograms.append(counted_by(plan.schema[name], cells.values[j], single, of.get(name)))
    return sized(table.sum(axis=1), histograms)
