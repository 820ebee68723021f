"""Which leaves does a published text mean? Read through the hierarchy's own labels, then as a form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.summary.span import spans_of_runs
from sfumato.table.label import Range, Root, Value, ValueSet, parse_label
from sfumato.table.number import positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.summary.span import Domain, Spans
    from sfumato.types import IntArray

_NO_RANKS = np.zeros(0, np.int64)


def read_labels(domain: Domain, texts: Sequence[str | None]) -> Spans:
    """What each text stands for.

    Args:
        domain: leaves of the original column.
        texts: published texts of the column; None: a missing cell.

    Returns:
        One label per text; a text that cannot be understood has no run.

    Example:
        >>> from sfumato.summary.span import Domain
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
        >>> read_labels(Domain.of(age), ["17", "20.0", "[17, 37[", ">= 20", "{17, 37}", "*", "old"]).n_leaves.tolist()
        [1, 1, 2, 2, 2, 3, 0]
    """
    reader = _Reader(domain)
    ranks = [reader.ranks(text) for text in texts]
    owner = np.repeat(np.arange(len(texts)), [len(r) for r in ranks])
    flat = np.concatenate([*ranks, _NO_RANKS])
    first = np.flatnonzero((np.diff(flat, prepend=-2) != 1) | (np.diff(owner, prepend=-1) != 0))
    last = np.append(first[1:], len(flat))[: len(first)] - 1
    spans = spans_of_runs(domain, owner[first], flat[first], flat[last] + 1, len(texts))
    return _with_ends(spans, [reader.ends(text) for text in texts])


def _with_ends(spans: Spans, ends: Sequence[tuple[float, float] | None]) -> Spans:
    """Ranges end where they say, not at the outermost value inside them."""
    low, high = spans.low.copy(), spans.high.copy()
    for i, pair in enumerate(ends):
        if pair is not None:
            low[i], high[i] = pair
    return replace(spans, low=low, high=high)


class _Reader:
    """One column's look-up tables, built once."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.column = domain.attribute.column
        tree = domain.attribute.hierarchy
        self.nodes: dict[str | None, list[tuple[int, int]]] = {}
        for level, names in enumerate(tree.labels):
            for code, name in enumerate(names):
                self.nodes.setdefault(name, []).append((level, code))
        self.members = [_members(domain, ancestors) for ancestors in tree.ancestors]
        where = domain.positions
        self.numbers: Mapping[float, int] = {} if where is None else {float(p): i for i, p in enumerate(where)}

    def ranks(self, text: str | None) -> IntArray:
        """Sorted places, in the domain's order, of the leaves that a text stands for; () if not understood."""
        if text in self.nodes:
            return self._node(self.nodes[text])
        if text is None:
            return np.arange(self.domain.n)
        match parse_label(text):
            case Root():
                return np.arange(self.domain.n)
            case Range() as range_:
                return self._range(range_)
            case ValueSet(values=values):
                return self._set(values)
            case Value(text=value):
                return self._set((value,))

    def ends(self, text: str | None) -> tuple[float, float] | None:
        """Ends of a range within the bounds of the domain; None where the text is no range."""
        if text is None or text in self.nodes:
            return None
        label = parse_label(text)
        if not isinstance(label, Range) or not len(self._range(label)):
            return None
        low, high = self._edges(label)
        step = 0.0 if self.column.kind is Kind.DECIMAL else 1.0
        least, most = self.domain.bounds
        return (
            max(least, low + (0.0 if label.low_in else step)),
            min(most, high - (0.0 if label.high_in else step)),
        )

    def _node(self, hits: Sequence[tuple[int, int]]) -> IntArray:
        """Leaves of a node; where the same text names several, all of theirs."""
        parts = [self.members[level][code] for level, code in hits]
        return parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))

    def _set(self, values: Sequence[str | None]) -> IntArray:
        """Leaves of a set of values; () unless every one is understood."""
        parts = [self._value(value) for value in values]
        return np.unique(np.concatenate(parts)) if all(len(part) for part in parts) else _NO_RANKS

    def _value(self, value: str | None) -> IntArray:
        """One value: a leaf or node by its text, else a leaf by its number."""
        if value in self.nodes:
            return self._node(self.nodes[value])
        place = None if value is None else self.numbers.get(self._number(value))
        return _NO_RANKS if place is None else np.array([place], np.int64)

    def _range(self, label: Range) -> IntArray:
        """Leaves between the ends; () on a column without an order or with ends that are no numbers."""
        where = self.domain.positions
        low, high = self._edges(label)
        if where is None or np.isnan(low) or np.isnan(high):
            return _NO_RANKS
        numbers = where[: self.domain.n_numbers]
        first = np.searchsorted(numbers, low, "left" if label.low_in else "right")
        return np.arange(first, np.searchsorted(numbers, high, "right" if label.high_in else "left"))

    def _edges(self, label: Range) -> tuple[float, float]:
        """Ends as numbers; NaN where one is none."""
        return (
            -np.inf if label.low is None else self._number(label.low),
            np.inf if label.high is None else self._number(label.high),
        )

    def _number(self, text: str) -> float:
        """Position of a text on an ordered column, NaN if it has none; an end of a range may be a fraction."""
        if self.domain.positions is None:
            return float("nan")
        kind = Kind.DATE if self.column.kind is Kind.DATE else Kind.DECIMAL
        try:
            return float(positions(replace(self.column, kind=kind), [text])[0])
        except SchemaError:
            return float("nan")


def _members(domain: Domain, ancestors: IntArray) -> list[IntArray]:
    """Sorted places of the domain's leaves below each node of one level."""
    node = ancestors[domain.order]
    n_nodes = int(ancestors.max()) + 1
    order = np.argsort(node, kind="stable")
    return np.split(order, np.cumsum(np.bincount(node, minlength=n_nodes))[:-1])
