"""Risk of the whole table."""

import numpy as np
import pytest

from sfumato.risk.marketer import marketer


def test_the_worked_example_of_four_classes():
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


def test_nothing_published_is_no_risk():
    assert marketer(np.zeros(0, np.int64), np.zeros(0, np.int64)) == 0.0
