"""Classes as holders count them together, and which of them keep promises."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.guarantee.base import Need
from sfumato.release.binding import in_order
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import bind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import Criterion
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import BoolArray, IntArray


def sized(rows: IntArray, histograms: Sequence[Histogram] = ()) -> Classes:
    """Classes of which only the sizes, and how often some values stand in them, are known.

    Example:
        >>> sized(np.array([3, 5])).persons.tolist()
        [3, 5]
    """
    return Classes(np.arange(len(rows))[:, None], rows=rows, alone=rows, histograms=tuple(histograms))


def histogram_of(attribute: Attribute, table: IntArray) -> Histogram:
    """The values of a column by class, from (n, leaves) counts."""
    owner, value = np.nonzero(table)
    return Histogram(attribute, owner, value, table[owner, value], table.sum(axis=0))


def counted_by(
    column: Column, values: Sequence[str | None], table: IntArray, total: IntArray | None = None
) -> Histogram:
    """The values of a column by class, from (n, values) counts of texts, of which those count that occur.

    Args:
        column: the declaration.
        values: texts, None for a missing cell.
        table: (n, values) int64 rows.
        total: (values,) int64 rows in the whole table, at least those in classes; None: there are no others.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> illness = Column("illness", Role.SENSITIVE)
        >>> found = counted_by(illness, ("gout", "none", "flu"), np.array([[2, 0, 0], [1, 0, 3]]))
        >>> found.attribute.hierarchy.labels[0], found.owner.tolist(), found.count.tolist(), found.total.tolist()
        (('flu', 'gout'), [0, 1, 1], [2, 3, 1], [3, 3])
    """
    total = table.sum(axis=0) if total is None else total
    occurs = np.flatnonzero(total).tolist()
    attribute = bind(column, in_order(tuple(values[i] for i in occurs)))
    place = {value: i for i, value in enumerate(attribute.hierarchy.labels[0])}
    ordered = np.zeros((len(table) + 1, attribute.hierarchy.n_leaves), np.int64)
    ordered[:, [place[values[i]] for i in occurs]] = np.concatenate((table, total[None]))[:, occurs]
    return replace(histogram_of(attribute, ordered[:-1]), total=ordered[-1])


def kept_by(promises: Sequence[Criterion], classes: Classes) -> BoolArray:
    """(n,) bool: the classes that keep all of these promises."""
    keep = np.ones(classes.n_classes, np.bool_)
    for promise in promises:
        keep &= promise.holds(classes)
    return keep


def told_by_sizes(promises: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The promises that sizes alone tell; to what persons ask for, each holder sees for its own."""
    return tuple(one for one in promises if Need.PERSONAL_K not in one.needs)


def not_added_up() -> ReportError:
    """The refusal of numbers of which one contradicts another."""
    return ReportError("Numbers that holders count must add up; they do not: one of them counted otherwise.",
                       "compare versions of this program.")  # fmt: skip
