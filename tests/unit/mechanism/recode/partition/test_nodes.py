"""Cells under way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import few

from sfumato.mechanism.recode.partition.nodes import cells_of

tuples = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2), st.booleans()), min_size=1)


def sorted_within(nodes, ranks):
    """Whether every cell holds the same tuples along every axis, sorted by rank."""
    for begin, length in zip(nodes.starts.tolist(), nodes.lengths.tolist(), strict=True):
        parts = [order[begin : begin + length] for order in nodes.orders]
        assert len({frozenset(part.tolist()) for part in parts}) == 1
        assert all((np.diff(ranks[j][part]) >= 0).all() for j, part in enumerate(parts))
    return True


@few
@given(tuples)
def test_orders_stay_sorted_when_cells_are_parted_and_dropped(drawn):
    table = np.array(drawn, np.int64)
    ranks, left = table[:, :2].T, table[:, 3].astype(bool)
    member = np.unique(table[:, 2], return_inverse=True)[1]
    nodes = cells_of(ranks, member)
    assert sorted_within(nodes, ranks)
    both = nodes.keep(
        np.array([0 < left[nodes.orders[0]][nodes.cell_of() == c].sum() < n for c, n in enumerate(nodes.lengths)])
    )
    parted = both.part(left)
    assert sorted_within(parted, ranks)
    sides = [set(left[parted.orders[0][parted.cell_of() == c]].tolist()) for c in range(parted.n_cells)]
    assert sides == [{True}, {False}] * both.n_cells
