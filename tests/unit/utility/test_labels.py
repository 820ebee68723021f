"""The global certainty penalty against its mean over cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.utility.generalizations import cells, generalizations, members, release

from sfumato.summary.published import published_at_levels
from sfumato.summary.span import Ncp
from sfumato.utility.labels import average_class_size, discernibility, gcp, ncp_by_attribute, precision, released_loss
from sfumato.utility.loss.arx import ArxLoss


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
def test_it_stays_within_its_range_and_the_original_loses_nothing_gcp(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    for convention in Ncp:
        assert gcp(whole, convention) == 0.0
        assert 0.0 <= gcp(release(case), convention) <= 1.0 + 1e-12


@given(generalizations())
def test_precision_is_one_less_the_mean_height(case):
    def height(attribute, level, leaf, stays, j):
        return level / attribute.hierarchy.height

    assert precision(release(case)) == pytest.approx(1 - cells(case, height).mean())


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing_precision(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    assert precision(whole) == 1.0
    assert -1e-12 <= precision(release(case)) <= 1.0


@given(generalizations())
def test_the_loss_of_a_release_is_the_loss_its_search_minimized(case):
    attributes, finest, levels, classes, kept, _, _ = case
    searched = ArxLoss().prepare(finest, attributes).value(np.array(levels), classes, kept)
    assert released_loss(release(case)) == pytest.approx(searched, abs=2e-9)


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing_loss(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    assert released_loss(whole) == 0.0
    assert 0.0 <= released_loss(release(case)) <= 1.0 + 1e-12


@given(st.lists(st.integers(1, 30), max_size=10), st.integers(0, 20))
def test_each_row_costs_the_rows_it_cannot_be_told_from(sizes, suppressed):
    n = sum(sizes) + suppressed
    rows = [size for size in sizes for _ in range(size)] + [n] * suppressed
    assert discernibility(np.array(sizes, np.int64), suppressed) == sum(rows)


def test_squares_beyond_64_bits_stay_exact():
    assert discernibility(np.array([2**40, 3]), 0) == 2**80 + 9
    assert discernibility(np.full(2**14, 2**25), 1) == 2**64 + 2**39 + 1


def test_classes_of_exactly_k_give_one():
    assert average_class_size(20, 4, 5) == 1.0


def test_larger_classes_give_more():
    assert average_class_size(30, 4, 5) == 1.5


def test_no_class_gives_no_number():
    assert average_class_size(0, 0, 5) is None
