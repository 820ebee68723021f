"""Classes taken by rising loss, against every level vector tried one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.local.absorb import absorb
from sfumato.mechanism.recode.local.peel import peel
from sfumato.mechanism.recode.local.vectors import cheapest, level_losses
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.judge import Judge
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
@given(raws(), criteria)
def test_what_is_left_joins_a_class(raw, promises):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, Publish.NODES), Judge(finest, promises))
    before = peel(table, attributes(), Watch())
    after = absorb(table, before)
    assert (after >= 0).all()
    assert after[before >= 0].tolist() == before[before >= 0].tolist()
    assert set(range(int(after.max()) + 1)) == set(after.tolist())
