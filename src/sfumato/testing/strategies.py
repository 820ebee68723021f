"""Random classes for tests: Hypothesis strategies for hierarchies, attributes and classes.

Needs Hypothesis, which is a dependency of the tests only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from sfumato.summary.classes import Classes, Spread
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from sfumato.types import IntArray

SENSITIVE = "illness"
"""Name of the sensitive column of every random table."""
WISHES = bind(Column("asked", Role.IDENTIFYING, Kind.INTEGER), ["0", "1", "2", "3"])
"""A column that is counted beside; in every random table one person of each class fills it in."""


@st.composite
def hierarchies(draw: st.DrawFn, name: str, n_leaves: int, max_height: int = 3) -> Hierarchy:
    """A tree of uniform depth over the leaves "0" … "n-1"."""
    height = draw(st.integers(1, max_height))
    codes = list(range(n_leaves))
    paths = [[str(i)] for i in range(n_leaves)]
    for level in range(1, height):
        n_nodes = len(set(codes))
        parents = draw(st.lists(st.integers(0, n_nodes - 1), min_size=n_nodes, max_size=n_nodes))
        order = {code: parents[i] for i, code in enumerate(sorted(set(codes)))}
        codes = [order[code] for code in codes]
        for path, code in zip(paths, codes, strict=True):
            path.append(f"{level}.{code}")
    return Hierarchy.from_paths(name, [(*path, ROOT) for path in paths])


@st.composite
def sensitive_attributes(draw: st.DrawFn, *, missing: bool = True) -> Attribute:
    """A sensitive integer column with a random tree, sometimes with a missing value."""
    n_leaves = draw(st.integers(1, 6))
    tree = draw(hierarchies(SENSITIVE, n_leaves))
    if missing and draw(st.booleans()):
        tree = tree.with_missing()
    positions = np.array([np.nan if label is None else float(label) for label in tree.labels[0]])
    return Attribute(Column(SENSITIVE, Role.SENSITIVE, Kind.INTEGER), tree, positions)


@st.composite
def classes(draw: st.DrawFn, *, max_classes: int = 6, max_count: int = 9, spread: bool = False) -> Classes:
    """Random classes with a histogram, a population and a k for each class.

    Every class holds at least one person. The table's total of each sensitive value is at least the
    sum over the classes: the rest was suppressed. The population of a class is at least its persons.

    Args:
        draw: given by Hypothesis.
        max_classes: most classes.
        max_count: most persons with one sensitive value in one class.
        spread: whether some persons may have rows in several finest classes.
    """
    n = draw(st.integers(1, max_classes))
    attribute = draw(sensitive_attributes())
    n_leaves = attribute.hierarchy.n_leaves
    cell = st.one_of(st.just(0), st.integers(0, max_count))
    row = st.lists(cell, min_size=n_leaves, max_size=n_leaves).filter(any)
    counts = np.array(draw(st.lists(row, min_size=n, max_size=n)), np.int64)
    suppressed = np.array(draw(st.lists(cell, min_size=n_leaves, max_size=n_leaves)), np.int64)
    persons = counts.sum(axis=1)
    others = draw(_spreads(n)) if spread else None
    alone = persons if others is None else np.maximum(persons - others.counts(n), 0)
    wishes = np.eye(4, dtype=np.int64)[draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))]
    numbers = st.lists(st.integers(0, 12), min_size=n, max_size=n)
    return Classes(
        codes=np.arange(n, dtype=np.int64)[:, None],
        rows=persons + np.array(draw(numbers), np.int64) * (others is not None),
        alone=alone,
        spread=others,
        population=persons + np.array(draw(numbers), np.int64) + (0 if others is None else others.counts(n)),
        personal_k=np.array(draw(numbers), np.int64),
        histograms=(histogram(attribute, counts, suppressed),),
        beside=(histogram(WISHES, wishes),),
    )


@st.composite
def memberships(draw: st.DrawFn, n_classes: int) -> IntArray:
    """(n_classes,) int64: a random way to merge classes, numbered 0 … without a gap."""
    group = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_classes, max_size=n_classes))
    return np.unique(np.array(group, np.int64), return_inverse=True)[1].astype(np.int64)


def histogram(attribute: Attribute, counts: IntArray, suppressed: IntArray | None = None) -> Histogram:
    """The sparse histogram of dense `counts` (n_classes, n_leaves); `suppressed` (n_leaves,) adds to the total.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
        >>> h = histogram(illness, np.array([[2, 0], [1, 3]]))
        >>> h.owner.tolist(), h.value.tolist(), h.count.tolist(), h.total.tolist()
        ([0, 1, 1], [0, 0, 1], [2, 1, 3], [3, 3])
    """
    owner, value = np.nonzero(counts)
    total = counts.sum(axis=0) + (0 if suppressed is None else suppressed)
    return Histogram(attribute, owner.astype(np.int64), value.astype(np.int64), counts[owner, value], total)


@st.composite
def _spreads(draw: st.DrawFn, n_classes: int) -> Spread | None:
    """Distinct pairs of class and person for a few persons who lie in several classes."""
    pairs = draw(st.sets(st.tuples(st.integers(0, n_classes - 1), st.integers(0, 2)), max_size=2 * n_classes))
    if not pairs:
        return None
    owner, person = np.array(sorted(pairs), np.int64).T
    return Spread(owner, person)
