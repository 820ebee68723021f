"""Distributions before and after."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes
from sfumato.summary.published import SuppressedMark, published_at_levels, read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.utility.compare import OTHER, distribution, released_marginal, shares, suppressed_cells

TOWN = bind(Column("town", Role.QUASI_IDENTIFYING), ["Blois", "Bourges", "Lyon"])
FINEST = Classes(np.array([[0], [1], [2]]), rows=np.array([5, 3, 2]), alone=np.array([5, 3, 2]))


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.integers(1, 10))
def test_no_bar_stands_for_fewer_rows_than_the_floor(counts, floor):
    counts = np.array(counts)
    bars = shares([str(i) for i in range(len(counts))], counts, floor=floor)
    n = counts.sum()
    if n >= floor:
        assert all(round(share * n) >= floor for _, share in bars)
    if n:
        assert sum(share for _, share in bars) == pytest.approx(1.0)


def test_rare_values_are_merged_and_not_named():
    assert shares(["a", "b", "c"], np.array([8, 1, 1]), floor=2) == (("a", 0.8), (OTHER, 0.2))


def test_a_merged_bar_below_the_floor_takes_the_next_rarest_value():
    assert shares(["a", "b", "c"], np.array([6, 3, 1]), floor=2) == (("a", 0.6), (OTHER, 0.4))


def test_the_most_frequent_values_are_shown():
    assert shares(["a", "b", "c"], np.array([2, 5, 3]), floor=1, most=2) == (("b", 0.5), ("c", 0.3), (OTHER, 0.2))


def test_the_order_of_the_labels_is_kept():
    assert [label for label, _ in shares(["10", "20", "5"], np.array([1, 2, 3]), floor=1)] == ["10", "20", "5"]


def test_an_empty_column_has_no_bars():
    assert shares(["a"], np.array([0]), floor=1) == ()


def test_each_side_keeps_its_own_labels():
    both = distribution((["a", "b"], np.array([5, 5])), (["*"], np.array([10])), floor=5)
    assert (both.before, both.after) == ((("a", 0.5), ("b", 0.5)), (("*", 1.0),))


def test_suppressed_rows_are_stars_in_the_released_column():
    table = published_at_levels([TOWN], FINEST, [0], np.array([True, True, False]))
    labels, counts = released_marginal(table, 0)
    assert dict(zip(labels, counts.tolist(), strict=True)) == {"Blois": 5, "Bourges": 3, "Lyon": 0, "*": 2}


def test_suppressed_cells_are_those_that_tell_nothing():
    kept = np.array([True, True, False])
    assert suppressed_cells(published_at_levels([TOWN], FINEST, [0], kept)) == {"town": 2}
    assert suppressed_cells(published_at_levels([TOWN], FINEST, [1])) == {"town": 10}


@pytest.mark.parametrize("wrong", [{"floor": 0}, {"floor": 1, "most": 0}])
def test_limits_below_one_are_refused(wrong):
    with pytest.raises(ParameterError):
        shares(["a"], np.array([1]), **wrong)


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["[100, 199]", "[20, 29]", "[9, 19]", "*"], ["[9, 19]", "[20, 29]", "[100, 199]"]),
        (["9", "1000", "[20, 29]", "nonsense"], ["9", "[20, 29]", "1000", "nonsense"]),
    ],
)
def test_recoded_numbers_stand_in_the_order_of_numbers(labels, told):
    ones = np.ones(len(labels), np.int64)
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["9", "19", "20", "29", "100", "199", "1000"])
    table = read_published(
        [age], [labels], Classes(np.arange(len(labels))[:, None], rows=ones, alone=ones), suppressed=SuppressedMark.NONE
    )
    found = [label for label, _ in zip(*released_marginal(table, 0), strict=True) if label != "*"]
    assert found == told
