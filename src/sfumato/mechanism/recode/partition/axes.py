"""The order of the values of an attribute, the cuts that are allowed, and what a cover loses.

An axis is an attribute seen by a partition. Its leaves have ranks; the cover of a class is what its
published cell says about the attribute. Three forms:

* ``RANGE``: ordered values; the cover is from the lowest to the highest rank.
* ``SET``: categories; the cover is the set of values.
* ``NODE``: a hierarchy; the cover is the lowest node that holds all values. Ranks follow the tree,
  so the lowest common node of a class is that of its lowest and highest rank.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray

MOST_SET_VALUES = 256
"""Categories with more values are searched by ranges of ranks; their exact sets are still published."""

MOST_PAIR_VALUES = 1024
"""Hierarchies with more leaves find a lowest common node level by level instead of by a table."""


class Publish(Enum):
    """What a published cell may look like."""

    COVERS = "covers"
    """Minimal covers: `[17, 25]` for numbers and dates, `{a, b}` for categories."""
    NODES = "nodes"
    """Nodes of the column's hierarchy only: the lowest one that holds every value of the class."""


class Form(Enum):
    """The form of a cover."""

    RANGE = "range"
    SET = "set"
    NODE = "node"


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One attribute as a partition sees it.

    Args:
        form: form of its covers.
        rank: (n_leaves,) int64, place of each leaf in the order of the axis.
        n_ranks: number of leaves.
        place: (n_leaves,) float64, by rank: position on [0, 1] of each value; for categories their
            count so far over the number of values. A RANGE loses place[high] - place[low].
        missing: rank of the missing value of a RANGE (the last), -1 if none: a range that holds it
            and other values is `*` and loses 1.
        step: by how much a range of two or more ranks loses beyond its width (1/L for counted values).
        bits: SET only: number of values present in the table; each has a bit, by rank.
        paths: NODE only: (height + 1, n_leaves) int64, by rank: node of each leaf at each level.
        shares: NODE only: (height + 1, n_nodes) float64: loss of each node, 0 at level 0.
        weight: how much the loss of the attribute counts.
    """

    form: Form
    rank: IntArray
    n_ranks: int
    place: FloatArray
    missing: int
    step: float
    bits: int
    paths: IntArray
    shares: FloatArray
    weight: float

    def levels(self, low: IntArray, high: IntArray) -> IntArray:
        """(n,) int64: level of the lowest common node of two ranks each (NODE)."""
        level = np.zeros(len(low), np.int64)
        for nodes in self.paths[:-1]:
            level += nodes[low] != nodes[high]
        return level

    def range_loss(self, low: IntArray, high: IntArray) -> FloatArray:
        """(n,) float64: unweighted loss of covers given by their lowest and highest rank."""
        if self.form is Form.NODE:
            level = self.levels(low, high)
            return self.shares[level, self.paths[level, low]]
        loss: FloatArray = self.place.take(high) - self.place.take(low)
        if self.step:
            loss = loss + np.where(low < high, self.step, 0.0)
        if self.missing >= 0:
            loss = np.where((high == self.missing) & (low < high), 1.0, loss)
        return loss

    def set_loss(self, n_values: npt.NDArray[np.integer]) -> FloatArray:
        """(n,) float64: unweighted loss of sets of so many values (SET)."""
        table = np.arange(self.bits + 1) / max(self.bits, 1)
        table[:2] = 0.0
        return table.take(n_values)

    def group_codes(self, ranks: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """(n,) int64: what a cut may not part. Values; for NODE the children of the common node.

        Args:
            ranks: (n,) int64, ranks of the tuples.
            low: (n,) int64, lowest rank of the class of each tuple.
            high: (n,) int64, highest rank.
        """
        if self.form is not Form.NODE:
            return ranks
        child = np.maximum(self.levels(low, high) - 1, 0)
        return self.paths[child, ranks]


def axes_of(attributes: Sequence[Attribute], codes: IntArray, publish: Publish) -> tuple[Axis, ...]:
    """One axis per attribute; loss is relative to the declared bounds or to the values in the table.

    Args:
        attributes: the m quasi-identifiers.
        codes: (n, m) int64, leaf codes of the finest tuples.
        publish: whether cells are minimal covers or hierarchy nodes.
    """
    if publish is Publish.NODES:
        return tuple(_node_axis(a) for a in attributes)
    present = [np.flatnonzero(np.bincount(codes[:, j])) for j in range(len(attributes))]
    return tuple(
        _category_axis(a, here) if a.positions is None else _range_axis(a, here)
        for a, here in zip(attributes, present, strict=True)
    )


def tree_order(attribute: Attribute) -> IntArray:
    """(n_leaves,) int64: the leaves so that every node of the hierarchy is a run of them.

    Siblings keep the order of their codes; ordered values stay in order where the tree allows it.
    """
    return np.lexsort(attribute.hierarchy.ancestors)


def _ranks(order: IntArray) -> IntArray:
    """The inverse of an order."""
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _range_axis(attribute: Attribute, present: IntArray) -> Axis:
    """Values by position; the missing value last."""
    where = attribute.positions
    if where is None:
        raise ParameterError("Column {name!r} has no order.", "declare it as a number or a date.", name=attribute.name)
    order = np.argsort(where, kind="stable")
    here = where[present][~np.isnan(where[present])]
    bounds = attribute.column.bounds or ((float(here.min()), float(here.max())) if len(here) else (0.0, 0.0))
    width = bounds[1] - bounds[0]
    place = np.clip((where[order] - bounds[0]) / width, 0.0, 1.0) if width > 0 else np.zeros(len(order))
    gap = np.isnan(where[order])
    missing = int(np.flatnonzero(gap)[0]) if gap.any() else -1
    place = np.where(gap, 1.0, place)
    return _axis(attribute, Form.RANGE, order, place=place, missing=missing)


def _category_axis(attribute: Attribute, present: IntArray) -> Axis:
    """Values in tree order; as sets of those present, or as ranges of ranks when there are too many."""
    order = tree_order(attribute)
    there = np.isin(order, present)
    order = np.concatenate((order[there], order[~there]))
    n = len(present)
    if n <= MOST_SET_VALUES:
        return _axis(attribute, Form.SET, order, bits=n)
    return _axis(attribute, Form.RANGE, order, place=np.minimum(np.arange(len(order)) / n, 1.0), step=1 / n)


def _node_axis(attribute: Attribute) -> Axis:
    """Values in tree order, with the losses of all nodes."""
    tree = attribute.hierarchy
    order = tree_order(attribute)
    shares = np.zeros((tree.height + 1, max(len(names) for names in tree.labels)))
    for level in range(1, tree.height + 1):
        counts = tree.leaf_counts(level)
        shares[level, : len(counts)] = np.where(counts > 1, counts / tree.n_leaves, 0.0)
    return _axis(attribute, Form.NODE, order, paths=np.stack([a[order] for a in tree.ancestors]), shares=shares)


def _axis(  # noqa: PLR0913 - one place builds an axis, with what its form needs
    attribute: Attribute,
    form: Form,
    order: IntArray,
    *,
    place: FloatArray | None = None,
    missing: int = -1,
    step: float = 0.0,
    bits: int = 0,
    paths: IntArray | None = None,
    shares: FloatArray | None = None,
) -> Axis:
    """An axis with the fields that its form does not need left empty."""
    return Axis(
        form=form,
        rank=_ranks(order),
        n_ranks=len(order),
        place=np.zeros(0) if place is None else place,
        missing=missing,
        step=step,
        bits=bits,
        paths=np.zeros((0, 0), np.int64) if paths is None else paths,
        shares=np.zeros((0, 0)) if shares is None else shares,
        weight=attribute.column.weight,
    )
