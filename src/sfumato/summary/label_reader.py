"""The leaves that a published text means: read through the hierarchy's own labels, then as a form.

A text may name several nodes ("Other" at every level). Where all texts of the column are nodes of one
level they are read at that level, the highest such one, as full-domain generalization publishes them;
else a text stands for the leaves of all nodes that bear it. So a doubt makes the release look coarser.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.numbers.distinct import distinct
from sfumato.summary.span import spans_of_runs
from sfumato.table.hierarchy.tree import ROOT
from sfumato.table.label import Range, Root, Value, ValueSet, parse_label
from sfumato.table.number import positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.summary.span import Domain, Spans
    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.label import Label
    from sfumato.types import IntArray

_NO_RANKS = np.zeros(0, np.int64)
_NO_RUNS = np.zeros((0, 2), np.int64)


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
    reader = _Reader(domain, common_level(domain.attribute.hierarchy, texts))
    runs = [reader.runs(text) for text in texts]
    owner = np.repeat(np.arange(len(texts)), [len(r) for r in runs])
    flat = np.concatenate([*runs, _NO_RUNS])
    spans = spans_of_runs(domain, owner, flat[:, 0], flat[:, 1], len(texts))
    return _as_told(spans, [reader.ends(text) for text in texts], [reader.level(text) for text in texts])


def common_level(tree: Hierarchy, texts: Sequence[str | None]) -> int | None:
    """The highest level of which every text is a node, `*` and missing cells aside; None where there is none.

    Example:
        >>> from sfumato.table.hierarchy.tree import Hierarchy
        >>> tree = Hierarchy.from_paths("x", [("a", "a", "*"), ("b", "Other", "*"), ("Other", "Other", "*")])
        >>> [common_level(tree, texts) for texts in (["a", "b", "Other"], ["a", "Other", "*"], ["b", "[1, 2]"])]
        [0, 1, None]
    """
    told = set(texts) - {None, ROOT}
    fitting = [level for level, names in enumerate(tree.labels) if told <= set(names)]
    return fitting[-1] if fitting else None


def _as_told(spans: Spans, ends: Sequence[tuple[float, float] | None], levels: Sequence[int | None]) -> Spans:
    """Ranges end where they say, not at the outermost value inside them; nodes stand at the level of their name."""
    low, high, level = spans.low.copy(), spans.high.copy(), spans.level.copy()
    for i, (pair, told) in enumerate(zip(ends, levels, strict=True)):
        if pair is not None:
            low[i], high[i] = pair
        if told is not None:
            level[i] = told
    return replace(spans, low=low, high=high, level=level)


class _Reader:
    """One column's look-up tables, built once."""

    def __init__(self, domain: Domain, common: int | None) -> None:
        self.domain = domain
        column = domain.attribute.column
        self.step = 0.0 if column.kind is Kind.DECIMAL else 1.0
        self.fractions = replace(column, kind=Kind.DATE if column.kind is Kind.DATE else Kind.DECIMAL)
        self.known: dict[str, float] = {}
        tree = domain.attribute.hierarchy
        self.common = common
        self.codes = [{name: code for code, name in enumerate(names)} for names in tree.labels]
        self.members = [_Members(domain.order, ancestors) for ancestors in tree.ancestors]
        self.leaves = self.members[0].only()
        self.parsed: dict[str, Label] = {}
        self.everything = np.array([[0, domain.n]], np.int64)
        where = domain.positions
        self.places = None if where is None else where[: domain.n_numbers].tolist()
        self.bounds = domain.bounds
        self.numbers: Mapping[float, int] = {} if where is None else {float(p): i for i, p in enumerate(where)}

    def runs(self, text: str | None) -> IntArray:
        """(r, 2) int64: runs of the domain's order that a text stands for; none if it is not understood."""
        hits = self._hits(text)
        if hits:
            return _runs(self._node(hits))
        if text is None:
            return self.everything
        match self._parsed(text):
            case Root():
                return self.everything
            case Range() as range_:
                between = self._between(range_)
                return _NO_RUNS if between is None else np.array([between], np.int64)
            case ValueSet(values=values):
                return self._runs_of(values)
            case Value(text=value):
                return _runs(self._set((value,)))

    def ends(self, text: str | None) -> tuple[float, float] | None:
        """Ends of a range within the bounds of the domain; None where the text is none."""
        if text is None or self._hits(text):
            return None
        label = self._parsed(text)
        if not isinstance(label, Range) or self._between(label) is None:
            return None
        low, high = self._edges(label)
        least, most = self.bounds
        return (
            max(least, low + (0.0 if label.low_in else self.step)),
            min(most, high - (0.0 if label.high_in else self.step)),
        )

    def level(self, text: str | None) -> int | None:
        """The lowest level at which a node bears this text; None where it is no name, or of nodes that differ."""
        hits = self._hits(text)
        sizes = {len(self.members[level][code]) for level, code in hits}
        return hits[0][0] if len(sizes) == 1 else None

    def _hits(self, text: str | None) -> list[tuple[int, int]]:
        """(level, code) of the nodes that bear a text, from below; of the common level alone where that has one."""
        if self.common is not None and text in self.codes[self.common]:
            return [(self.common, self.codes[self.common][text])]
        return [(level, codes[text]) for level, codes in enumerate(self.codes) if text in codes]

    def _parsed(self, text: str) -> Label:
        """What the form of a text is, read once."""
        if text not in self.parsed:
            self.parsed[text] = parse_label(text)
        return self.parsed[text]

    def _runs_of(self, values: Sequence[str | None]) -> IntArray:
        """(r, 2) int64: runs of a set of values, which mostly are leaves; none unless every one is understood."""
        if self.common:
            return _runs(self._set(values))
        places = {self.leaves[self.codes[0].get(value, -1)] for value in values}
        if -1 in places:
            return _runs(self._set(values))
        runs: list[list[int]] = []
        for place in sorted(places):
            if runs and runs[-1][1] == place:
                runs[-1][1] += 1
            else:
                runs.append([place, place + 1])
        return np.array(runs, np.int64).reshape(-1, 2)

    def _node(self, hits: Sequence[tuple[int, int]]) -> IntArray:
        """Sorted places of the leaves of a node; where the same text names several, all of theirs."""
        parts = [self.members[level][code] for level, code in hits]
        return parts[0] if len(parts) == 1 else distinct(np.concatenate(parts))

    def _set(self, values: Sequence[str | None]) -> IntArray:
        """Sorted places of a set of values; none unless every one is understood."""
        parts = [self._value(value) for value in values]
        return distinct(np.concatenate(parts)) if all(len(part) for part in parts) else _NO_RANKS

    def _value(self, value: str | None) -> IntArray:
        """Places of one value: a leaf by its text, else a node by its text, else a leaf by its number."""
        hits = self._hits(value)
        if hits:
            return self._node(hits[:1] if hits[0][0] == 0 else hits)
        place = None if value is None else self.numbers.get(self._number(value))
        return _NO_RANKS if place is None else np.array([place], np.int64)

    def _between(self, label: Range) -> tuple[int, int] | None:
        """The run between the ends; None on a column without an order, and for ends that are no numbers or hold nothing."""
        low, high = self._edges(label)
        if self.places is None or math.isnan(low) or math.isnan(high):
            return None
        first = (bisect_left if label.low_in else bisect_right)(self.places, low)
        stop = (bisect_right if label.high_in else bisect_left)(self.places, high)
        return (first, stop) if first < stop else None

    def _edges(self, label: Range) -> tuple[float, float]:
        """Ends as numbers; NaN where one is none."""
        return (
            -np.inf if label.low is None else self._number(label.low),
            np.inf if label.high is None else self._number(label.high),
        )

    def _number(self, text: str) -> float:
        """Position of a text on an ordered column, NaN if it has none; an end of a range may be a fraction."""
        if self.places is None:
            return float("nan")
        if text not in self.known:
            try:
                self.known[text] = float(positions(self.fractions, [text])[0])
            except SchemaError:
                self.known[text] = float("nan")
        return self.known[text]


def _runs(ranks: IntArray) -> IntArray:
    """(r, 2) int64: first place and place after the last of each run of sorted places."""
    breaks = np.flatnonzero(np.diff(ranks) != 1) + 1
    if not len(ranks):
        return _NO_RUNS
    first, last = np.append(0, breaks), np.append(breaks, len(ranks)) - 1
    return np.stack((ranks[first], ranks[last] + 1), axis=1)


class _Members:
    """Sorted places of the domain's leaves below each node of one level, by code of the node; none for -1."""

    def __init__(self, order: IntArray, ancestors: IntArray) -> None:
        node = ancestors[order]
        self.order = np.argsort(node, kind="stable")
        self.ends = np.cumsum(np.bincount(node, minlength=int(ancestors.max()) + 1)).tolist()

    def only(self) -> list[int]:
        """By code, and at the end for -1: the one place below a node, -1 where there are none or several."""
        sizes = np.diff(self.ends, prepend=0)
        last = self.order[np.maximum(np.array(self.ends, np.int64) - 1, 0)]
        return [*np.where(sizes == 1, last, -1).tolist(), -1]

    def __getitem__(self, code: int) -> IntArray:
        if code < 0:
            return _NO_RANKS
        return self.order[self.ends[code - 1] if code else 0 : self.ends[code]]
