"""The method: what a reader of the release finds, row by row, on random tables."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.unit.mechanism.recode.raw_tables import attributes, classes_of_labels, few, labels_of_rows, raws

from sfumato.errors import NoSolution, ParameterError
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.k_map import KMap
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.mechanism.recode.microaggregation.centers import Center, Spelling
from sfumato.mechanism.recode.microaggregation.method import Microaggregation
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

PLAIN = Spelling({}, {})
fewer = settings(few, max_examples=12)


def check(raw, decision):
    """Published classes are those of equal labels, and each number lies between the extremes of its class."""
    labels = labels_of_rows(raw, decision)
    groups = classes_of_labels(raw, labels)
    assert sorted(map(len, groups.values())) == sorted(decision.published.rows.tolist())
    persons = sorted(len(set(raw.person[rows].tolist())) for rows in groups.values())
    assert persons == sorted(decision.published.persons.tolist())
    age = attributes()[0].positions
    for label, rows in groups.items():
        ages = age[raw.codes[rows, 0]]
        if label[0] is None:
            assert np.isnan(ages).all()
        elif label[0] == "*":
            assert np.isnan(ages).any()
        else:
            assert ages.min() <= float(label[0]) <= ages.max()
    return groups


@fewer
@given(raws())
def test_every_class_has_k_rows_and_its_own_mean(raw):
    assume(len(raw.person) >= 3)
    decision = Microaggregation((KAnonymity(3),), Spelling({}, {"age": 9})).decide(raw.classes(), attributes())
    age = attributes()[0].positions
    for label, rows in check(raw, decision).items():
        assert len(rows) >= 3
        if label[0] not in (None, "*"):
            assert float(label[0]) == pytest.approx(age[raw.codes[rows, 0]].mean(), abs=1e-9)
    assert decision.centers == ("age",)
    assert decision.suppressed_rows == 0


@fewer
@given(raws(persons=True))
def test_persons_count_once_and_wishes_and_values_are_kept(raw):
    assume(len(set(raw.person.tolist())) >= 5 and len(set(raw.illness.tolist())) >= 2)
    criteria = (KAnonymity(2), DistinctLDiversity("illness", 2), PersonalK("asked"))
    decision = Microaggregation(criteria, PLAIN).decide(raw.classes(), attributes())
    for rows in check(raw, decision).values():
        persons = set(raw.person[rows].tolist())
        assert len(persons) >= max(2, int(raw.asks[rows].max()))
        assert len(set(raw.illness[rows].tolist())) >= 2


@fewer
@given(raws())
def test_criteria_on_the_whole_table_make_groups_larger(raw):
    assume(len(raw.person) >= 8)
    risk = AverageRisk(0.2)
    decision = Microaggregation((KAnonymity(2), risk), PLAIN).decide(raw.classes(), attributes())
    assert risk.holds_together(decision.published)
    check(raw, decision)


def line(n, **column):
    """One number, one row each."""
    attribute = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER, **column), [str(i) for i in range(n)])
    ones = np.ones(n, np.int64)
    return Classes(np.arange(n)[:, None], rows=ones, alone=ones), (attribute,)


def test_blocks_are_told_and_change_the_groups():
    finest, attributes_ = line(100)
    whole = Microaggregation((KAnonymity(3),), PLAIN).decide(finest, attributes_)
    parts = Microaggregation((KAnonymity(3),), PLAIN, rows_at_once=12).decide(finest, attributes_)
    assert "blocks" not in whole.search.statement
    assert "9 blocks of at most 12" in parts.search.statement
    assert parts.published.rows.min() >= 3


def test_equal_rows_may_go_to_two_groups():
    rows = np.array([7, 1])
    attribute = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["0", "8"])
    finest = Classes(np.arange(2)[:, None], rows=rows, alone=rows)
    decision = Microaggregation((KAnonymity(4),), PLAIN).decide(finest, (attribute,))
    assert sorted(decision.step.labels[0]) == ["0", "2"]
    assert decision.step.splits.rows.tolist() == [3, 4]


def test_progress_counts_rows():
    told = []
    finest, attributes_ = line(40)
    Microaggregation((KAnonymity(3),), PLAIN, 12, lambda done, total, _: told.append((done, total))).decide(
        finest, attributes_
    )
    assert told == sorted(told)
    assert told[-1] == (40, 40)


@pytest.mark.parametrize(
    ("criteria", "spelling", "words"),
    [
        ((DistinctLDiversity("illness", 2),), PLAIN, "no criterion says how large k is"),
        ((KAnonymity(2),), Spelling({"y": Center.MEDIAN}, {}), "'y' is none"),
        ((KAnonymity(2),), Spelling({}, {"x": -1}), "`digits`"),
    ],
)
def test_what_groups_cannot_do_is_refused(criteria, spelling, words):
    finest, attributes_ = line(10)
    with pytest.raises(ParameterError, match=words):
        Microaggregation(criteria, spelling).decide(finest, attributes_)


def test_rows_of_a_sample_are_grouped_without_the_others():
    finest, attributes_ = line(10)
    rows = np.array([0, 1, 1, 0, 0, 1, 1, 0, 4, 0])
    sample = Classes(finest.codes, rows, rows, population=np.maximum(rows, 1))
    decision = Microaggregation((KAnonymity(2),), PLAIN).decide(sample, attributes_)
    assert sorted(decision.step.labels[0]) == ["2", "6", "8"]
    assert decision.published.rows.sum() == 8
    named = [decision.step.labels[0][c] for c in decision.step.member[[1, 2, 5, 6, 8]]]
    assert named == ["2", "2", "6", "6", "8"]


def test_criteria_on_populations_and_tables_without_quasi_identifiers_are_refused():
    finest, attributes_ = line(10)
    with pytest.raises(ParameterError, match="population"):
        Microaggregation((KAnonymity(2), KMap(2)), PLAIN).decide(finest, attributes_)
    with pytest.raises(ParameterError, match="quasi-identifier"):
        Microaggregation((KAnonymity(2),), PLAIN).decide(finest, ())


def test_too_small_a_table_has_no_solution():
    finest, attributes_ = line(3)
    with pytest.raises(NoSolution, match="holds 3 persons"):
        Microaggregation((KAnonymity(4),), PLAIN).decide(finest, attributes_)
