from math import factorial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanism.bucket.rows import in_blocks, in_turn, shuffled_rows, splits_of
from sfumato.testing.seeded_bits import SeededBits


@given(st.lists(st.integers(0, 4), max_size=6), st.data())
def test_rows_are_sorted_by_their_key_and_none_is_lost(rows, data):
    keys = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    out = shuffled_rows(np.array(rows, np.int64), np.array(keys, np.int64), bits=SeededBits(1))
    assert np.bincount(out, minlength=len(rows)).tolist() == rows
    assert [keys[i] for i in out] == sorted(keys[i] for i in out)


def test_equal_keys_are_shuffled_uniformly():
    """4 rows of one key: each of the 24 orders 1/24 of 24,000 times, within 6.5 standard deviations (1e-9 in all)."""
    bits, n = SeededBits(2), 24_000
    seen = {}
    for _ in range(n):
        order = tuple(shuffled_rows(np.ones(4, np.int64), np.zeros(4, np.int64), bits=bits).tolist())
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == factorial(4)
    deviation = np.sqrt(n / 24 * (1 - 1 / 24))
    assert max(abs(count - n / 24) for count in seen.values()) < 6.5 * deviation


def test_the_rows_of_one_tuple_meet_its_buckets_in_any_order():
    """Rows in table order must not get buckets in rising order: 0 first in about half of 4,000 (6 deviations: 2e-9)."""
    bits = SeededBits(3)
    first = sum(
        int(splits_of(np.array([0, 0]), np.array([0, 1]), bits=bits).member[0] == 0) for _ in range(4000)
    )  # fmt: skip
    assert abs(first - 2000) < 6 * np.sqrt(1000)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_splits_hold_every_row_once_and_keep_tuples_together(pairs):
    tuple_, bucket = np.array(pairs, np.int64).T
    splits = splits_of(tuple_, bucket, bits=SeededBits(4))
    listed = zip(splits.tuple_.tolist(), splits.member.tolist(), splits.rows.tolist(), strict=True)
    assert sorted((t, b) for t, b, n in listed for _ in range(n)) == sorted(map(tuple, pairs))
    assert (np.diff(splits.tuple_) >= 0).all()


@given(st.integers(1, 50), st.integers(1, 50))
def test_both_dealings_give_even_buckets(n, n_buckets):
    n_buckets = min(n, n_buckets)
    for deal in (in_turn, in_blocks):
        sizes = np.bincount(deal(n, n_buckets), minlength=n_buckets)
        assert sizes.min() >= n // n_buckets
        assert sizes.max() <= -(-n // n_buckets)
