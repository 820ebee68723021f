"""Risk of persons known to be in the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.risk import prosecutor

SIZES = np.array([1, 2, 3, 4])
sizes_of = st.lists(st.integers(1, 50), min_size=1, max_size=30).map(np.array)


def test_the_average_is_over_persons_not_classes():
    """Users' case E1: sizes 1 and 99."""
    assert prosecutor.average(np.array([1, 99])) == 0.02
    assert prosecutor.class_average(np.array([1, 99])) == pytest.approx(0.505050505, abs=1e-9)


def test_the_worked_example_of_four_classes():
    assert prosecutor.average(SIZES) == 0.4
    assert prosecutor.highest(SIZES) == 1.0
    assert prosecutor.share_at_risk(SIZES, 0.33) == 0.6


@given(sizes_of)
def test_averages_equal_the_mean_over_rows(sizes):
    rows = np.repeat(1 / sizes, sizes)
    assert prosecutor.average(sizes) == pytest.approx(rows.mean())
    assert prosecutor.highest(sizes) == rows.max()
    assert prosecutor.lowest(sizes) == rows.min()
    assert prosecutor.share_at_highest(sizes) == pytest.approx((rows == rows.max()).mean())
    assert prosecutor.share_at_lowest(sizes) == pytest.approx((rows == rows.min()).mean())
    assert prosecutor.sample_uniqueness(sizes) == pytest.approx((rows == 1).mean())


@given(st.integers(1, 10**6))
def test_a_class_exactly_at_the_threshold_is_not_at_risk(size):
    assert prosecutor.share_at_risk(np.array([size]), 1 / size) == 0.0
    assert size == 1 or prosecutor.share_at_risk(np.array([size - 1]), 1 / size) == 1.0


@given(sizes_of, st.integers(1, 60))
def test_share_below_k_counts_persons(sizes, k):
    assert prosecutor.share_below(sizes, k) == pytest.approx((np.repeat(sizes, sizes) < k).mean())


def test_nothing_published_is_no_risk():
    none = np.zeros(0, np.int64)
    assert [
        prosecutor.highest(none),
        prosecutor.lowest(none),
        prosecutor.average(none),
        prosecutor.class_average(none),
        prosecutor.sample_uniqueness(none),
        prosecutor.share_at_risk(none, 0.1),
    ] == [0.0] * 6


@pytest.mark.parametrize("threshold", [-0.1, 20.0, float("nan")])
def test_a_threshold_that_is_no_share_is_refused(threshold):
    with pytest.raises(ParameterError, match="must lie in"):
        prosecutor.exceeds(SIZES, threshold)
