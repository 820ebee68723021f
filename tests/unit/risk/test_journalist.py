"""Risk of persons known to be in a population."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.risk import journalist

SIZES, POPULATION = np.array([1, 2, 3, 4]), np.array([5, 4, 3, 8])
pairs = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 30)), min_size=1, max_size=20).map(
    lambda rows: (np.array([f for f, _ in rows]), np.array([f + more for f, more in rows]))
)


def test_the_worked_example_of_four_classes():
    assert journalist.average(SIZES, POPULATION) == pytest.approx(0.22, abs=1e-15)
    assert journalist.highest(POPULATION) == 1 / 3
    assert journalist.share_at_risk(SIZES, POPULATION, 0.24) == 0.5


@given(pairs)
def test_the_average_is_the_larger_of_both_directions(pair):
    sizes, population = pair
    of_the_population = len(sizes) / population.sum()
    of_the_table = np.repeat(1 / population, sizes).mean()
    assert journalist.average(sizes, population) == pytest.approx(max(of_the_population, of_the_table))


@given(pairs)
def test_knowing_a_population_never_raises_the_risk(pair):
    sizes, population = pair
    assert journalist.average(sizes, population) <= journalist.average(sizes, sizes) + 1e-12
    assert journalist.highest(population) <= journalist.highest(sizes)


def test_a_population_smaller_than_the_table_is_refused():
    with pytest.raises(ParameterError, match="1 classes are smaller"):
        journalist.check_population(SIZES, np.array([1, 1, 3, 4]))


def test_nothing_published_is_no_risk():
    none = np.zeros(0, np.int64)
    assert [journalist.highest(none), journalist.average(none, none), journalist.share_at_risk(none, none, 0.1)] == [
        0.0,
        0.0,
        0.0,
    ]
