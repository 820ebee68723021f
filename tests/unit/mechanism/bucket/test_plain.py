import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.bucket.test_anatomy import groups_of, joint_of, tables

from sfumato.errors import NoSolution, ParameterError
from sfumato.mechanism.bucket.plain import Grouping, PlainBuckets
from sfumato.testing.seeded_bits import SeededBits


@given(tables, st.integers(1, 5), st.sampled_from(Grouping))
def test_buckets_hold_at_least_k_rows_and_fewer_than_2k(rows, k, grouping):
    joint, attributes = joint_of(rows)
    if len(rows) < k:
        with pytest.raises(NoSolution):
            PlainBuckets(k, grouping).decide(joint, attributes, bits=SeededBits(1))
        return
    pair = PlainBuckets(k, grouping).decide(joint, attributes, bits=SeededBits(1)).pair
    assert pair.n_buckets == len(rows) // k
    assert k <= pair.sizes.min() <= pair.sizes.max() < 2 * k
    assert sorted(v for group in groups_of(pair) for v in group) == sorted(v for _, v in rows)


def test_similar_rows_share_a_bucket_whatever_their_values():
    joint, attributes = joint_of([(age, age % 2) for age in range(8)])
    pair = PlainBuckets(2, Grouping.SIMILAR).decide(joint, attributes, bits=SeededBits(2)).pair
    assert pair.codes[:, 0].reshape(4, 2).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_values_of_equal_rows_are_not_sorted_into_buckets():
    """16 rows of one age, 8 of each illness: sorted by value, all 8 buckets would hold one value only."""
    joint, attributes = joint_of([(0, 0)] * 8 + [(0, 1)] * 8)
    pair = PlainBuckets(2, Grouping.SIMILAR).decide(joint, attributes, bits=SeededBits(3)).pair
    assert sum(len(set(group)) for group in groups_of(pair)) > pair.n_buckets


def test_k_below_one_is_refused():
    with pytest.raises(ParameterError):
        PlainBuckets(0, Grouping.RANDOM)


def test_random_groups_ignore_the_quasi_identifiers():
    """Each of 20 rows meets each other row equally often: about 1 in 19, 1,500 groupings, 6 standard deviations."""
    joint, attributes = joint_of([(age, 0) for age in range(20)])
    bits, met = SeededBits(4), 0
    for _ in range(1500):
        pair = PlainBuckets(2, Grouping.RANDOM).decide(joint, attributes, bits=bits).pair
        met += int(pair.bucket[pair.codes[:, 0] == 0][0] == pair.bucket[pair.codes[:, 0] == 1][0])
    p = 1 / 19
    assert abs(met - 1500 * p) < 6 * np.sqrt(1500 * p * (1 - p))
