"""Classes taken by rising loss, against every level vector tried one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.local import peel as module
from sfumato.mechanism.recode.local.peel import cheapest, level_losses, peel
from sfumato.mechanism.recode.local_recoding import absorb
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.splits import Watch, table_of

criteria = st.sampled_from([(KAnonymity(3),), (KAnonymity(2), DistinctLDiversity("illness", 2))])


def slow_peel(table, columns):
    """Group what is left at every vector in turn."""
    finest = table.judge.finest
    out, n_done = {}, 0
    for vector in cheapest(level_losses(columns, finest.codes, finest.rows), 10_000).tolist():
        groups = {}
        for i in range(finest.n_classes):
            if i not in out:
                key = tuple(
                    int(a.hierarchy.ancestors[v][leaf])
                    for a, v, leaf in zip(columns, vector, finest.codes[i], strict=True)
                )
                groups.setdefault(key, []).append(i)
        for _, tuples in sorted(groups.items()):
            if table.judge.holds_for(np.array(tuples), np.zeros(len(tuples), np.int64), 1)[0]:
                out |= dict.fromkeys(tuples, n_done)
                n_done += 1
    return [out.get(i, -1) for i in range(finest.n_classes)]


@few
@given(raws(persons=True), criteria)
def test_each_vector_takes_the_groups_that_satisfy_the_criteria(raw, promises):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, Publish.NODES), Judge(finest, promises))
    fast, slow = peel(table, attributes(), Watch()), slow_peel(table, attributes())
    assert {frozenset(np.flatnonzero(fast == c)) for c in set(fast)} == {
        frozenset(i for i, v in enumerate(slow) if v == c) for c in set(slow)
    }
    assert [v < 0 for v in fast.tolist()] == [v < 0 for v in slow]


@few
@given(raws(persons=True), criteria)
def test_groups_that_share_a_slot_are_told_apart(raw, promises):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, Publish.NODES), Judge(finest, promises))
    whole = peel(table, attributes(), Watch())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_SLOTS", 2)
        assert peel(table, attributes(), Watch()).tolist() == whole.tolist()


@few
@given(raws(), criteria)
def test_what_is_left_joins_a_class(raw, promises):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, Publish.NODES), Judge(finest, promises))
    before = peel(table, attributes(), Watch())
    after = absorb(table, before)
    assert (after >= 0).all()
    assert after[before >= 0].tolist() == before[before >= 0].tolist()
    assert set(range(int(after.max()) + 1)) == set(after.tolist())


rising = st.lists(st.integers(0, 9), min_size=1, max_size=4).map(lambda v: np.cumsum(v).astype(float))


@few
@given(st.lists(rising, min_size=1, max_size=4), st.integers(1, 40))
def test_they_are_the_cheapest_of_all(losses, most):
    every = sorted(
        sum(loss[v] for loss, v in zip(losses, vector, strict=True))
        for vector in itertools.product(*(range(len(x)) for x in losses))
    )
    found = [sum(loss[v] for loss, v in zip(losses, vector, strict=True)) for vector in cheapest(losses, most).tolist()]
    assert found == every[:most]


@few
@given(raws())
def test_the_loss_of_a_level_is_the_mean_over_rows(raw):
    town = attributes()[1].hierarchy
    finest = raw.classes()
    losses = level_losses(attributes(), finest.codes, finest.rows)[1]
    for level in range(1, town.height + 1):
        nodes = town.ancestors[level]
        shares = [(nodes == nodes[v]).sum() / 6 for v in raw.codes[:, 1]]
        shares = [0.0 if share == 1 / 6 else share for share in shares]
        assert losses[level] == pytest.approx(np.mean(shares))
    assert losses[0] == 0.0
