"""Classes as holders count them together, and which of them keep promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import Criterion
    from sfumato.table.attribute import Attribute
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


def kept_by(promises: Sequence[Criterion], classes: Classes) -> BoolArray:
    """(n,) bool: the classes that keep all of these promises."""
    keep = np.ones(classes.n_classes, np.bool_)
    for promise in promises:
        keep &= promise.holds(classes)
    return keep
