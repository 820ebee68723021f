"""Coarser classes from finer ones."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.summary.classes import Classes, Spread, distinct_rows, group, roll_up
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role

rows_of_codes = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=30)


def slow_roll_up(rows, tables):
    """Count each generalized tuple, one row at a time."""
    return Counter(tuple(table[code] for table, code in zip(tables, row, strict=True)) for row in rows)


def attribute(name):
    """Five values, two groups, a root."""
    paths = [(str(i), "low" if i < 2 else "high", "*") for i in range(5)]
    return Attribute(Column(name, Role.QUASI_IDENTIFYING), Hierarchy.from_paths(name, paths), None)


def classes_of(rows):
    """The finest classes of a list of code tuples."""
    codes = np.array(rows, np.int64)
    ones = np.ones(len(rows), np.int64)
    return group(Classes(codes, ones, ones), codes)[0]


@given(rows_of_codes, st.tuples(*[st.integers(0, 2)] * 3))
def test_roll_up_counts_as_counting_rows_does(rows, levels):
    """The fast roll-up and a loop over rows give the same classes and sizes."""
    attributes = [attribute(name) for name in "abc"]
    coarse, membership = roll_up(classes_of(rows), attributes, levels)
    tables = [a.hierarchy.ancestors[level].tolist() for a, level in zip(attributes, levels, strict=True)]
    expected = slow_roll_up(rows, tables)
    assert expected == {tuple(c): int(n) for c, n in zip(coarse.codes.tolist(), coarse.rows, strict=True)}
    assert coarse.n_classes == membership.max() + 1


@given(st.lists(st.lists(st.integers(0, 2**40), min_size=4, max_size=4), min_size=1, max_size=20))
def test_distinct_rows_survives_keys_beyond_63_bits(rows):
    """Codes whose product of radices exceeds 2^62 are still told apart."""
    codes = np.array(rows, np.int64)
    distinct, inverse = distinct_rows(codes)
    assert sorted({tuple(row) for row in rows}) == [tuple(row) for row in distinct.tolist()]
    assert np.array_equal(codes, distinct[inverse])


def test_a_person_in_two_tuples_counts_once_when_they_merge():
    """Persons spread over several tuples do not add up; the others do."""
    fine = Classes(
        np.array([[0], [1], [2]]),
        rows=np.array([3, 2, 1]),
        alone=np.array([2, 1, 0]),
        spread=Spread(np.array([0, 1, 2]), np.array([7, 7, 7])),
    )
    assert [3, 2, 1] == fine.persons.tolist()
    coarse, _ = group(fine, np.array([[0], [0], [1]]))
    assert [4, 1] == coarse.persons.tolist()
    assert [5, 1] == coarse.rows.tolist()


def test_population_adds_up_and_personal_k_takes_the_largest():
    """Population counts are sums, personal k is a maximum."""
    fine = Classes(
        np.array([[0], [1]]),
        rows=np.array([1, 1]),
        alone=np.array([1, 1]),
        population=np.array([4, 5]),
        personal_k=np.array([2, 9]),
    )
    coarse, _ = group(fine, np.array([[0], [0]]))
    assert [9] == coarse.population.tolist()
    assert [9] == coarse.personal_k.tolist()


def test_histograms_merge_and_select_with_their_classes():
    """Sensitive counts follow their classes; the table's total stays."""
    illness = bind(Column("illness", Role.SENSITIVE), ["flu", "gout"])
    histogram = Histogram(
        illness, np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([2, 1, 1]), total=np.array([3, 1])
    )
    fine = Classes(np.array([[0], [1]]), np.array([2, 2]), np.array([2, 2]), histograms=(histogram,))
    coarse, _ = group(fine, np.array([[0], [0]]))
    assert [[3.0, 1.0]] == coarse.histograms[0].dense(1).tolist()
    second = fine.select(np.array([False, True]))
    assert [[1.0, 1.0]] == second.histograms[0].dense(1).tolist()
    assert [3, 1] == second.histograms[0].total.tolist()


def test_select_keeps_spread_persons_of_the_kept_classes():
    """Selecting classes renumbers the spread persons."""
    fine = Classes(
        np.array([[0], [1]]),
        np.array([1, 1]),
        np.array([0, 0]),
        spread=Spread(np.array([0, 1]), np.array([3, 3])),
    )
    assert [1] == fine.select(np.array([False, True])).persons.tolist()
