"""What is written for each class? Labels, the classes that readers will see, and their loss.

Classes whose labels are all equal are one class to a reader; they are published as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.decision import Decision
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.recipe.steps import Assign
from sfumato.summary.roll_up import distinct_rows, merge
from sfumato.table.hierarchy.tree import ROOT
from sfumato.table.label import format_range, format_set, format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.decision import Search
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Classes with their labels, classes of equal labels made one.

    Args:
        member: (n_tuples,) int64, class of each finest tuple (or piece of one).
        codes: (n_classes, m) int64, number of the label of each attribute; rows distinct and sorted.
        texts: for each attribute the distinct labels that `codes` count.
    """

    member: IntArray
    codes: IntArray
    texts: tuple[tuple[str | None, ...], ...]

    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        """For each attribute the (n_classes,) published texts."""
        return tuple(tuple(texts[i] for i in self.codes[:, j].tolist()) for j, texts in enumerate(self.texts))


def label(member: IntArray, codes: IntArray, attributes: Sequence[Attribute], publish: Publish) -> Labelled:
    """Spell the covers of all classes.

    Args:
        member: (n,) int64, class of each tuple, 0 … n_classes-1, none empty.
        codes: (n, m) int64, leaf codes of the tuples.
        attributes: the m attributes.
        publish: minimal covers or hierarchy nodes.
    """
    n_classes = int(member.max(initial=-1)) + 1
    numbers, texts = [], []
    for j, attribute in enumerate(attributes):
        number, names = _label_one(member, codes[:, j], n_classes, attribute, publish)
        numbers.append(number)
        texts.append(names)
    by_class = np.stack(numbers, axis=1) if numbers else np.zeros((n_classes, 0), np.int64)
    distinct, to_new = distinct_rows(by_class)
    return Labelled(to_new[member], distinct, tuple(texts))


def _label_one(
    member: IntArray, leaves: IntArray, n_classes: int, attribute: Attribute, publish: Publish
) -> tuple[IntArray, tuple[str | None, ...]]:
    """Number of the label of each class, and the distinct labels."""
    if publish is Publish.NODES:
        return _nodes(member, leaves, n_classes, attribute)
    if attribute.positions is not None:
        return _ranges(member, leaves, n_classes, attribute)
    return _sets(member, leaves, n_classes, attribute)


def _nodes(
    member: IntArray, leaves: IntArray, n_classes: int, attribute: Attribute
) -> tuple[IntArray, tuple[str | None, ...]]:
    """The lowest node of the hierarchy that holds all values of each class."""
    tree = attribute.hierarchy
    level, node = np.full(n_classes, -1, np.int64), np.zeros(n_classes, np.int64)
    for i in range(tree.height, -1, -1):
        low, high = _extremes(member, tree.ancestors[i][leaves], n_classes)
        one = low == high
        level[one], node[one] = i, low[one]
    pairs, number = distinct_rows(np.stack((level, node), axis=1))
    return number, tuple(tree.labels[i][v] for i, v in pairs.tolist())


def _ranges(
    member: IntArray, leaves: IntArray, n_classes: int, attribute: Attribute
) -> tuple[IntArray, tuple[str | None, ...]]:
    """The range from the lowest to the highest value; `*` where a missing value is among others."""
    where = np.zeros(0) if attribute.positions is None else attribute.positions
    order = np.argsort(where, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    low, high = _extremes(member, rank[leaves], n_classes)
    pairs, number = distinct_rows(np.stack((low, high), axis=1))
    names = attribute.hierarchy.labels[0]
    texts: list[str | None] = []
    for first, last in pairs.tolist():
        a, b = names[order[first]], names[order[last]]
        if a is None and b is None:
            texts.append(None)
        elif a is None or b is None:
            texts.append(ROOT)
        else:
            texts.append(format_range(a, b))
    return number, tuple(texts)


def _sets(
    member: IntArray, leaves: IntArray, n_classes: int, attribute: Attribute
) -> tuple[IntArray, tuple[str | None, ...]]:
    """The set of values; `*` for all values of the column, nothing for a missing value alone."""
    n_leaves = attribute.hierarchy.n_leaves
    pairs = np.unique(member * n_leaves + leaves)
    owner, value = pairs // n_leaves, pairs % n_leaves
    first, last = np.searchsorted(owner, np.arange(n_classes)), np.searchsorted(owner, np.arange(n_classes), "right")
    known: dict[bytes, int] = {}
    number = np.empty(n_classes, np.int64)
    texts: list[str | None] = []
    for i, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        key = value[a:b].tobytes()
        if key not in known:
            known[key] = len(texts)
            texts.append(_set_text([attribute.hierarchy.labels[0][v] for v in value[a:b]], n_leaves))
        number[i] = known[key]
    return number, tuple(texts)


def _set_text(names: Sequence[str | None], n_leaves: int) -> str | None:
    """Spell one set of values."""
    if len(names) == 1:
        return None if names[0] is None else format_value(names[0])
    return ROOT if len(names) == n_leaves else format_set(names)


def _extremes(member: IntArray, values: IntArray, n_classes: int) -> tuple[IntArray, IntArray]:
    """Smallest and largest value of each class; every class has one."""
    order = np.argsort(member, kind="stable")
    starts = np.searchsorted(member[order], np.arange(n_classes))
    if not n_classes:
        return starts, starts
    return np.minimum.reduceat(values[order], starts), np.maximum.reduceat(values[order], starts)


def loss_of(table: Table, member: IntArray) -> float:
    """Global certainty penalty of a partition: the mean over rows and attributes of weight × NCP."""
    order = np.argsort(member, kind="stable")
    n_classes = int(member.max(initial=-1)) + 1
    starts = np.searchsorted(member[order], np.arange(n_classes))
    losses = table.layout.losses(table.covers.take(order).reduce(starts))
    rows = np.bincount(member, weights=table.sizes.rows, minlength=n_classes)
    weight = sum(axis.weight for axis in table.layout.axes) * rows.sum()
    return float(rows @ losses / weight) if weight else 0.0


def decision(
    finest: Classes, attributes: Sequence[Attribute], labelled: Labelled, loss: float | None, search: Search
) -> Decision:
    """The outcome of a partition: no row is suppressed. Classes without rows are not published."""
    published = merge(finest, labelled.member, labelled.codes)
    there = published.rows > 0
    number = np.where(there, np.cumsum(there) - 1, -1)
    labels = tuple(tuple(t for t, kept in zip(texts, there, strict=True) if kept) for texts in labelled.labels())
    step = Assign(tuple(attributes), finest.codes, number[labelled.member], labels)
    return Decision((), step, published.select(there), 0, None, loss, search)
