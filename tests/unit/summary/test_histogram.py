from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.summary.histogram import add_by_owner, distribution_of, tally
from sfumato.testing.examples import classes_with_illness


def test_python_integers_are_added_without_overflow():
    amounts = np.array([2**70, 2**70, 1], object)
    assert add_by_owner(amounts, np.array([0, 0, 2]), 3).tolist() == [2**71, 0, 1]


def test_the_released_totals_are_the_sums_over_the_classes():
    table = classes_with_illness([[1, 2], [3, 0]])
    d = distribution_of(table.select(np.array([True, False])), "illness")
    assert d.released.tolist() == [1, 2]
    assert d.total.tolist() == [4, 2]


@given(
    st.integers(1, 3).flatmap(
        lambda m: st.lists(
            st.tuples(st.tuples(*[st.sampled_from([0, 1, 2, 10**6, 10**12])] * m), st.integers(0, 5)),
            min_size=1,
            max_size=12,
        )
    )
)
def test_equal_tuples_are_added_up(entries):
    """Small codes are counted densely, larger ones are sorted."""
    slow = Counter()
    for codes, rows in entries:
        slow[codes] += rows
    codes, rows = tally(np.array([c for c, _ in entries]), np.array([r for _, r in entries]))
    assert dict(zip(map(tuple, codes.tolist()), rows.tolist(), strict=True)) == {c: r for c, r in slow.items() if r}
    assert codes.tolist() == sorted(codes.tolist())


def test_no_tuples_give_none():
    codes, rows = tally(np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
    assert (codes.shape, rows.shape) == ((0, 2), (0,))
