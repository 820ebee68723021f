"""Which small tables do examples in docstrings start from?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.classes import Classes
from sfumato.summary.distribution import distribution_of
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.distribution import Distribution


def classes_with_illness(counts: Sequence[Sequence[int]]) -> Classes:
    """Classes whose sensitive column "illness" has the given counts (n_classes, n_values).

    Example:
        >>> classes_with_illness([[3, 0], [1, 1]]).persons.tolist()
        [3, 2]
    """
    dense = np.array(counts, np.int64)
    owner, value = np.nonzero(dense)
    illness = bind(Column("illness", Role.SENSITIVE), [chr(ord("a") + i) for i in range(dense.shape[1])])
    histogram = Histogram(illness, owner, value, dense[owner, value], dense.sum(axis=0))
    persons = dense.sum(axis=1)
    return Classes(np.arange(len(dense))[:, None], rows=persons, alone=persons, histograms=(histogram,))


def illness(counts: Sequence[Sequence[int]]) -> Distribution:
    """The distribution of that column.

    Example:
        >>> illness([[3, 0], [1, 1]]).sizes.tolist()
        [3, 2]
    """
    return distribution_of(classes_with_illness(counts), "illness")
