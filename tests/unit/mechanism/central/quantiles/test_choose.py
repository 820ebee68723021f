"""The default method is chosen from public numbers."""

from fractions import Fraction

import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.table.unit import OF_TABLES, Neighbors

DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
ONE = Fraction(1)


@pytest.mark.parametrize(
    ("expected", "neighbors", "rows", "name"),
    [
        (143, Neighbors.ADD_REMOVE, 1, "noisy histogram"),
        (144, Neighbors.ADD_REMOVE, 1, "joint exponential mechanism"),
        (287, Neighbors.REPLACE, 1, "noisy histogram"),
        (288, Neighbors.REPLACE, 1, "joint exponential mechanism"),
        (1439, Neighbors.ADD_REMOVE, 10, "noisy histogram"),
        (None, Neighbors.ADD_REMOVE, 1, "joint exponential mechanism"),
    ],
)
def test_few_rows_take_the_histogram(expected, neighbors, rows, name):
    """The border is 16 for each quantile, twice that under replacement; rows share ε."""
    assert choose(DECILES, ONE, 1001, neighbors, rows, expected).name == name


@pytest.mark.parametrize("expected", [None, 5, 10**6])
@pytest.mark.parametrize("size", [3, 100, 10**7])
@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_a_single_quantile_is_drawn_by_inverse_sensitivity(expected, size, neighbors):
    """Whatever the grid, and however many rows there may be."""
    method = choose((Fraction(1, 2),), ONE, size, neighbors, 1, expected)
    assert method.name.startswith("inverse sensitivity mechanism")
    assert method.flips == (size < 2**20)


@pytest.mark.parametrize(
    ("quantiles", "size", "neighbors", "expected", "name"),
    [
        (DECILES, 47, Neighbors.ADD_REMOVE, None, "joint exponential mechanism"),
        (DECILES, 46, Neighbors.ADD_REMOVE, None, "quantile tree"),
        (DECILES, 24, Neighbors.REPLACE, 10**9, "joint exponential mechanism"),
        (DECILES, 23, Neighbors.REPLACE, 10**9, "quantile tree"),
        (DECILES[:2], 11, Neighbors.ADD_REMOVE, None, "quantile tree"),
        (DECILES[:2], 12, Neighbors.ADD_REMOVE, None, "joint exponential mechanism"),
        (DECILES, 289, Neighbors.ADD_REMOVE, 143, "quantile tree"),
        (DECILES, 290, Neighbors.ADD_REMOVE, 143, "noisy histogram"),
    ],
)
def test_a_grid_of_few_points_takes_the_tree(quantiles, size, neighbors, expected, name):
    """The borders: h³ (b - 1) of the tree that fits the grid is 5 for each quantile, or 128 where rows are few."""
    assert choose(quantiles, ONE, size, neighbors, 1, expected).name == name


def test_a_negative_number_of_rows_is_refused():
    """It is no number of rows."""
    with pytest.raises(ParameterError):
        choose(DECILES, ONE, 100, Neighbors.ADD_REMOVE, 1, -1)
