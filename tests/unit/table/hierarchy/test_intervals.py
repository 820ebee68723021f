"""Declared intervals hold each value exactly once, or say what is wrong."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import AmbiguousHierarchy, HierarchyError, IntervalGap, IntervalOverlap, ParameterError
from sfumato.table.hierarchy.intervals import Interval, Intervals, from_edges
from sfumato.table.label import Range, parse_label
from sfumato.table.number import exact
from sfumato.table.schema import Column, Kind, Role

AGE = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
SIZE = Column("size", Role.QUASI_IDENTIFYING, Kind.DECIMAL)


def edges(*levels, below=False, above=False):
    return from_edges(levels, below=below, above=above)


@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=6, unique=True).map(sorted),
    st.lists(st.integers(-60, 60), min_size=1, max_size=8, unique=True),
)
def test_every_value_lies_in_its_published_interval(cuts, values):
    tree = edges(cuts, below=True, above=True).build(AGE, [str(value) for value in values])
    for leaf, text in enumerate(tree.labels[0]):
        label = parse_label(tree.labels[1][tree.ancestors[1][leaf]])
        assert isinstance(label, Range)
        assert label.low is None or int(label.low) <= int(text)
        assert label.high is None or int(text) < int(label.high)


def test_a_value_outside_all_intervals_is_a_gap():
    """B11: ages -1, 17.5 and 130 are counted below, between and above."""
    spec = Intervals(((Interval(0, 17), Interval(18, 120)),))
    with pytest.raises(IntervalGap, match="3 of 4 do not: 1 below the first, 1 from the end of the last on, 1 between"):
        spec.build(Column("age", Role.QUASI_IDENTIFYING, Kind.DECIMAL), ["-1", "17.5", "40", "130"])


def test_open_ends_take_what_lies_outside():
    """B11: explicit classes below and above, when asked for."""
    tree = edges([0, 18, 120], below=True, above=True).build(AGE, ["-1", "17", "130"])
    assert tree.labels[1] == ("< 0", "[0, 18[", ">= 120")


def test_the_last_edge_lies_outside():
    with pytest.raises(IntervalGap, match="1 from the end of the last on"):
        edges([0, 65, 120]).build(AGE, ["120"])


def test_overlapping_intervals_are_refused():
    spec = Intervals(((Interval(0, 20), Interval(10, 30)),))
    with pytest.raises(IntervalOverlap, match=r"'age' .* 1 of 2"):
        spec.build(AGE, ["5"])


def test_an_interval_across_two_coarser_ones_is_ambiguous():
    """B2: [10, 20[ lies in both [0, 15[ and [15, 30[, whatever the values are."""
    with pytest.raises(AmbiguousHierarchy, match="1 of 3 lie across an edge"):
        edges([0, 10, 20, 30], [0, 15, 30]).build(AGE, ["5"])


def test_an_open_end_does_not_lie_inside_a_closed_interval():
    spec = Intervals(((Interval(None, 0), Interval(0, 9)), (Interval(-9, 9),)))
    with pytest.raises(AmbiguousHierarchy):
        spec.build(AGE, ["5"])


@given(st.lists(st.integers(0, 12), min_size=2, max_size=6, unique=True).map(sorted),
       st.lists(st.integers(0, 12), min_size=2, max_size=4, unique=True).map(sorted))  # fmt: skip
def test_nesting_is_what_the_definition_says(fine, coarse):
    finer = [set(range(low, high)) for low, high in pairwise(fine)]
    coarser = [set(range(low, high)) for low, high in pairwise(coarse)]
    nested = all(any(f <= c for c in coarser) or not any(f & c for c in coarser) for f in finer)
    inside = sorted(set().union(*finer) & set().union(*coarser))
    try:
        edges(fine, coarse).build(AGE, [str(v) for v in inside] or [str(fine[0])])
        assert nested
    except AmbiguousHierarchy:
        assert not nested
    except IntervalGap:
        assert nested
        assert not inside


def test_declared_labels_are_published():
    spec = Intervals(((Interval(0, 18, "minor"), Interval(18, None, "adult")),))
    assert spec.build(AGE, ["70", "3"]).labels[1] == ("minor", "adult")


def test_equal_labels_are_refused():
    with pytest.raises(HierarchyError, match="different labels"):
        Intervals(((Interval(0, 5, "x"), Interval(5, 9, "x")),)).build(AGE, ["1", "6"])


def test_leaves_of_whole_numbers_are_the_declared_domain():
    column = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, bounds=(0, 9))
    tree = edges([0, 5, 10]).build(column, ["007", "3"])
    assert tree.labels[0] == ("0", "1", "2", "3", "4", "5", "6", "007", "8", "9")
    assert tree.shares(1).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("bounds", [(0, 1e12), (0, float("inf"))])
def test_a_domain_too_large_to_list_is_refused(bounds):
    column = Column("income", Role.QUASI_IDENTIFYING, Kind.INTEGER, bounds=bounds)
    with pytest.raises(HierarchyError, match="must hold at most"):
        edges([0, 10**13]).build(column, ["7"])


def test_dates_have_edges_in_their_own_format():
    born = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d/%m/%Y")
    tree = edges([date(1990, 1, 1), date(2000, 1, 1)]).build(born, ["31/12/1999"])
    assert tree.labels[1] == ("[01/01/1990, 01/01/2000[",)


def test_a_decimal_at_an_edge_belongs_to_the_upper_interval():
    assert edges([0.1, 0.3, 0.7]).build(SIZE, ["0.3", "0,10"]).labels[1] == ("[0.1, 0.3[", "[0.3, 0.7[")


@pytest.mark.parametrize("cuts", [[], [1], [2, 1], [1, 1]])
def test_edges_must_increase_and_suffice(cuts):
    with pytest.raises(ParameterError):
        edges(cuts)


def test_an_interval_needs_an_edge_and_a_direction():
    with pytest.raises(ParameterError):
        Interval(None, None)
    with pytest.raises(ParameterError):
        Interval(5, 5)


def test_text_has_no_intervals():
    with pytest.raises(HierarchyError, match="ordered column"):
        edges([0, 9]).build(Column("x", Role.QUASI_IDENTIFYING), ["1"])


def test_no_value_is_in_a_message():
    with pytest.raises(IntervalGap) as caught:
        edges([0, 9]).build(AGE, ["987654"])
    assert "987654" not in str(caught.value)


def test_exact_is_the_written_number():
    assert str(exact(0.1)) == "0.1"
