"""Cell suppression: values of their own, or wildcards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.laws import check_release
from tests.unit.mechanism.recode.raw_tables import attributes, classes_of_labels, few, labels_of_rows, raws

from sfumato.errors import NoSolution, ParameterError
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.cell_suppression import CellSuppression, SuppressedCell
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role


def made(method, finest):
    """The decision, or None where nothing satisfies the criteria."""
    try:
        return method.decide(finest, attributes())
    except NoSolution:
        return None


@few
@given(raws(persons=True), st.integers(1, 5))
def test_own_value_classes_hold_k_persons_and_other_cells_stay(raw, k):
    decision = made(CellSuppression((KAnonymity(k),)), raw.classes())
    if decision is None:
        assert len(set(raw.person.tolist())) < k
        return
    groups = check_release(raw, attributes(), decision)
    assert all(len(set(raw.person[rows].tolist())) >= k for rows in groups.values())
    for row, label in zip(raw.codes.tolist(), labels_of_rows(raw, decision), strict=True):
        assert all(
            text in ("*", a.hierarchy.labels[0][leaf]) for a, leaf, text in zip(attributes(), row, label, strict=True)
        )


@few
@given(raws(), st.integers(1, 5))
def test_wildcard_every_row_matches_k_rows(raw, k):
    decision = made(CellSuppression((KAnonymity(k),), SuppressedCell.WILDCARD), raw.classes())
    if decision is None:
        assert len(raw.person) < k
        return
    labels = labels_of_rows(raw, decision)
    for label in labels:
        n = sum(all(a == b or "*" in (a, b) for a, b in zip(label, other, strict=True)) for other in labels)
        assert n >= k
    rows = classes_of_labels(raw, labels).values()
    assert sorted(map(len, rows)) == sorted(decision.published.rows.tolist())


@few
@given(raws(), st.sampled_from(list(SuppressedCell)))
def test_the_search_states_how_many_cells_are_suppressed(raw, suppressed):
    decision = made(CellSuppression((KAnonymity(2),), suppressed), raw.classes())
    if decision is not None:
        n = sum(label.count("*") for label in labels_of_rows(raw, decision))
        assert decision.search.statement.startswith(f"{n} cells are suppressed")
        assert decision.loss == pytest.approx(n / (3 * len(raw.person)))


def marital():
    """Persons of one letter by marital status: A single, married, married, single, widow."""
    letter = bind(Column("letter", Role.QUASI_IDENTIFYING), ["A"])
    status = bind(Column("status", Role.QUASI_IDENTIFYING), ["Married", "Single", "Widow"])
    counts = np.array([2, 2, 1])
    return Classes(np.array([[0, 0], [0, 1], [0, 2]]), rows=counts, alone=counts), (letter, status)


def test_whether_a_suppressed_cell_matches_everything_is_what_the_user_named():
    finest, columns = marital()
    own = CellSuppression((KAnonymity(2),)).decide(finest, columns)
    wildcard = CellSuppression((KAnonymity(2),), SuppressedCell.WILDCARD).decide(finest, columns)
    assert own.published.rows.min() >= 2
    assert wildcard.published.rows.min() == 1
    assert wildcard.search.statement.startswith("1 cells are suppressed; a suppressed cell counts as any value")


def test_importance_moves_suppression_to_the_cheaper_attribute():
    names = ("town", "job")
    columns = [bind(Column(n, Role.QUASI_IDENTIFYING), ["a", "b"]) for n in names]
    ones = np.ones(4, np.int64)
    finest = Classes(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), rows=ones, alone=ones)
    for suppressed in SuppressedCell:
        for importance, at in (((1.0, 9.0), 0), ((9.0, 1.0), 1)):
            decision = CellSuppression((KAnonymity(2),), suppressed, importance).decide(finest, columns)
            assert "*" in decision.step.labels[at]
            assert "*" not in decision.step.labels[1 - at]


def test_wildcards_are_refused_for_other_criteria_than_k_anonymity():
    finest, columns = marital()
    for criteria in ((), (DistinctLDiversity("illness", 2),), (KAnonymity(2), DistinctLDiversity("illness", 2))):
        with pytest.raises(ParameterError, match="k-anonymity"):
            CellSuppression(criteria, SuppressedCell.WILDCARD).decide(finest, columns)


def test_importance_must_fit_the_attributes():
    finest, columns = marital()
    with pytest.raises(ParameterError, match="one number above 0"):
        CellSuppression((KAnonymity(2),), importance=(1.0,)).decide(finest, columns)
    with pytest.raises(ParameterError, match="above 0"):
        CellSuppression((KAnonymity(2),), importance=(1.0, 0.0))


def test_a_table_of_fewer_than_k_rows_has_no_solution():
    finest, columns = marital()
    for suppressed in SuppressedCell:
        with pytest.raises(NoSolution):
            CellSuppression((KAnonymity(6),), suppressed).decide(finest, columns)
