"""Texts become numbers, or are refused with their count."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, ParameterError, SchemaError
from sfumato.table.number import _position, equal_edges, in_order, leaves_of, positions, spell, spell_number
from sfumato.table.schema import Column, Kind, Role

INTEGER = Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER)
DECIMAL = Column("x", Role.QUASI_IDENTIFYING, Kind.DECIMAL)


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False).map(repr)), max_size=8))
def test_reading_at_once_equals_reading_one_by_one(values):
    slow = [np.nan if value is None else _position(DECIMAL, value) for value in values]
    np.testing.assert_array_equal(slow, positions(DECIMAL, values))


def test_a_decimal_comma_is_read_as_a_point():
    assert positions(DECIMAL, ["5,5", "2.25", None]).tolist()[:2] == [5.5, 2.25]


@pytest.mark.parametrize("text", ["1_000", "nan", "inf", "", "?", "1.5"])
def test_texts_that_are_no_whole_number_are_counted(text):
    with pytest.raises(SchemaError, match="1 distinct values do not"):
        positions(INTEGER, ["1", text])


def test_dates_count_days_in_the_declared_format():
    born = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d/%m/%Y")
    assert positions(born, ["02/01/1970"]).tolist() == [1.0]


def test_values_of_equal_number_are_ordered_by_text():
    assert in_order(DECIMAL, ["2", "1.0", "1", "10"]) == ["1", "1.0", "2", "10"]


SIZE = Column("size", Role.QUASI_IDENTIFYING, Kind.DECIMAL)


def test_a_tiny_range_has_distinct_edges():
    """B9: 20 bins between 0 and 0.001 have 21 strictly increasing edges with 21 different texts."""
    edges = equal_edges(0, 0.001, 20)
    assert len(edges) == 21
    assert all(a < b for a, b in pairwise(edges))
    assert len({spell_number(edge) for edge in edges}) == 21


def test_edges_that_floats_cannot_tell_apart_are_refused():
    """B9: the refusal is a sentence, not a crash."""
    with pytest.raises(ParameterError, match="too narrow"):
        equal_edges(1.0, 1.0000000000000002, 20)


@given(st.integers(-100, 100), st.integers(1, 100), st.integers(1, 30))
def test_edges_lie_at_equal_distances(low, width, n_bins):
    edges = [Fraction(edge) for edge in equal_edges(low, low + width, n_bins)]
    wanted = [low + Fraction(width * i, n_bins) for i in range(n_bins + 1)]
    assert all(abs(a - b) < Fraction(1, 10**20) for a, b in zip(wanted, edges, strict=True))


@pytest.mark.parametrize(("low", "high", "n"), [(0, 0, 3), (1, 0, 3), (0, 1, 0)])
def test_bins_need_a_width_and_a_number(low, high, n):
    with pytest.raises(ParameterError):
        equal_edges(low, high, n)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_spelled_edge_reads_as_the_same_number(edge):
    text = spell(SIZE, edge)
    assert float(text) == edge
    assert "e" not in text.lower()


def test_leaves_ascend_and_stand_once():
    leaves = leaves_of(SIZE, ["2.5", "10", None, "2.5", "-1"])
    assert leaves.texts == ("-1", "2.5", "10")
    assert leaves.places.tolist() == [-1.0, 2.5, 10.0]


def test_a_column_without_values_has_no_leaves():
    with pytest.raises(HierarchyError, match="no value"):
        leaves_of(SIZE, [None])
