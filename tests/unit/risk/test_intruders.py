"""Risk of persons known to be in the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.risk import intruders
from sfumato.risk.intruders import marketer

SIZES = np.array([1, 2, 3, 4])
sizes_of = st.lists(st.integers(1, 50), min_size=1, max_size=30).map(np.array)


def test_the_average_is_over_persons_not_classes():
    """Users' case E1: sizes 1 and 99."""
    assert intruders.average(np.array([1, 99])) == 0.02
    assert intruders.class_average(np.array([1, 99])) == pytest.approx(0.505050505, abs=1e-9)


def test_the_worked_example_of_four_classes():
    assert intruders.average(SIZES) == 0.4
    assert intruders.highest(SIZES) == 1.0
    assert intruders.share_at_risk(SIZES, 0.33) == 0.6


@given(sizes_of)
def test_averages_equal_the_mean_over_rows(sizes):
    rows = np.repeat(1 / sizes, sizes)
    assert intruders.average(sizes) == pytest.approx(rows.mean())
    assert intruders.highest(sizes) == rows.max()
    assert intruders.lowest(sizes) == rows.min()
    assert intruders.share_at_highest(sizes) == pytest.approx((rows == rows.max()).mean())
    assert intruders.share_at_lowest(sizes) == pytest.approx((rows == rows.min()).mean())
    assert intruders.sample_uniqueness(sizes) == pytest.approx((rows == 1).mean())


@given(st.integers(1, 10**6))
def test_a_class_exactly_at_the_threshold_is_not_at_risk(size):
    assert intruders.share_at_risk(np.array([size]), 1 / size) == 0.0
    assert size == 1 or intruders.share_at_risk(np.array([size - 1]), 1 / size) == 1.0


@given(sizes_of, st.integers(1, 60))
def test_share_below_k_counts_persons(sizes, k):
    assert intruders.share_below(sizes, k) == pytest.approx((np.repeat(sizes, sizes) < k).mean())


def test_nothing_published_is_no_risk():
    none = np.zeros(0, np.int64)
    assert [
        intruders.highest(none),
        intruders.lowest(none),
        intruders.average(none),
        intruders.class_average(none),
        intruders.sample_uniqueness(none),
        intruders.share_at_risk(none, 0.1),
    ] == [0.0] * 6


@pytest.mark.parametrize("threshold", [-0.1, 20.0, float("nan")])
def test_a_threshold_that_is_no_share_is_refused(threshold):
    with pytest.raises(ParameterError, match="must lie in"):
        intruders.exceeds(SIZES, threshold)


SIZES, POPULATION = np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])
pairs = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 30)), min_size=1, max_size=20).map(
    lambda rows: (np.array([f for f, _ in rows]), np.array([f + more for f, more in rows]))
)


def test_the_worked_example_of_four_classes_for_the_journalist():
    assert intruders.journalist_average(SIZES, POPULATION) == pytest.approx(0.22, abs=1e-15)
    assert intruders.journalist_highest(POPULATION) == 1 / 3
    assert intruders.journalist_share_at_risk(SIZES, POPULATION, 0.24) == 0.5


@given(pairs)
def test_the_average_is_the_larger_of_both_directions(pair):
    sizes, population = pair
    of_the_population = len(sizes) / population.sum()
    of_the_table = np.repeat(1 / population, sizes).mean()
    assert intruders.journalist_average(sizes, population) == pytest.approx(max(of_the_population, of_the_table))


@given(pairs)
def test_knowing_a_population_never_raises_the_risk(pair):
    sizes, population = pair
    assert intruders.journalist_average(sizes, population) <= intruders.journalist_average(sizes, sizes) + 1e-12
    assert intruders.journalist_highest(population) <= intruders.journalist_highest(sizes)


def test_a_population_smaller_than_the_table_is_refused():
    with pytest.raises(ParameterError, match="1 classes are smaller"):
        intruders.check_population(SIZES, np.array([1, 1, 3, 4]))


def test_nothing_published_is_no_risk_for_the_journalist():
    none = np.zeros(0, np.int64)
    assert [
        intruders.journalist_highest(none),
        intruders.journalist_average(none, none),
        intruders.journalist_share_at_risk(none, none, 0.1),
    ] == [
        0.0,
        0.0,
        0.0,
    ]


def test_the_worked_example_of_four_classes_for_the_marketer():
    assert marketer(np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])) == pytest.approx(0.22, abs=1e-15)


def test_where_the_table_is_the_population_it_is_classes_over_persons():
    assert marketer(np.array([1, 99]), np.array([1, 99])) == 0.02


def test_it_is_the_success_rate_of_random_matches_within_classes():
    """10^5 simulated matches; the standard error is 0.0013, five of them are allowed."""
    sizes, population = np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])
    rng = np.random.default_rng(3)
    row = np.repeat(np.arange(4), sizes)[rng.integers(10, size=100_000)]
    right = rng.integers(population[row]) == 0
    assert right.mean() == pytest.approx(marketer(sizes, population), abs=0.0066)


def test_nothing_published_is_no_risk_for_the_marketer():
    assert marketer(np.zeros(0, np.int64), np.zeros(0, np.int64)) == 0.0
