"""The number of distinct keys, estimated from smallest hashes."""

import numpy as np
import pytest

from sfumato.summary.distinct import BUCKETS, estimate_distinct


def lowest_of(n, rng):
    """The smallest of n uniform hashes in each bucket that is not empty."""
    lowest = np.ones(BUCKETS)
    np.minimum.at(lowest, rng.integers(0, BUCKETS, n), rng.random(n))
    return lowest[lowest < 1]


@pytest.mark.parametrize("n", [1, 50, 3_000, 40_000, 400_000])
def test_estimates_are_unbiased_with_the_stated_deviation(n):
    """The mean of 20 estimates lies within 5.3 standard errors (false alarm < 1e-6); the deviation is 1/√u."""
    rng = np.random.default_rng(n)
    runs = [lowest_of(n, rng) for _ in range(20)]
    relative = np.array([estimate_distinct(run) / n - 1 for run in runs])
    stated = 1 / np.sqrt(np.mean([len(run) for run in runs]))
    assert abs(relative.mean()) <= 5.3 * stated / np.sqrt(20) + 0.5 / n
    assert relative.std() <= 2.5 * stated


def test_two_parts_merge_by_the_smaller_minimum():
    """The same keys in both parts change nothing."""
    lowest = lowest_of(1_000, np.random.default_rng(1))
    assert estimate_distinct(np.minimum(lowest, lowest)) == estimate_distinct(lowest)


def test_few_keys_are_counted_exactly():
    for n in range(20):
        assert estimate_distinct(np.linspace(0, 0.99, n)) == n
