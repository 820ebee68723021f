"""The gain of every cut, against both halves written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.local_recoding import most_gain
from sfumato.mechanism.recode.partition.axes import Form, Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.cuts import UNIT
from sfumato.mechanism.recode.partition.nodes import cells_of
from sfumato.mechanism.recode.partition.splits import best_first, table_of


def loss_of(table, tuples):
    """Rows × loss of tuples as one class."""
    cover = table.covers.take(np.array(tuples)).reduce(np.array([0]))
    return int(table.sizes.rows[tuples].sum()) * float(table.layout.losses(cover)[0])


@few
@given(raws(), st.integers(1, 3), st.sampled_from(list(Publish)), st.integers(0, 2))
def test_a_cut_saves_what_its_halves_lose_less_and_both_halves_hold_k(raw, k, publish, parts):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, (KAnonymity(k),)))
    member = np.unique(np.arange(finest.n_classes) % (parts + 1), return_inverse=True)[1]
    nodes = cells_of(table.ranks, member)
    cuts, groups = most_gain(table, nodes)
    cell_of = nodes.cell_of()
    for i in range(len(cuts.cell)):
        j, cell = int(cuts.axis[i]), int(cuts.cell[i])
        places = np.flatnonzero(cell_of == cell)
        where = groups[j].place[groups[j].of_place[places]]
        left = (where >= cuts.first[i]) & (where <= cuts.last[i])
        here = nodes.orders[j][places]
        assert min(finest.rows[here[left]].sum(), finest.rows[here[~left]].sum()) >= k
        saved = loss_of(table, here) - loss_of(table, here[left]) - loss_of(table, here[~left])
        assert abs(int(cuts.gain[i]) * UNIT - saved) <= UNIT
        assert cuts.gain[i] > 0


@few
@given(raws(), st.sampled_from(list(Publish)))
def test_no_allowed_cut_of_a_range_or_of_one_value_is_overlooked(raw, publish):
    finest = raw.classes()
    table = table_of(axes_of(attributes(), finest.codes, publish), Judge(finest, (KAnonymity(2),)))
    every = np.arange(finest.n_classes)
    cuts, _ = most_gain(table, cells_of(table.ranks, np.zeros(finest.n_classes, np.int64)))
    best = int(cuts.gain.max(initial=0)) * UNIT
    for j, axis in enumerate(table.layout.axes):
        low, high = np.full(len(every), table.ranks[j].min()), np.full(len(every), table.ranks[j].max())
        code = axis.group_codes(table.ranks[j], low, high)
        candidates = [code == v for v in np.unique(code)]
        if axis.form is Form.RANGE:
            candidates += [code <= v for v in np.unique(code)]
        for left in candidates:
            if min(finest.rows[left].sum(), finest.rows[~left].sum()) >= 2:
                saved = loss_of(table, every) - loss_of(table, every[left]) - loss_of(table, every[~left])
                assert best >= saved - UNIT


@few
@given(
    st.lists(st.tuples(st.integers(0, 4), st.one_of(st.integers(-9, 9), st.sampled_from([2**60, 2**62]))), max_size=12)
)
def test_the_best_cut_of_each_cell_comes_first(cuts):
    cell, gain = (
        (np.array(part, np.int64) for part in zip(*cuts, strict=True)) if cuts else (np.zeros(0, np.int64),) * 2
    )
    assert best_first(cell, gain).tolist() == np.lexsort((-gain, cell)).tolist()
