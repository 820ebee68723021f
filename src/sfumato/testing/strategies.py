"""Random classes for tests: Hypothesis strategies for hierarchies, attributes and classes.

Needs Hypothesis, which is a dependency of the tests only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from hypothesis import strategies as st

from sfumato.summary.classes import Classes, Spread
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import IntArray

T = TypeVar("T")

SENSITIVE = "illness"
"""Name of the sensitive column of every random table."""
WISHES = bind(Column("asked", Role.IDENTIFYING, Kind.INTEGER), ["0", "1", "2", "3"])
"""A column that is counted beside; in every random table one person of each class fills it in."""


def picked(cells: Sequence[T], n: int) -> st.SearchStrategy[list[T]]:
    """As many of some cells, at most 256, each as often as it comes: one draw, where a list of draws makes two for each.

    Example:
        >>> from hypothesis import find
        >>> find(picked("abc", 4), lambda some: "b" in some)
        ['a', 'a', 'a', 'b']
    """
    return st.binary(min_size=n, max_size=n).map(lambda places: [cells[place % len(cells)] for place in places])


class Pick(Protocol):
    """Chooses as many of some cells, each as often as it comes."""

    def __call__(self, cells: Sequence[T], n: int, /) -> list[T]:
        """The cells."""


def seeded(rng: np.random.Generator) -> Pick:
    """Cells drawn evenly, where many random tables are looked through and none is made small."""
    return lambda cells, n: [cells[place] for place in np.asarray(rng.integers(0, len(cells), n), np.int64).tolist()]


def _drawing(draw: st.DrawFn) -> Pick:
    """Cells drawn by Hypothesis."""
    return lambda cells, n: draw(picked(cells, n))


def hierarchy_of(pick: Pick, name: str, n_leaves: int, max_height: int = 3) -> Hierarchy:
    """A tree of uniform depth over the leaves "0" … "n-1"."""
    (height,) = pick(range(1, max_height + 1), 1)
    codes = list(range(n_leaves))
    paths = [[str(i)] for i in range(n_leaves)]
    for level in range(1, height):
        nodes = sorted(set(codes))
        order = dict(zip(nodes, pick(range(len(nodes)), len(nodes)), strict=True))
        codes = [order[code] for code in codes]
        for path, code in zip(paths, codes, strict=True):
            path.append(f"{level}.{code}")
    return Hierarchy.from_paths(name, [(*path, ROOT) for path in paths])


def attribute_of(pick: Pick) -> Attribute:
    """A sensitive integer column with a random tree, sometimes with a missing value."""
    (n_leaves,) = pick(range(1, 7), 1)
    tree = hierarchy_of(pick, SENSITIVE, n_leaves)
    if pick((False, True), 1)[0]:
        tree = tree.with_missing()
    positions = np.array([np.nan if label is None else float(label) for label in tree.labels[0]])
    return Attribute(Column(SENSITIVE, Role.SENSITIVE, Kind.INTEGER), tree, positions)


def classes_of(pick: Pick, *, max_classes: int = 6, max_count: int = 9, spread: bool = False) -> Classes:
    """Random classes with a histogram, a population and a k for each class.

    Every class holds at least one person. The table's total of each sensitive value is at least the
    sum over the classes: the rest was suppressed. The population of a class is at least its persons.

    Args:
        pick: draws.
        max_classes: most classes.
        max_count: most persons with one sensitive value in one class.
        spread: whether some persons may have rows in several finest classes.
    """
    (n,), (most,) = pick(range(1, max_classes + 1), 1), pick((1, 2, max_count, max_count), 1)
    attribute = attribute_of(pick)
    n_leaves = attribute.hierarchy.n_leaves
    cells = (*[0] * (most + 1), *range(most + 1))
    cell = np.array(pick(cells, (n + 1) * n_leaves), np.int64).reshape(n + 1, n_leaves)
    counts, suppressed = cell[:n], cell[n]
    counts[~counts.any(axis=1), pick(range(n_leaves), 1)[0]] = 1
    persons = counts.sum(axis=1)
    others = _spread_of(pick, n) if spread else None
    alone = persons if others is None else np.maximum(persons - others.counts(n), 0)
    wishes = np.eye(4, dtype=np.int64)[pick(range(4), n)]
    more, outside, wanted = np.array(pick(range(13), 3 * n), np.int64).reshape(3, n)
    return Classes(
        codes=np.arange(n, dtype=np.int64)[:, None],
        rows=persons + more * (others is not None),
        alone=alone,
        spread=others,
        population=persons + outside + (0 if others is None else others.counts(n)),
        personal_k=wanted,
        histograms=(histogram(attribute, counts, suppressed),),
        beside=(histogram(WISHES, wishes),),
    )


def membership_of(pick: Pick, n_classes: int) -> IntArray:
    """(n_classes,) int64: a random way to merge classes, numbered 0 … without a gap."""
    group = np.array(pick(range(n_classes), n_classes), np.int64)
    return np.unique(group, return_inverse=True)[1].astype(np.int64)


@st.composite
def hierarchies(draw: st.DrawFn, name: str, n_leaves: int) -> Hierarchy:
    """See `hierarchy_of`."""
    return hierarchy_of(_drawing(draw), name, n_leaves)


@st.composite
def classes(draw: st.DrawFn, *, max_classes: int = 6, max_count: int = 9, spread: bool = False) -> Classes:
    """See `classes_of`."""
    return classes_of(_drawing(draw), max_classes=max_classes, max_count=max_count, spread=spread)


@st.composite
def memberships(draw: st.DrawFn, n_classes: int) -> IntArray:
    """See `membership_of`."""
    return membership_of(_drawing(draw), n_classes)


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


def _spread_of(pick: Pick, n_classes: int) -> Spread | None:
    """Distinct pairs of class and person for a few persons who lie in several classes."""
    (n,) = pick(range(2 * n_classes + 1), 1)
    pairs = set(zip(pick(range(n_classes), n), pick(range(3), n), strict=True))
    if not pairs:
        return None
    owner, person = np.array(sorted(pairs), np.int64).T
    return Spread(owner, person)
