"""Matches of rows with suppressed cells."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import few

from sfumato.mechanism.recode.wildcard import Masked, matches

rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1), st.integers(0, 7), st.integers(1, 4)),
    min_size=1,
    max_size=12,
)


@few
@given(rows)
def test_matches_are_the_rows_that_agree_wherever_neither_is_suppressed(drawn):
    table = np.array(drawn)
    codes, mask, count = table[:, :3], table[:, 3], table[:, 4]
    slow = [
        sum(
            int(count[s])
            for s in range(len(table))
            if all(codes[r, j] == codes[s, j] or (mask[r] | mask[s]) >> j & 1 for j in range(3))
        )
        for r in range(len(table))
    ]
    groups = Masked(np.arange(len(table)), mask, count)
    assert matches(codes, groups).tolist() == slow


def test_moved_rows_keep_their_number_and_alike_rows_stand_together():
    groups = Masked(np.array([0, 1]), np.array([0, 0]), np.array([3, 2]))
    moved = groups.moved(np.array([0]), np.array([1]), np.array([2])).moved(np.array([0]), np.array([1]), np.array([1]))
    assert moved.origin.tolist() == [0, 1]
    assert moved.mask.tolist() == [1, 0]
    assert moved.rows.tolist() == [3, 2]
    assert moved.n_cells(0) == 3
