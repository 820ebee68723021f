"""Edges are exact, strictly increasing, and spelled without exponents."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, ParameterError
from sfumato.table.hierarchy.edges import equal_edges, leaves_of, spell, spell_number
from sfumato.table.schema import Column, Kind, Role

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
