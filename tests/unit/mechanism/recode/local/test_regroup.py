"""Classes joined two by two and parted anew."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.local.test_moves import criteria, in_blocks
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.local.regroup import _smaller_share, links_of, regroup, thorough, tilted
from sfumato.mechanism.recode.local_recoding import most_gain
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.nodes import cells_of
from sfumato.mechanism.recode.partition.publish import loss_of
from sfumato.mechanism.recode.partition.splits import Watch, _mark_left, table_of
from sfumato.summary.classes import Classes

publishes = st.sampled_from(list(Publish))


def seen(finest, promises, publish):
    """The tuples as a partition sees them."""
    return table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, promises))


@few
@given(raws(persons=True), criteria, publishes)
def test_pairs_lose_nothing_and_break_no_promise(raw, promises, publish):
    finest = raw.classes()
    table = seen(finest, promises, publish)
    before = in_blocks(finest, table.judge)
    every = np.arange(finest.n_classes)
    if not table.judge.holds_for(every, before, int(before.max()) + 1).all():
        return
    after = regroup(table, before, most_gain, Watch())
    assert np.unique(after).tolist() == list(range(after.max() + 1))
    assert table.judge.holds_for(every, after, int(after.max()) + 1).all()
    assert loss_of(table, after) <= loss_of(table, before) + 1e-12


@few
@given(raws(), publishes)
def test_linked_tuples_differ_in_two_attributes_at_most_and_neighbors_in_one_are_linked(raw, publish):
    table = seen(raw.classes(), (), publish)
    links = links_of(table)
    apart = (table.ranks[:, links[0]] != table.ranks[:, links[1]]).sum(axis=0)
    assert ((apart == 1) | (apart == 2)).all()
    linked = {frozenset(pair) for pair in links.T.tolist()}
    for j in range(len(table.ranks)):
        lines = {}
        for i in np.argsort(table.ranks[j], kind="stable").tolist():
            lines.setdefault(tuple(np.delete(table.ranks[:, i], j).tolist()), []).append(i)
        assert all(frozenset(pair) in linked for line in lines.values() for pair in pairwise(line))


@few
@given(raws(), publishes, st.integers(1, 3))
def test_a_tilt_weighs_the_gain_of_each_cut_by_its_smaller_half(raw, publish, n):
    finest = raw.classes()
    table = seen(finest, (KAnonymity(1),), publish)
    nodes = cells_of(table.ranks, np.unique(np.arange(finest.n_classes) % n, return_inverse=True)[1])
    cuts, groups = most_gain(table, nodes)
    share = _smaller_share(cuts, groups)
    for i in range(len(cuts.cell)):
        left = np.zeros(finest.n_classes, bool)
        _mark_left(nodes, cuts.take(np.array([i])), groups, left)
        begin, length = nodes.starts[cuts.cell[i]], nodes.lengths[cuts.cell[i]]
        inside = nodes.orders[0][begin : begin + length]
        half = finest.rows[inside][left[inside]].sum() / finest.rows[inside].sum()
        assert np.isclose(share[i], min(half, 1 - half))
    for eighths in (-1, 1):
        gain = tilted(most_gain, eighths)(table, nodes)[0].gain
        assert np.allclose(gain, cuts.gain * share ** (eighths / 8), atol=1)


def test_two_classes_that_cross_are_parted_along_the_line():
    codes = np.array([(0, 0, 0), (1, 0, 0), (5, 0, 0), (6, 0, 0)])
    ones = np.ones(4, np.int64)
    table = seen(Classes(codes, rows=ones, alone=ones), (KAnonymity(2),), Publish.COVERS)
    assert regroup(table, np.array([0, 1, 0, 1]), most_gain, Watch()).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])


@few
@given(raws(), st.integers(2, 4))
def test_a_limit_leaves_classes_that_keep_the_promise(raw, k):
    finest = raw.classes()
    if finest.rows.sum() < k:
        return
    table = seen(finest, (KAnonymity(k),), Publish.COVERS)
    member = thorough(table, most_gain, None, Watch(Limits(nodes=3)))
    assert (np.bincount(member, weights=finest.rows) >= k).all()
