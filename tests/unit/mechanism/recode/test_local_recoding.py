"""Local recoding keeps every promise on the rows that a reader sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.laws import check_release, is_tight
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.errors import Interrupted, NoSolution, ParameterError
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.local_recoding import LocalRecoding
from sfumato.mechanism.recode.partition.axes import Publish

publishes = st.sampled_from(list(Publish))


def made(method, finest):
    """The decision, or None where nothing satisfies the criteria."""
    try:
        return method.decide(finest, attributes())
    except NoSolution:
        return None


@few
@given(raws(persons=True), st.integers(1, 6), publishes)
def test_every_class_that_a_reader_sees_holds_k_persons(raw, k, publish):
    decision = made(LocalRecoding((KAnonymity(k),), publish), raw.classes())
    if decision is None:
        assert len(set(raw.person.tolist())) < k
        return
    groups = check_release(raw, attributes(), decision)
    assert all(len(set(raw.person[rows].tolist())) >= k for rows in groups.values())


@few
@given(raws())
def test_ranges_and_sets_are_tight(raw):
    decision = made(LocalRecoding((KAnonymity(3),)), raw.classes())
    if decision is not None:
        assert is_tight(raw, attributes(), check_release(raw, attributes(), decision))


@few
@given(raws(), st.integers(2, 3), publishes)
def test_every_class_that_a_reader_sees_has_l_values(raw, l, publish):  # noqa: E741
    decision = made(LocalRecoding((KAnonymity(2), DistinctLDiversity("illness", l)), publish), raw.classes())
    if decision is None:
        assert len(set(raw.illness.tolist())) < l or len(raw.illness) < 2
        return
    groups = check_release(raw, attributes(), decision)
    assert all(len(set(raw.illness[rows].tolist())) >= l for rows in groups.values())


@few
@given(raws(), publishes)
def test_every_class_that_a_reader_sees_is_close_to_the_table(raw, publish):
    decision = made(LocalRecoding((TCloseness("illness", 0.3, "equal"),), publish), raw.classes())
    assert decision is not None
    table = np.bincount(raw.illness, minlength=3) / len(raw.illness)
    for rows in check_release(raw, attributes(), decision).values():
        mine = np.bincount(raw.illness[rows], minlength=3) / len(rows)
        assert np.abs(mine - table).sum() / 2 <= 0.3 + 1e-12


@few
@given(raws(), publishes)
def test_every_class_is_as_large_as_everybody_in_it_asks(raw, publish):
    decision = made(LocalRecoding((PersonalK("asks"),), publish), raw.classes())
    if decision is None:
        assert len(raw.asks) < raw.asks.max()
        return
    for rows in check_release(raw, attributes(), decision).values():
        assert len(rows) >= raw.asks[rows].max()


@few
@given(raws(), publishes)
def test_criteria_on_the_whole_table_are_met_by_larger_classes(raw, publish):
    decision = made(LocalRecoding((AverageRisk(0.4),), publish), raw.classes())
    if decision is None:
        assert len(raw.person) < 3
        return
    groups = check_release(raw, attributes(), decision)
    assert len(groups) <= 0.4 * len(raw.person) + 1e-12


@few
@given(raws())
def test_a_decision_made_again_is_the_same(raw):
    first, second = (made(LocalRecoding((KAnonymity(2),)), raw.classes()) for _ in range(2))
    if first is not None:
        assert first.step.labels == second.step.labels
        assert first.step.member.tolist() == second.step.member.tolist()


def test_tuples_that_satisfy_the_criteria_alone_lose_nothing():
    age, town, job = attributes()
    from sfumato.summary.classes import Classes

    five = np.array([5, 5, 5])
    finest = Classes(np.array([[0, 0, 0], [1, 3, 1], [4, 5, 0]]), rows=five, alone=five)
    decision = LocalRecoding((KAnonymity(5),)).decide(finest, (age, town, job))
    assert decision.loss == 0.0
    assert decision.published.rows.tolist() == [5, 5, 5]


def test_an_empty_table_has_an_empty_release():
    from sfumato.summary.classes import Classes

    none = np.zeros(0, np.int64)
    decision = LocalRecoding((KAnonymity(5),)).decide(Classes(np.zeros((0, 3), np.int64), none, none), attributes())
    assert decision.published.n_classes == 0
    assert decision.step.member.tolist() == []


def _grid(n):
    """n × n towns and ages, one row each."""
    from sfumato.summary.classes import Classes

    codes = np.array([(a, t, 0) for a in range(n) for t in range(n)])
    ones = np.ones(n * n, np.int64)
    return Classes(codes, rows=ones, alone=ones)


def test_where_a_limit_strikes_classes_are_left_whole_and_the_search_says_so():
    decision = LocalRecoding((KAnonymity(2),), limits=Limits(nodes=0)).decide(_grid(6), attributes())
    assert decision.published.n_classes == 1
    assert "limit was reached" in decision.search.statement
    assert not decision.search.optimal


def test_a_limit_in_seconds_reads_the_clock_that_is_passed():
    ticks = iter([0.0, 0.0, 99.0, 99.0, 99.0])
    method = LocalRecoding((KAnonymity(2),), limits=Limits(seconds=10.0), clock=lambda: next(ticks))
    assert "limit was reached" in method.decide(_grid(6), attributes()).search.statement


def test_a_limit_in_seconds_without_a_clock_is_refused():
    with pytest.raises(ParameterError, match="clock"):
        LocalRecoding((KAnonymity(2),), limits=Limits(seconds=1.0)).decide(_grid(3), attributes())


def test_the_listener_can_interrupt():
    def stop(done, total, message):
        raise Interrupted("The user stopped the work.", "run it again.")

    for publish in Publish:
        with pytest.raises(Interrupted):
            LocalRecoding((KAnonymity(2),), publish, progress=stop).decide(_grid(6), attributes())


def test_too_much_to_ask_is_an_error_with_a_remedy():
    with pytest.raises(NoSolution, match="smaller k"):
        LocalRecoding((KAnonymity(100),)).decide(_grid(6), attributes())


def test_a_table_without_quasi_identifiers_is_refused():
    with pytest.raises(ParameterError, match="quasi-identifier"):
        LocalRecoding((KAnonymity(2),)).decide(_grid(3), ())
