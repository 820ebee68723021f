"""Automatic hierarchies hold about equally many persons, and are always the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.table.hierarchy.balanced import Balanced, balanced_from, merge_rare, nearest, rare_from
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.schema import Column, Kind, Role

AGE = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
TOWN = Column("town", Role.QUASI_IDENTIFYING)
SIDES = ["L", "R", "B", "F", "I"]
COUNTS = st.lists(st.integers(1, 30), min_size=2, max_size=24)


def test_the_merged_group_is_checked_again():
    """B6: F and I alone are two persons; B joins them, so that `Other` has five, not two."""
    kept, merged = merge_rare(SIDES, np.array([3, 4, 3, 1, 1]), 3)
    assert set(merged) == {"B", "F", "I"}
    assert kept == ("L", "R")
    tree = rare_from(SIDES, np.array([3, 4, 3, 1, 1]), 3).build(Column("side", Role.QUASI_IDENTIFYING), SIDES)
    assert tree.labels[1] == ("L", "R", "Other")


@given(COUNTS, st.integers(1, 40))
def test_merged_values_have_enough_persons_or_all_are_merged(counts, at_least):
    """B6 as a law."""
    names = [f"v{i:02d}" for i in range(len(counts))]
    size = dict(zip(names, counts, strict=True))
    kept, merged = merge_rare(names, np.array(counts), at_least)
    assert sorted([*kept, *merged]) == names
    assert all(size[name] >= at_least for name in kept)
    assert not merged or not kept or sum(size[name] for name in merged) >= at_least


def test_nothing_is_merged_where_all_are_frequent():
    assert rare_from(["a", "b"], np.array([5, 5]), 5) == Groups(("a", "b"))


@given(COUNTS, st.integers(2, 4))
def test_levels_shrink_by_the_fanout(counts, fanout):
    n = len(counts)
    values = [str(i) for i in range(n)]
    for column in (AGE, TOWN):
        tree = balanced_from(column, values, np.array(counts), fanout).build(column, values)
        assert [len(names) for names in tree.labels[:3]] == [
            n,
            -(-n // fanout),
            *[len(names) for names in tree.labels[2:3]],
        ]
        assert all(len(a) > len(b) for a, b in zip(tree.labels, tree.labels[1:], strict=False))


def test_ranges_are_cut_at_equal_shares_of_persons():
    counts = np.array([10, 1, 1, 1, 1, 6])
    tree = balanced_from(AGE, list("123456"), counts, 3).build(AGE, list("123456"))
    assert tree.labels[1] == ("< 2", ">= 2")


def test_values_that_come_later_still_have_a_place():
    spec = balanced_from(AGE, ["10", "20", "30", "40"], np.ones(4, np.int64), 2)
    assert spec.build(AGE, ["-5", "25", "99"]).labels[1] == ("< 30", ">= 30")


@given(COUNTS, st.data())
def test_cuts_ascend_and_are_the_nearest_when_free(counts, data):
    size = data.draw(st.integers(2, len(counts)))
    before = np.cumsum(counts) - counts
    cuts = nearest(np.arange(1, len(counts)), before, sum(counts), size)
    assert len(cuts) == size - 1
    assert (np.diff(cuts) > 0).all()
    if size == 2:
        slow = min(range(1, len(counts)), key=lambda c: (abs(int(before[c]) * 2 - sum(counts)), c))
        assert cuts.tolist() == [slow]


def test_the_most_frequent_texts_stay_longest():
    spec = balanced_from(TOWN, list("abcdefgh"), np.array([1, 8, 2, 7, 3, 6, 4, 5]), 2)
    tree = spec.build(TOWN, list("abcdefgh"))
    assert [set(names) for names in tree.labels[1:]] == [{"b", "d", "f", "Other"}, {"b", "Other (7 values)"}, {"*"}]


def test_a_value_named_other_is_no_merged_group():
    tree = balanced_from(TOWN, ["Other", "a", "b"], np.array([9, 1, 1]), 2).build(TOWN, ["Other", "a", "b"])
    assert tree.labels[1] == ("Other", "Other (merged)")


def test_the_order_of_values_does_not_matter():
    values, counts = ["c", "a", "b", "d"], np.array([2, 2, 2, 1])
    order = [3, 1, 0, 2]
    again = balanced_from(TOWN, [values[i] for i in order], counts[order], 2)
    assert balanced_from(TOWN, values, counts, 2) == again


def test_missing_values_are_left_aside():
    assert balanced_from(TOWN, ["a", None, "b", "c"], np.array([1, 50, 1, 1]), 2).build(TOWN, ["a"]).n_leaves == 3


def test_dates_are_cut_at_dates():
    born = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE)
    days = ["2020-01-01", "2020-06-01", "2021-01-01", "2021-06-01"]
    assert Balanced(2).build(born, days).labels[1] == ("< 2021-01-01", ">= 2021-01-01")


def test_a_fanout_of_one_is_refused():
    with pytest.raises(ParameterError):
        Balanced(1)
