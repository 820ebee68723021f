"""How many classes can a node have, and which class does each finest tuple go to?"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.roll_up import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray

DENSE = 4
"""A table of all keys is made where there are at most so many for each finest tuple; else keys are looked for."""

KEY_LIMIT = 2**62
"""Keys beyond this do not fit in int64."""


def most_classes(finest: Classes, attributes: Sequence[Attribute], levels: IntArray) -> FloatArray:
    """(n_nodes,) float64 >= 1: the combinations of labels, or the distinct tuples if they are fewer.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> most_classes(finest, [sex], np.array([[0], [1]])).tolist()
        [2.0, 1.0]
    """
    out = np.ones(len(levels))
    for j, attribute in enumerate(attributes):
        n_labels = np.array([len(names) for names in attribute.hierarchy.labels], dtype=np.float64)
        out *= n_labels[levels[:, j]]
    present = max(int((finest.rows > 0).sum()), 1)
    bounded: FloatArray = np.minimum(out, present)
    return bounded


def members(finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes) -> IntArray:
    """(n_tuples,) int64: the class of each finest tuple; `classes` are at `levels`, sorted by code."""
    radices = [len(a.hierarchy.labels[level]) for a, level in zip(attributes, levels.tolist(), strict=True)]
    maps = [a.hierarchy.ancestors[level] for a, level in zip(attributes, levels.tolist(), strict=True)]
    if prod(radices) >= KEY_LIMIT:
        return distinct_rows(np.stack([m[finest.codes[:, j]] for j, m in enumerate(maps)], axis=1))[1]
    key = np.zeros(finest.n_classes, np.int64)
    known = np.zeros(classes.n_classes, np.int64)
    for j, (radix, to_node) in enumerate(zip(radices, maps, strict=True)):
        if radix > 1:
            key = key * radix + to_node[finest.codes[:, j]]
            known = known * radix + classes.codes[:, j]
    if prod(radices) > DENSE * finest.n_classes + 1024:
        return np.searchsorted(known, key)
    rank = np.zeros(prod(radices), np.int64)
    rank[known] = np.arange(len(known))
    return rank[key]
