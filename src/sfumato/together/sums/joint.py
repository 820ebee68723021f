"""Classes from summed counts of tuples, and the rows of a release from summed counts of values by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.table.attribute import bind
from sfumato.together.construction import Seen, construct
from sfumato.together.judging import histogram_of, sized

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """

    labels: tuple[tuple[str | None, ...], ...]
    member: IntArray
    sizes: IntArray


def made_of(sums: Sums, counts: IntArray, tools: Tools) -> Made:
    """The classes that the method of the plan makes of summed counts; noise below 0 counts as 0.

    Raises:
        NoSolution: it finds none.
    """
    cells, rows = sums.known, np.maximum(counts, 0)
    there = np.flatnonzero(rows)
    if not len(there):
        raise NoSolution("Hospitals must have a row together; the sum has none.", "see that tables are not empty.")
    codes = cells.tuples_of(there)
    used = [np.unique(column, return_inverse=True) for column in codes.T]
    values = tuple(tuple(names[i] for i in one) for names, (one, _) in zip(cells.values, used, strict=True))
    asked = np.zeros(len(there), np.int64)
    tuples = np.stack([*(of for _, of in used), asked], axis=1)
    found = construct(sums.terms, [Seen(values, tuples, rows[there])], tools)
    member = np.full(cells.n, -1, np.int64)
    member[there] = found.member[0]
    _fill(member, there, found.labels, cells)
    return Made(found.labels, member, found.sizes)


def _fill(member: IntArray, there: IntArray, labels: Sequence[Sequence[str | None]], cells: Cells) -> None:
    """Give absent tuples the class whose labels they would have, where every value has one label: then it is not told which
    tuples occur in a class.
    """
    placed = there[member[there] >= 0]
    codes, above = cells.tuples_of(placed), []
    for j, (column, size) in enumerate(zip(labels, cells.sizes, strict=True)):
        distinct, of = np.unique(np.array([repr(label) for label in column]), return_inverse=True)
        label = np.full(size, -1, np.int64)
        label[codes[:, j]] = of[member[placed]]
        if not np.array_equal(label[codes[:, j]], of[member[placed]]):
            return
        above.append((label, of, len(distinct)))
    absent = np.setdiff1d(np.arange(cells.n), there, assume_unique=True)
    known = np.zeros(len(labels[0]), np.int64)
    wanted, is_known = np.zeros(len(absent), np.int64), np.ones(len(absent), np.bool_)
    for (label, of, n), codes_of in zip(above, cells.tuples_of(absent).T, strict=True):
        known, wanted = known * n + of, wanted * n + label[codes_of]
        is_known &= label[codes_of] >= 0
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], wanted), len(order) - 1)
    same = is_known & (known[order][at] == wanted)
    member[absent[same]] = order[at[same]]


def counted(sums: Sums, table: IntArray) -> Classes:
    """Classes with the values of their sensitive columns, from (n, combinations) counts of carried values."""
    cells, plan = sums.carried, sums.terms.plan
    whole = table.reshape(len(table), *cells.sizes)
    histograms = []
    for name in sums.terms.counted:
        j = cells.names.index(name)
        single = whole.sum(axis=tuple(i + 1 for i in range(len(cells.sizes)) if i != j)).reshape(len(table), -1)
        occurs = np.flatnonzero(single.any(axis=0))
        attribute = bind(plan.schema[name], [cells.values[j][i] for i in occurs])
        place = {value: i for i, value in enumerate(attribute.hierarchy.labels[0])}
        ordered = np.zeros((len(table), attribute.hierarchy.n_leaves), np.int64)
        ordered[:, [place[cells.values[j][i]] for i in occurs]] = single[:, occurs]
        histograms.append(histogram_of(attribute, ordered))
    return sized(table.sum(axis=1), histograms)
