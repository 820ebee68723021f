"""Intervals of fixed width hold their values, nest, and have exact edges."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import AmbiguousHierarchy, HierarchyError, ParameterError
from sfumato.table.hierarchy.propose import paths
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.label import Range, parse_label
from sfumato.table.schema import Column, Kind, Role

AGE = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
SIZE = Column("size", Role.QUASI_IDENTIFYING, Kind.DECIMAL)


@given(
    st.lists(st.decimals(-20, 20, places=2).map(str), min_size=1, max_size=8, unique=True),
    st.sampled_from([0.1, 0.3, 2, 2.5]),
    st.sampled_from([0, 0.05, -7]),
)
def test_every_value_lies_in_its_published_interval(values, width, start):
    tree = FixedWidths(width, (width * 2,), start).build(SIZE, values)
    for text, *labels in paths(tree):
        for label, size in zip(labels, (width, width * 2), strict=False):
            read = parse_label(label)
            assert isinstance(read, Range)
            assert Decimal(read.low) <= Decimal(text) < Decimal(read.high)
            assert Decimal(read.high) - Decimal(read.low) == Decimal(str(size))


def test_ages_by_five_then_twenty():
    """B3: what is previewed is what is built: ages 0-99 have 20 classes, then 5."""
    tree = FixedWidths(5, (20,)).build(AGE, [str(age) for age in range(100)])
    assert (len(tree.labels[1]), len(tree.labels[2])) == (20, 5)
    assert tree.labels[2] == ("[0, 20[", "[20, 40[", "[40, 60[", "[60, 80[", "[80, 100[")
    assert tree.leaf_counts(2).tolist() == [20] * 5


def test_a_width_that_is_no_multiple_is_ambiguous():
    """B2: intervals of 5 do not lie inside intervals of 12."""
    with pytest.raises(AmbiguousHierarchy, match="larger multiple"):
        FixedWidths(5, (12,)).build(AGE, ["3"])


def test_decimal_multiples_are_exact():
    assert FixedWidths(0.1, (0.3,)).build(SIZE, ["0.3"]).labels == (("0.3",), ("[0.3, 0.4[",), ("[0.3, 0.6[",), ("*",))


def test_negative_numbers_are_floored():
    assert FixedWidths(10).build(AGE, ["-1", "-10", "0"]).labels[1] == ("[-10, 0[", "[0, 10[")


def test_ends_cut_the_intervals_at_every_level():
    """B11: explicit classes below and above; the intervals they cut are spelled as cut."""
    tree = FixedWidths(10, (20,), low=18, high=90).build(AGE, ["3", "19", "85", "89", "90", "117"])
    assert tree.labels[1] == ("< 18", "[18, 20[", "[80, 90[", ">= 90")
    assert tree.labels[2] == ("< 18", "[18, 20[", "[80, 90[", ">= 90")


def test_leaves_are_the_declared_domain():
    column = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, bounds=(0, 99))
    assert FixedWidths(50).build(column, ["3"]).leaf_counts(1).tolist() == [50, 50]


def test_widths_too_small_for_floats_are_refused():
    """B9: edges strictly increase or the width is refused."""
    with pytest.raises(HierarchyError, match=r"width 0\.0000001 is too small"):
        FixedWidths(1e-7).build(SIZE, ["1e9", "0"])
    with pytest.raises(HierarchyError, match="strictly increasing"):
        FixedWidths(0.01, start=10**15).build(SIZE, ["1000000000000000.125"])


@pytest.mark.parametrize(
    "options", [{"width": 0}, {"width": -1}, {"width": float("nan")}, {"width": 5, "low": 9, "high": 9}]
)
def test_parameters_outside_their_range(options):
    with pytest.raises(ParameterError):
        FixedWidths(**options)


def test_dates_have_no_fixed_width():
    with pytest.raises(HierarchyError, match="declared as date"):
        FixedWidths(5).build(Column("born", Role.QUASI_IDENTIFYING, Kind.DATE), ["2020-01-01"])


def test_many_values_keep_their_leaves():
    values = [str(value) for value in range(0, 3_000_000, 30)]
    assert FixedWidths(300, (3000,)).build(AGE, values).n_leaves == 100_000
