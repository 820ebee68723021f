"""Random full-domain generalizations, and the mean of anything over their cells: the slow twins start here."""

import numpy as np
from hypothesis import strategies as st

from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.summary.published import Published, published_at_levels
from sfumato.table.attribute import Attribute
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import hierarchies, picked


@st.composite
def generalizations(draw):
    """Rows of two columns (one ordered), levels, and which classes are suppressed."""
    attributes = []
    for name, kind in (("age", Kind.INTEGER), ("town", Kind.TEXT)):
        n = draw(st.integers(1, 5))
        places = np.array(sorted(draw(st.sets(st.integers(0, 50), min_size=n, max_size=n))), float)
        tree = draw(hierarchies(name, n))
        attributes.append(
            Attribute(Column(name, Role.QUASI_IDENTIFYING, kind), tree, places if kind.is_ordered else None)
        )
    n_rows = draw(st.integers(1, 20))
    rows = np.array([draw(picked(range(a.hierarchy.n_leaves), n_rows)) for a in attributes], np.int64).T
    codes, member = distinct_rows(rows)
    finest = Classes(codes, rows=np.bincount(member), alone=np.bincount(member))
    levels = [draw(st.integers(0, a.hierarchy.height)) for a in attributes]
    classes, fine_to_class = roll_up(finest, attributes, levels)
    kept = np.array(draw(picked((False, True), classes.n_classes)))
    return attributes, finest, levels, classes, kept, rows, kept[fine_to_class][member]


def cells(case, cell):
    """(m,) mean of `cell(attribute, level, leaf)` over rows; a suppressed row is asked at the root."""
    attributes, _, levels, _, _, rows, stays = case
    out = []
    for j, (attribute, level) in enumerate(zip(attributes, levels, strict=True)):
        height = attribute.hierarchy.height
        lost = [cell(attribute, level if s else height, row[j], s, j) for row, s in zip(rows, stays, strict=True)]
        out.append(float(np.mean(lost)))
    return np.array(out)


def release(case) -> Published:
    attributes, finest, levels, _, kept, _, _ = case
    return published_at_levels(attributes, finest, levels, kept)


def members(attribute, level, leaf):
    up = attribute.hierarchy.ancestors[level]
    return np.flatnonzero(up == up[leaf])
