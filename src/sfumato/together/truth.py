"""Whether the labels of a class cover the rows that a holder has in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.release.binding import in_order
from sfumato.summary.classes import distinct_rows
from sfumato.summary.label_reader import read_labels
from sfumato.summary.span import Domain
from sfumato.table.attribute import bind
from sfumato.table.label import ValueSet, parse_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import BoolArray, IntArray


def covered(
    column: Column, values: Sequence[str | None], labels: Sequence[str | None], pairs: tuple[IntArray, IntArray]
) -> BoolArray:
    """(n,) bool: whether each label covers the value beside it.

    Args:
        column: the declaration.
        values: distinct values of the holder, None: missing.
        labels: distinct labels.
        pairs: (n,) places in `values`, (n,) places in `labels`.

    Example:
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
        >>> covered(age, ["20", "41"], ["[20, 30]", "{19, 41}"], (np.array([0, 1, 1]), np.array([0, 0, 1]))).tolist()
        [True, False, True]
    """
    both, of = distinct_rows(np.stack(pairs, axis=1))
    spans = read_labels(Domain.of(_bound(column, values, labels)), labels)
    place = {value: i for i, value in enumerate(spans.domain.attribute.hierarchy.labels[0])}
    rank = spans.domain.rank[np.array([place[value] for value in values], np.int64)][both[:, 0]]
    size = spans.domain.n + 1
    run = np.searchsorted(spans.owner * size + spans.start, both[:, 1] * size + rank, "right") - 1
    inside = np.maximum(run, 0)
    good = (run >= 0) & (len(spans.owner) > 0)
    if len(spans.owner):
        good &= (spans.owner[inside] == both[:, 1]) & (rank < spans.stop[inside])
    same = np.array([values[v] == labels[label] for v, label in both.tolist()], np.bool_)
    return (good | same)[of]


def _bound(column: Column, values: Sequence[str | None], labels: Sequence[str | None]) -> Attribute:
    """The column bound to the holder's values and to those that sets name, so that a set of which it has a part is understood."""
    own = bind(column, in_order(tuple(values)))
    names = {name for level in own.hierarchy.labels for name in level}
    parsed = [parse_label(label) for label in labels if label is not None and label not in names]
    others = {value for one in parsed if isinstance(one, ValueSet) for value in one.values} - names
    if not others:
        return own
    try:
        return bind(column, in_order(tuple({*values, *others})))
    except SchemaError:  # a label names what the hierarchy of the plan does not hold: it is not understood
        return own
