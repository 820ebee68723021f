"""The criteria asked about candidate classes."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.mechanism.recode.raw_tables import few, raws

from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.mechanism.recode.partition.criteria import Judge, sizes_of, sorted_out


@few
@given(raws())
def test_sizes_decide_where_no_histogram_is_read(raw):
    judge = Judge(raw.classes(), (KAnonymity(3), PersonalK("asks")))
    assert judge.is_exact_on_sizes
    assert judge.may_hold(sizes_of(judge.finest)).tolist() == judge.holds(judge.finest).tolist()


@few
@given(raws(persons=True))
def test_what_sizes_refuse_is_refused_by_the_criteria(raw):
    judge = Judge(raw.classes(), (KAnonymity(3), DistinctLDiversity("illness", 2)))
    assert not judge.is_exact_on_sizes
    assert not (judge.holds(judge.finest) & ~judge.may_hold(sizes_of(judge.finest))).any()


@few
@given(raws(persons=True))
def test_classes_of_a_part_of_the_table_are_judged_by_their_own_tuples(raw):
    judge = Judge(raw.classes(), (KAnonymity(2),))
    tuples = np.arange(0, judge.finest.n_classes, 2)
    verdict = judge.holds_for(tuples, np.zeros(len(tuples), np.int64), 1)
    chosen = {tuple(c) for c in judge.finest.codes[tuples].tolist()}
    persons = {p for p, c in zip(raw.person.tolist(), raw.codes.tolist(), strict=True) if tuple(c) in chosen}
    assert verdict.tolist() == [len(persons) >= 2]


@pytest.mark.parametrize("k", [1, 2, 3, 7, 1000])
@few
@given(raw=raws())
def test_the_smallest_class_that_a_criterion_on_sizes_accepts_is_found(raw, k):
    finest = raw.classes()
    assert Judge(finest, (KAnonymity(k),)).least_persons() == k
    assert Judge(finest, (KAnonymity(k),), floor=9).least_persons() == max(9, k)
    assert Judge(finest, (DistinctLDiversity("illness", 2),)).least_persons() == 1


def test_criteria_on_classes_and_on_the_table_are_sorted_out():
    k, risk = KAnonymity(2), AverageRisk(0.5)
    assert sorted_out((k, risk)) == ((k,), (risk,))
