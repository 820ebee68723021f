"""What is published of a group: the mean or median of its numbers, the lowest common node of its categories.

Means are exact: sums of the decimals as they are written, divided and rounded once (halves to even).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.publish import Labelled, lowest_nodes, runs_of
from sfumato.summary.classes import distinct_rows
from sfumato.table.decimals import rounded_quotients, spelled, whole_numbers
from sfumato.table.hierarchy.tree import ROOT
from sfumato.table.label import format_value
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.mechanism.recode.partition.publish import Runs
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

_LARGEST = 2**62
"""Sums below this stay in int64; larger ones are Python integers."""


class Center(Enum):
    """What stands for the numbers of a group."""

    MEAN = "mean"
    MEDIAN = "median"
    """The lower median: a value of the group."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How centers are written.

    Args:
        centers: what stands for the group, by ordered column; the mean where none is named.
        digits: digits after the point of a mean, by column; where none is named, as many as the values of the
            column have (none for whole numbers; dates are whole days).
    """

    centers: Mapping[str, Center]
    digits: Mapping[str, int]


def label_groups(
    member: IntArray, codes: IntArray, rows: IntArray, attributes: Sequence[Attribute], spelling: Spelling
) -> Labelled:
    """Spell the centers of all groups; groups with equal labels are one class.

    A group of missing values only is missing; where missing values are among others, `*` is published.

    Args:
        member: (n,) int64, group of each tuple or piece of one, 0 … n_groups-1, none empty.
        codes: (n, m) int64, leaf codes of the tuples.
        rows: (n,) int64, rows of each.
        attributes: the m attributes.
        spelling: how centers are written.
    """
    runs = runs_of(member)
    numbers, texts = [], []
    for j, attribute in enumerate(attributes):
        number, names = _label_one(codes[runs.order, j], rows[runs.order], runs, attribute, spelling)
        numbers.append(number)
        texts.append(names)
    distinct, to_new = distinct_rows(np.stack(numbers, axis=1))
    return Labelled(to_new[member], distinct, tuple(texts))


def _label_one(
    leaves: IntArray, rows: IntArray, runs: Runs, attribute: Attribute, spelling: Spelling
) -> tuple[IntArray, tuple[str | None, ...]]:
    """Number of the label of each group, and the distinct labels; `leaves` and `rows` stand group by group."""
    if attribute.positions is None:
        return lowest_nodes(leaves, runs.starts, attribute)
    if spelling.centers.get(attribute.name, Center.MEAN) is Center.MEDIAN:
        texts = _medians(leaves, rows, runs.starts, attribute)
    else:
        texts = _means(leaves, rows, runs.starts, attribute, spelling.digits.get(attribute.name))
    absent = np.isnan(attribute.positions)[leaves]
    some, every = np.logical_or.reduceat(absent, runs.starts), np.logical_and.reduceat(absent, runs.starts)
    texts = [None if all_ else ROOT if any_ else text for text, any_, all_ in zip(texts, some, every, strict=True)]
    known = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    return np.fromiter((known[text] for text in texts), np.int64, len(texts)), tuple(known)


def _medians(leaves: IntArray, rows: IntArray, starts: IntArray, attribute: Attribute) -> list[str | None]:
    """The lower median of each group, as it is written in the table."""
    where = np.zeros(0) if attribute.positions is None else attribute.positions
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(leaves)))
    order = np.lexsort((where[leaves], group))
    up_to = np.cumsum(rows[order])
    total = np.add.reduceat(rows, starts)
    middle = np.cumsum(total) - total + (total + 1) // 2
    chosen = leaves[order][np.searchsorted(up_to, middle)]
    names = attribute.hierarchy.labels[0]
    return [None if names[v] is None else format_value(str(names[v])) for v in chosen.tolist()]


def _means(
    leaves: IntArray, rows: IntArray, starts: IntArray, attribute: Attribute, digits: int | None
) -> list[str | None]:
    """The rounded mean of each group; for groups with missing values any number."""
    scaled, places = whole_numbers(attribute)
    digits = places if digits is None or attribute.column.kind is Kind.DATE else digits
    value = np.array(scaled, object)
    if max(map(abs, scaled), default=0) * int(rows.sum()) < _LARGEST:
        value = value.astype(np.int64)
    sums = np.add.reduceat(value[leaves] * rows, starts).astype(object)
    total = np.add.reduceat(rows, starts).astype(object) * 10**places
    return list(spelled(attribute, rounded_quotients(sums * 10**digits, total), digits))
