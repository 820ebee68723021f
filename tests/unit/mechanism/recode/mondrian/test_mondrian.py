"""Mondrian keeps every promise on the rows that a reader sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.laws import check_release, is_tight
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.errors import NoSolution, ParameterError
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

publishes = st.sampled_from(list(Publish))


def made(method, finest):
    """The decision, or None where nothing satisfies the criteria."""
    try:
        return method.decide(finest, attributes())
    except NoSolution:
        return None


def point_table(points):
    """Two numeric columns; one row per point."""
    points = np.array(points)
    bound = [
        bind(Column(name, Role.QUASI_IDENTIFYING, Kind.INTEGER), sorted({str(v) for v in points[:, j].tolist()}))
        for j, name in enumerate(("x", "y"))
    ]
    codes = np.stack([[a.hierarchy.labels[0].index(str(v)) for v in points[:, j]] for j, a in enumerate(bound)], axis=1)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    return Classes(distinct, rows=counts, alone=counts), bound


@few
@given(raws(persons=True), st.integers(1, 6), publishes)
def test_strict_every_class_that_a_reader_sees_holds_k_persons(raw, k, publish):
    decision = made(Mondrian((KAnonymity(k),), publish=publish), raw.classes())
    if decision is None:
        assert len(set(raw.person.tolist())) < k
        return
    groups = check_release(raw, attributes(), decision)
    assert all(len(set(raw.person[rows].tolist())) >= k for rows in groups.values())


@few
@given(raws(), st.integers(1, 6), publishes)
def test_relaxed_every_class_that_a_reader_sees_holds_k_persons(raw, k, publish):
    decision = made(Mondrian((KAnonymity(k),), Halving.RELAXED, publish), raw.classes())
    if decision is None:
        assert len(raw.person) < k
        return
    groups = check_release(raw, attributes(), decision)
    assert all(len(rows) >= k for rows in groups.values())


@few
@given(raws(), st.sampled_from(list(Halving)))
def test_ranges_and_sets_are_tight(raw, halving):
    decision = made(Mondrian((KAnonymity(3),), halving), raw.classes())
    if decision is not None:
        assert is_tight(raw, attributes(), check_release(raw, attributes(), decision))


@few
@given(raws(), publishes)
def test_strict_serves_criteria_on_sensitive_values_and_personal_k(raw, publish):
    decision = made(Mondrian((DistinctLDiversity("illness", 2), PersonalK("asks")), publish=publish), raw.classes())
    if decision is None:
        assert len(set(raw.illness.tolist())) < 2 or len(raw.asks) < raw.asks.max()
        return
    for rows in check_release(raw, attributes(), decision).values():
        assert len(set(raw.illness[rows].tolist())) >= 2
        assert len(rows) >= raw.asks[rows].max()


def test_a_range_shrinks_to_the_rows_that_a_later_cut_left_in_it():
    """The first cut is on x; the second, on y, leaves x = 0 … 1 and x = 8 … 9 in the halves of the left cell."""
    finest, bound = point_table([(0, 0), (1, 1), (8, 90), (9, 91), (50, 0), (51, 1), (98, 90), (100, 91)])
    decision = Mondrian((KAnonymity(2),)).decide(finest, bound)
    boxes = sorted(zip(*decision.step.labels, strict=True))
    assert boxes == [("[0, 1]", "[0, 1]"), ("[50, 51]", "[0, 1]"), ("[8, 9]", "[90, 91]"), ("[98, 100]", "[90, 91]")]


def test_strict_keeps_equal_values_together_and_relaxed_parts_them():
    finest, bound = point_table([(1, 1)] * 3 + [(2, 1)] * 3 + [(9, 1)] * 2)
    strict = Mondrian((KAnonymity(4),)).decide(finest, bound)
    relaxed = Mondrian((KAnonymity(4),), Halving.RELAXED).decide(finest, bound)
    assert strict.published.rows.tolist() == [8]
    assert sorted(relaxed.step.labels[0]) == ["[1, 2]", "[2, 9]"]
    assert relaxed.published.rows.tolist() == [4, 4]
    assert relaxed.step.splits.rows.tolist() == [1, 2]


def test_the_next_widest_attribute_is_cut_when_the_widest_cannot_be():
    finest, bound = point_table([(0, 0), (0, 1), (0, 2), (0, 3), (100, 0)])
    decision = Mondrian((KAnonymity(2),)).decide(finest, bound)
    assert sorted(decision.step.labels[1]) == ["0", "[1, 3]"]
    assert set(decision.step.labels[0]) == {"[0, 100]", "0"}


def test_relaxed_refuses_criteria_that_tell_rows_of_one_tuple_apart():
    finest, bound = point_table([(0, 0), (1, 1)])
    with pytest.raises(ParameterError, match="strict"):
        Mondrian((DistinctLDiversity("illness", 2),), Halving.RELAXED).decide(finest, bound)


def test_where_a_limit_strikes_cells_are_left_whole_and_the_search_says_so():
    finest, bound = point_table([(i, i) for i in range(20)])
    for halving in Halving:
        decision = Mondrian((KAnonymity(2),), halving, limits=Limits(nodes=0)).decide(finest, bound)
        assert decision.published.n_classes == 1
        assert "limit was reached" in decision.search.statement


def test_the_lesson_of_six_rows():
    """Seed 002: six persons by post code and age, k = 3; the lesson publishes Cher, 20-24 and Rhone, 25-29."""
    posts, ages = ("18000", "69000", "18500", "18510", "69100", "69300"), ("22", "27", "21", "20", "26", "28")
    post = bind(Column("CP", Role.QUASI_IDENTIFYING, Kind.INTEGER), sorted(posts))
    age = bind(Column("Age", Role.QUASI_IDENTIFYING, Kind.INTEGER), sorted(ages))
    codes = np.array(
        [
            [post.hierarchy.labels[0].index(p), age.hierarchy.labels[0].index(a)]
            for p, a in zip(posts, ages, strict=True)
        ]
    )
    order = np.lexsort(codes.T[::-1])
    ones = np.ones(6, np.int64)
    decision = Mondrian((KAnonymity(3),)).decide(Classes(codes[order], rows=ones, alone=ones), (post, age))
    assert sorted(zip(*decision.step.labels, strict=True)) == [
        ("[18000, 18510]", "[20, 22]"),
        ("[69000, 69300]", "[26, 28]"),
    ]
