"""The criteria asked about candidate classes."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.mechanism.recode.raw_tables import few, raws

from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.mechanism.recode.partition.criteria import Judge, Sizes, sizes_of, sorted_out
from sfumato.summary.classes import Classes, merge


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


def test_sizes_where_each_row_is_a_person_are_those_of_two_arrays():
    rows = np.array([3, 1, 4, 1, 5])
    asked, starts, index = np.array([2, 7, 1, 8, 2]), np.array([0, 2]), np.array([4, 0, 4])
    once, twice = Sizes(rows, rows, None, asked), Sizes(rows, rows.copy(), None, asked)
    for made in (
        lambda sizes: sizes.take(index),
        lambda sizes: sizes.reduce(starts),
        lambda sizes: sizes.without(Sizes(rows, sizes.persons, None, None), asked),
    ):
        alike, apart = made(once), made(twice)
        assert alike.persons is alike.rows
        assert apart.persons is not apart.rows
        for name in ("rows", "persons", "personal_k"):
            assert getattr(alike, name).tolist() == getattr(apart, name).tolist()
    assert once.reduce(starts).rows.tolist() == [4, 10]
    assert once.reduce(starts).personal_k.tolist() == [7, 8]


def test_persons_that_share_the_array_of_rows_stay_so_when_classes_merge():
    rows = np.array([3, 1, 4])
    for alone in (rows, rows.copy()):
        classes = Classes(np.arange(3)[:, None], rows=rows, alone=alone)
        chosen = classes.select(np.array([True, False, True]))
        merged = merge(classes, np.array([0, 0, 1]), np.arange(2)[:, None])
        assert [chosen.rows.tolist(), chosen.alone.tolist()] == [[3, 4], [3, 4]]
        assert [merged.rows.tolist(), merged.alone.tolist()] == [[4, 4], [4, 4]]
        assert (merged.alone is merged.rows) == (chosen.alone is chosen.rows) == (alone is rows)
