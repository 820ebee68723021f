"""Distinction and separation of sets of columns."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.risk.subsets import DAYS, persons_for, share_alone, subset_risks
from sfumato.summary.classes import Classes, distinct_rows
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role


def table(rows):
    """Classes and attributes of a table of small integers."""
    rows = np.array(rows, np.int64)
    codes, member = distinct_rows(rows)
    counts = np.bincount(member)
    names = [f"column {j}" for j in range(rows.shape[1])]
    attributes = [bind(Column(name, Role.QUASI_IDENTIFYING), ["0", "1", "2"]) for name in names]
    return Classes(codes, rows=counts, alone=counts), attributes


tables = st.lists(st.integers(0, 2), min_size=1, max_size=4).flatmap(
    lambda tops: st.lists(st.tuples(*(st.integers(0, top) for top in tops)), min_size=2, max_size=12)
)
"""Of columns with one, two or three values."""


wide_tables = st.integers(1, 5).flatmap(
    lambda m: st.lists(
        st.lists(st.sampled_from([0, 1, 2, 2**21 - 1, 2**21, 10**12]), min_size=m, max_size=m), min_size=2, max_size=12
    )
)
"""Of which some sets of columns fit into one number and others do not."""


@given(tables | wide_tables)
def test_each_subset_equals_counting_pairs_of_rows(rows):
    found = subset_risks(*table(rows)).subsets
    assert {s.columns: (s.distinction, s.separation) for s in found} == by_pairs(rows)


@given(tables | wide_tables, st.integers(1, 12))
def test_a_limit_leaves_the_figures_of_the_others_as_they_are(rows, most):
    found = subset_risks(*table(rows), most_subsets=most).subsets
    assert {s.columns: (s.distinction, s.separation) for s in found}.items() <= by_pairs(rows).items()


def by_pairs(rows):
    """Distinction and separation of every set of columns, pair of rows by pair of rows."""
    slow = {}
    for size in range(1, len(rows[0]) + 1):
        for chosen in combinations(range(len(rows[0])), size):
            tuples = [tuple(row[j] for j in chosen) for row in rows]
            pairs = list(combinations(tuples, 2))
            names = tuple(f"column {j}" for j in chosen)
            slow[names] = (len(set(tuples)) / len(tuples), sum(a != b for a, b in pairs) / len(pairs))
    return slow


def test_the_example_of_age_sex_and_state():
    """Motwani and Xu's five persons: age 20, 30, 40, 20, 40; sex F, F, F, M, M; state CA, CA, TX, NY, CA."""
    found = subset_risks(*table([(0, 0, 0), (1, 0, 0), (2, 0, 1), (0, 1, 2), (2, 1, 0)])).subsets
    age, sex, state = "column 0", "column 1", "column 2"
    values = {s.columns: (s.distinction, s.separation) for s in found}
    assert values[(sex,)] == (0.4, 0.6)
    assert values[(state,)] == (0.6, 0.7)
    assert values[(age,)] == (0.6, 0.8)
    assert values[(sex, state)] == (0.8, 0.9)
    assert values[(age, sex)] == (1.0, 1.0)


def test_smaller_subsets_come_first():
    found = subset_risks(*table([[0, 1], [1, 0]])).subsets
    assert [s.columns for s in found] == [("column 0",), ("column 1",), ("column 0", "column 1")]


def test_a_limit_keeps_complete_small_sizes_and_the_full_set_and_says_so():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (30, 6))
    limited = subset_risks(*table(rows), most_subsets=25)
    sizes = [len(s.columns) for s in limited.subsets]
    assert sizes == [1] * 6 + [2] * 15 + [6]
    assert "up to 2 columns and the full set" in limited.statement
    every = {s.columns: s for s in subset_risks(*table(rows)).subsets}
    assert all(every[s.columns] == s for s in limited.subsets)


def test_without_a_limit_all_subsets_are_stated():
    assert subset_risks(*table([[0, 1], [1, 0]])).statement == "All 3 subsets of 2 quasi-identifiers were computed."


def test_one_row_separates_nothing():
    found = subset_risks(*table([[0]])).subsets[0]
    assert (found.distinction, found.separation) == (1.0, 0.0)


def test_no_rows_give_zeros():
    classes, attributes = table([[0]])
    found = subset_risks(classes.select(np.array([False])), attributes).subsets[0]
    assert (found.distinction, found.separation) == (0.0, 0.0)


def test_a_limit_below_one_is_refused():
    with pytest.raises(ParameterError):
        subset_risks(*table([[0]]), most_subsets=0)


def test_rows_that_do_not_stand_side_by_side_in_a_double_are_counted_exactly():
    """Two columns of two values: sums of 2²⁷ + 1 and of 2²⁶ rows need 56 bits together."""
    rows = np.array([2**27 + 1, 2**26, 1])
    classes = Classes(np.array([[0, 0], [0, 1], [1, 0]]), rows=rows, alone=rows)
    attributes = [bind(Column(name, Role.QUASI_IDENTIFYING), ["a", "b"]) for name in "xy"]
    n = sum(rows.tolist())
    for found, sizes in zip(subset_risks(classes, attributes).subsets, ((n - 1, 1), (2**27 + 2, 2**26)), strict=False):
        pairs = n * (n - 1)
        assert found.separation == (pairs - sum(f * (f - 1) for f in sizes)) / pairs


def test_the_largest_tables_are_counted_exactly_too():
    rows = np.array([2**31, 2**31 + 1, 1])
    classes = Classes(np.arange(3)[:, None], rows=rows, alone=rows)
    (found,) = subset_risks(classes, [bind(Column("x", Role.QUASI_IDENTIFYING), ["a", "b", "c"])]).subsets
    n = sum(rows.tolist())
    assert found.separation == 1 - sum(f * (f - 1) for f in rows.tolist()) / (n * (n - 1))


def test_the_formula_is_the_mean_of_simulated_places():
    """200 places of 300 persons in 500 cells; six deviations of the mean."""
    rng, shares = np.random.default_rng(8), []
    for _ in range(200):
        counts = np.bincount(rng.integers(0, 500, 300), minlength=500)
        shares.append((counts == 1).sum() / 300)
    assert np.mean(shares) == pytest.approx(share_alone(300, 500), abs=6 * np.std(shares) / math.sqrt(200))


def test_the_published_shares_are_what_places_of_known_size_give():
    """87 % (Sweeney 2000) and 63 % (Golle 2006) with dates even over 80 years."""
    cells = 2 * DAYS * 80
    assert persons_for(0.87, cells) == pytest.approx(8139, abs=1)
    assert persons_for(0.63, cells) == pytest.approx(27_002, abs=1)
    assert share_alone(persons_for(0.63, cells), cells) == pytest.approx(0.63)
    assert share_alone(1, cells) == 1


@pytest.mark.parametrize(("persons", "cells"), [(0, 10), (5, 1)])
def test_numbers_out_of_range_are_refused(persons, cells):
    with pytest.raises(ParameterError):
        share_alone(persons, cells)
    with pytest.raises(ParameterError):
        persons_for(persons / 4, cells)
