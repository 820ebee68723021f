"""Moves of tuples between classes."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.local import moves
from sfumato.mechanism.recode.local.moves import _outside, _values_outside, _without, move, state_of
from sfumato.mechanism.recode.partition.axes import Form, Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.publish import loss_of
from sfumato.mechanism.recode.partition.splits import Watch, table_of

criteria = st.sampled_from([(KAnonymity(2),), (KAnonymity(2), DistinctLDiversity("illness", 2))])


def in_blocks(finest, judge):
    """Classes of consecutive tuples, each as small as the criteria allow; the last takes what remains."""
    member, n_done, begin = np.zeros(finest.n_classes, np.int64), 0, 0
    for end in range(1, finest.n_classes + 1):
        tuples = np.arange(begin, end)
        if judge.holds_for(tuples, np.zeros(len(tuples), np.int64), 1)[0]:
            member[tuples] = n_done
            n_done, begin = n_done + 1, end
    member[begin:] = max(n_done - 1, 0)
    return member


@few
@given(raws(persons=True), criteria, st.sampled_from(list(Publish)))
def test_moves_lose_nothing_and_break_no_promise(raw, promises, publish):
    finest = raw.classes()
    judge = Judge(finest, promises)
    table = table_of(axes_of(attributes(), finest.codes, publish), judge)
    before = in_blocks(finest, judge)
    n_classes = int(before.max()) + 1
    if not judge.holds_for(np.arange(finest.n_classes), before, n_classes).all():
        return
    after = move(table, before, Watch())
    assert judge.holds_for(np.arange(finest.n_classes), after, n_classes).all()
    assert loss_of(table, after) <= loss_of(table, before) + 1e-12


@few
@given(raws(), st.sampled_from(list(Publish)), st.integers(1, 4))
def test_the_cover_without_a_tuple_is_that_of_the_others(raw, publish, n):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, ()))
    member = np.sort(np.arange(finest.n_classes) % n)
    member = np.unique(member, return_inverse=True)[1]
    length = np.bincount(member)[member]
    without = _without(table, state_of(table, member))
    for i in np.flatnonzero(length > 1):
        others = np.flatnonzero((member == member[i]) & (np.arange(len(member)) != i))
        slow = table.covers.take(others).reduce(np.array([0]))
        assert without.words[:, i].tolist() == slow.words[:, 0].tolist()
        assert without.ends[:, i].tolist() == slow.ends[:, 0].tolist()


@few
@given(raws(), st.sampled_from(list(Publish)), st.integers(1, 4), st.sampled_from([0, 1000]))
def test_a_tuple_lies_outside_a_class_where_it_would_widen_the_cover(raw, publish, n, n_asking):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, ()))
    covers = state_of(table, np.unique(np.arange(finest.n_classes) % n, return_inverse=True)[1]).covers
    known = _values_outside(table, covers, n_asking)
    found = _outside(table, covers, known, np.arange(finest.n_classes))
    for i, column in enumerate(found):
        union = covers.join(table.covers.take(np.full(len(column), i)))
        wider = [
            table.layout.n_values(union, j) > table.layout.n_values(covers, j)
            if axis.form is Form.SET
            else (union.ends[table.layout.end[j] :][:2] > covers.ends[table.layout.end[j] :][:2]).any(axis=0)
            for j, axis in enumerate(table.layout.axes)
        ]
        assert column.tolist() == np.sum(wider, axis=0).tolist()


def test_a_tuple_in_the_wrong_class_moves_to_the_right_one():
    from sfumato.summary.classes import Classes

    codes = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 4, 0), (4, 4, 0)])
    ones = np.ones(5, np.int64)
    finest = Classes(codes, rows=ones, alone=ones)
    table = table_of(axes_of(attributes(), codes, Publish.COVERS), Judge(finest, (KAnonymity(2),)))
    assert move(table, np.array([0, 0, 1, 1, 1]), Watch()).tolist() == [0, 0, 0, 1, 1]


@few
@given(raws(persons=True), criteria, st.sampled_from(list(Publish)))
def test_moves_do_not_depend_on_how_many_pairs_are_looked_at_together(raw, promises, publish):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, promises))
    before = in_blocks(finest, table.judge)
    found = []
    for pairs, tried in ((1, 1), (100_000, 10_000), (9, 4)):
        with patch.multiple(moves, AT_A_TIME=pairs, TRIED_AT_A_TIME=tried):
            found.append(move(table, before, Watch()).tolist())
    assert found[0] == found[1] == found[2]
