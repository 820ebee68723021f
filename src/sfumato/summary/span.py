"""The leaves of its column that each published label stands for: runs over one ordering of the leaves.

The leaves of a domain are put in one order: by position on the number line where there is one, else so
that the leaves of every hierarchy node follow each other. A label is then a few runs of that order, and
sums over the leaves of every label are differences of one running sum. Neighbors: `published` reads the
labels, `cover` holds the formulas of the certainty penalty.
"""

from __future__ import annotations

from enum import Enum
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


class Ncp(Enum):
    """How the share of the domain that a label leaves open is counted."""

    WIDTH = "width"
    """Ordered columns by width over the width of the domain, text by leaves."""
    LEAVES = "leaves"
    """Every column by leaves over the leaves of the domain."""
    NODE = "node"
    """The smallest hierarchy node that holds the whole label stands for it: its width, or its leaves for text."""


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The leaves that a column can take, in one order.

    Args:
        attribute: the original column.
        order: (n,) int64, leaf codes of the domain in that order.
        rank: (n_leaves,) int64, place of each leaf in `order`; -1 outside the domain.
    """

    attribute: Attribute
    order: IntArray
    rank: IntArray

    @classmethod
    def of(cls, attribute: Attribute, present: BoolArray | None = None) -> Domain:
        """The domain of all leaves, or of those where `present` (n_leaves,) is true.

        Example:
            >>> from sfumato.table.attribute import bind
            >>> from sfumato.table.schema import Column, Kind, Role
            >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["34", "5", "7"])
            >>> Domain.of(age).order.tolist(), Domain.of(age).bounds
            ([0, 1, 2], (5.0, 34.0))
        """
        tree = attribute.hierarchy
        keys = list(tree.ancestors) if attribute.positions is None else [tree.ancestors[0], attribute.positions]
        order = np.lexsort(keys).astype(np.int64)
        if present is not None:
            order = order[present[order]]
        rank = np.full(tree.n_leaves, -1, np.int64)
        rank[order] = np.arange(len(order))
        return cls(attribute, order, rank)

    @property
    def n(self) -> int:
        """Leaves in the domain."""
        return len(self.order)

    @property
    def positions(self) -> FloatArray | None:
        """(n,) float64 positions in order, NaN (last) for a missing value; None for text."""
        return None if self.attribute.positions is None else self.attribute.positions[self.order]

    @property
    def n_numbers(self) -> int:
        """Leaves of an ordered column that have a position; they come first."""
        return 0 if self.positions is None else int(np.isfinite(self.positions).sum())

    @property
    def bounds(self) -> tuple[float, float]:
        """Declared bounds of an ordered column, else its lowest and highest leaf; (0, 0) without any."""
        declared = self.attribute.column.bounds
        if declared is not None:
            return declared
        where = self.positions
        return (
            (0.0, 0.0) if where is None or not self.n_numbers else (float(where[0]), float(where[self.n_numbers - 1]))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """What each label of one column stands for: runs of the domain's order.

    A label without a run could not be understood.

    Args:
        domain: the leaves and their order.
        n_labels: number of labels.
        owner: (n_runs,) int64, label of each run; runs are sorted by owner, then start, and disjoint.
        start: (n_runs,) int64, first place of each run.
        stop: (n_runs,) int64, place after its last.
        low: (n_labels,) float64, lower end of each label on an ordered column, NaN where none.
        high: (n_labels,) float64, upper end.
        level: (n_labels,) int64, hierarchy level of each label, or of the smallest node that holds it.
    """

    domain: Domain
    n_labels: int
    owner: IntArray
    start: IntArray
    stop: IntArray
    low: FloatArray
    high: FloatArray
    level: IntArray

    @property
    def n_leaves(self) -> IntArray:
        """(n_labels,) int64: leaves that each label leaves possible; 0 where it was not understood."""
        return self.total(np.ones(self.domain.n)).astype(np.int64)

    def total(self, values: FloatArray) -> FloatArray:
        """(…, n_labels) float64: sum over the leaves of each label of `values` (…, n), in domain order."""
        many, n = values.reshape(prod(values.shape[:-1]), values.shape[-1]), self.n_labels
        running = np.zeros((len(many), many.shape[1] + 1))
        np.cumsum(many, axis=1, out=running[:, 1:])
        runs = (running[:, self.stop] - running[:, self.start]).ravel()
        owner = (self.owner + n * np.arange(len(many))[:, None]).ravel()
        sums = np.bincount(owner, weights=runs, minlength=len(many) * n)
        return np.asarray(sums, np.float64).reshape(*values.shape[:-1], n)

    def spread(self, weights: FloatArray) -> FloatArray:
        """(n,) float64: `weights` (n_labels,) spread evenly over the leaves of each label, and added up."""
        each = weights / np.maximum(self.n_leaves, 1)
        edges = np.zeros(self.domain.n + 1)
        np.add.at(edges, self.start, each[self.owner])
        np.add.at(edges, self.stop, -each[self.owner])
        return np.cumsum(edges[:-1])

    def ncp(self, convention: Ncp) -> FloatArray:
        """(n_labels,) float64 in [0, 1]: normalized certainty penalty of each label.

        0 for one value, 1 for the whole domain. Where an ordered label also leaves the missing value
        open, its share of leaves counts if that is larger than its width.

        Source:
            J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006, section 3.
        """
        if convention is Ncp.NODE:
            return _ncp_of_nodes(self)
        leaves = ncp_of_sets(self.n_leaves, max(self.domain.n, 1))
        if convention is Ncp.LEAVES or self.domain.positions is None:
            return leaves
        width = np.nan_to_num(ncp_of_ranges(self.low, self.high, self.domain.bounds))
        return np.where(self._holds_missing(), np.maximum(width, leaves), width)

    def _holds_missing(self) -> BoolArray:
        """(n_labels,) bool: whether a label holds a leaf without a position."""
        out = np.zeros(self.n_labels, np.bool_)
        out[self.owner[self.stop > self.domain.n_numbers]] = True
        return out


def _ncp_of_nodes(spans: Spans) -> FloatArray:
    """(n_labels,) float64: penalty of the smallest hierarchy node that holds each label."""
    tree = spans.domain.attribute.hierarchy
    out = np.zeros(spans.n_labels)
    owner, first = np.unique(spans.owner, return_index=True)
    leaf = spans.domain.order[spans.start[first]]
    lowest = smallest_level(spans)[owner]
    for level in range(tree.height + 1):
        nodes = spans_of_leaves(spans.domain, tree.ancestors[level], tree.ancestors[0], len(tree.labels[level]))
        here = lowest == level
        out[owner[here]] = nodes.ncp(Ncp.WIDTH)[tree.ancestors[level][leaf[here]]]
    return out


def smallest_level(spans: Spans) -> IntArray:
    """(n_labels,) int64: the lowest hierarchy level with one node that holds the whole label.

    A run lies in one node if no change of node falls inside it; several runs lie in one node if, in
    addition, their first leaves do.

    Args:
        spans: labels as runs; one without a run stands at the root.
    """
    tree, order = spans.domain.attribute.hierarchy, spans.domain.order
    lowest = np.full(spans.n_labels, tree.height, np.int64)
    if not len(spans.owner):
        return lowest
    first = np.zeros(spans.n_labels, np.int64)
    first[spans.owner[::-1]] = spans.start[::-1]
    for level in range(tree.height - 1, -1, -1):
        node = tree.ancestors[level][order]
        changes = np.concatenate((np.zeros(1, np.int64), np.cumsum(node[1:] != node[:-1])))
        one = (changes[spans.stop - 1] == changes[spans.start]) & (node[spans.start] == node[first[spans.owner]])
        whole = np.zeros(spans.n_labels, np.bool_)
        whole[spans.owner] = True
        whole[spans.owner[~one]] = False
        lowest[whole] = level
    return lowest


def spans_of_leaves(domain: Domain, owner: IntArray, leaf: IntArray, n_labels: int) -> Spans:
    """Labels given by their leaves.

    Args:
        domain: the leaves and their order.
        owner: (nnz,) int64, label of each entry.
        leaf: (nnz,) int64, leaf code of each entry; leaves outside the domain are passed over.
        n_labels: number of labels.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> town = Domain.of(bind(Column("town", Role.QUASI_IDENTIFYING), ["Blois", "Bourges", "Lyon"]))
        >>> spans = spans_of_leaves(town, np.array([0, 1, 1]), np.array([0, 0, 2]), 2)
        >>> spans.n_leaves.tolist(), spans.start.tolist(), spans.stop.tolist()
        ([1, 2], [0, 0, 2], [1, 1, 3])
    """
    rank = domain.rank[leaf]
    key = distinct(owner[rank >= 0] * (domain.n + 1) + rank[rank >= 0])
    breaks = np.flatnonzero(np.diff(key, prepend=-2) != 1)
    last = np.append(breaks[1:], len(key)) - 1 if len(key) else breaks
    return spans_of_runs(
        domain, key[breaks] // (domain.n + 1), key[breaks] % (domain.n + 1), key[last] % (domain.n + 1) + 1, n_labels
    )


def spans_of_runs(domain: Domain, owner: IntArray, start: IntArray, stop: IntArray, n_labels: int) -> Spans:
    """Labels given by disjoint runs, in any order; ends and levels follow from the leaves."""
    order = np.lexsort((start, owner))
    owner, start, stop = owner[order], start[order], stop[order]
    low, high = np.full(n_labels, np.nan), np.full(n_labels, np.nan)
    where, n = domain.positions, domain.n_numbers
    if where is not None and len(owner):
        numbers = start < n
        low[owner[numbers][::-1]] = where[start[numbers][::-1]]
        high[owner[numbers]] = where[np.minimum(stop[numbers], n) - 1]
    spans = Spans(domain, n_labels, owner, start, stop, low, high, np.zeros(n_labels, np.int64))
    return Spans(domain, n_labels, owner, start, stop, low, high, smallest_level(spans))


def ncp_of_ranges(low: FloatArray, high: FloatArray, domain: tuple[float, float]) -> FloatArray:
    """Width of each range over the width of the domain, in [0, 1].

    Example:
        >>> ncp_of_ranges(np.array([17.0, 20.0]), np.array([17.0, 56.5]), (17.0, 90.0)).tolist()
        [0.0, 0.5]
    """
    width = domain[1] - domain[0]
    return np.zeros(len(low)) if width <= 0 else np.clip((high - low) / width, 0.0, 1.0)


def ncp_of_sets(n_values: IntArray, n_domain: int) -> FloatArray:
    """Values in each set over values in the domain; 0 for a set of one.

    Example:
        >>> ncp_of_sets(np.array([1, 2, 5]), 5).tolist()
        [0.0, 0.4, 1.0]
    """
    return np.where(n_values <= 1, 0.0, n_values / n_domain)
