"""GCP, precision, ARX loss and non-uniform entropy against slow twins over rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.summary.classes import Classes
from sfumato.summary.published import Published, published_at_levels
from sfumato.summary.roll_up import distinct_rows, roll_up
from sfumato.summary.span import Ncp
from sfumato.table.attribute import Attribute
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import hierarchies
from sfumato.utility.entropy import non_uniform_entropy, share_of_bits_lost
from sfumato.utility.gcp import gcp, ncp_by_attribute
from sfumato.utility.loss.arx_loss import ArxLoss
from sfumato.utility.precision import precision
from sfumato.utility.released_loss import released_loss


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
    row = st.tuples(*(st.integers(0, a.hierarchy.n_leaves - 1) for a in attributes))
    rows = np.array(draw(st.lists(row, min_size=1, max_size=20)), np.int64)
    codes, member = distinct_rows(rows)
    finest = Classes(codes, rows=np.bincount(member), alone=np.bincount(member))
    levels = [draw(st.integers(0, a.hierarchy.height)) for a in attributes]
    classes, fine_to_class = roll_up(finest, attributes, levels)
    kept = np.array(draw(st.lists(st.booleans(), min_size=classes.n_classes, max_size=classes.n_classes)))
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


@given(generalizations())
def test_gcp_is_the_mean_penalty_of_all_cells(case):
    def by_leaves(attribute, level, leaf, stays, j):
        n = len(members(attribute, level, leaf))
        return 1.0 if not stays else 0.0 if n == 1 else n / attribute.hierarchy.n_leaves

    def by_width(attribute, level, leaf, stays, j):
        if attribute.positions is None or not stays:
            return by_leaves(attribute, level, leaf, stays, j)
        inside, width = attribute.positions[members(attribute, level, leaf)], np.ptp(attribute.positions)
        return np.ptp(inside) / width if width else 0.0

    assert ncp_by_attribute(release(case), Ncp.LEAVES) == pytest.approx(cells(case, by_leaves))
    assert ncp_by_attribute(release(case), Ncp.WIDTH) == pytest.approx(cells(case, by_width))
    assert gcp(release(case), Ncp.NODE) == pytest.approx(cells(case, by_width).mean())


@given(generalizations())
def test_precision_is_one_less_the_mean_height(case):
    def height(attribute, level, leaf, stays, j):
        return level / attribute.hierarchy.height

    assert precision(release(case)) == pytest.approx(1 - cells(case, height).mean())


@given(generalizations())
def test_the_loss_of_a_release_is_the_loss_its_search_minimized(case):
    attributes, finest, levels, classes, kept, _, _ = case
    searched = ArxLoss().prepare(finest, attributes).value(np.array(levels), classes, kept)
    assert released_loss(release(case)) == pytest.approx(searched, abs=2e-9)


@given(generalizations())
def test_bits_lost_are_those_of_the_original_value_given_the_label(case):
    """Without suppression: -sum over rows of log2 P(original | label)."""
    attributes, finest, levels, classes, _, rows, _ = case
    everything = (attributes, finest, levels, classes, np.ones(classes.n_classes, bool), rows, np.ones(len(rows), bool))

    def bits(attribute, level, leaf, stays, j):
        under = np.isin(rows[:, j], members(attribute, level, leaf)).sum()
        return -np.log2((rows[:, j] == leaf).sum() / under)

    assert non_uniform_entropy(release(everything), finest) == pytest.approx(cells(everything, bits), abs=1e-9)


@given(generalizations())
def test_all_measures_stay_within_their_range(case):
    table = release(case)
    finest = case[1]
    for value in [gcp(table, c) for c in Ncp] + [
        precision(table),
        released_loss(table),
        share_of_bits_lost(table, finest),
    ]:
        assert -1e-12 <= value <= 1 + 1e-12


@given(generalizations())
def test_the_original_table_loses_nothing(case):
    attributes, finest, *_ = case
    table = published_at_levels(attributes, finest, [0, 0])
    assert [gcp(table, c) for c in Ncp] == [0.0, 0.0, 0.0]
    assert precision(table) == 1.0
    assert released_loss(table) == 0.0
    assert share_of_bits_lost(table, finest) == 0.0
