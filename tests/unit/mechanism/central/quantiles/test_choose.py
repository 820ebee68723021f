"""The default method is chosen from public numbers."""

from fractions import Fraction

import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.table.unit import Neighbors

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
    assert choose(DECILES, ONE, 100, neighbors, rows, expected).name == name


def test_a_single_quantile_never_takes_the_histogram():
    """The joint exponential mechanism was better wherever it was measured."""
    assert choose((Fraction(1, 2),), ONE, 100, Neighbors.ADD_REMOVE, 1, 5).name == "joint exponential mechanism"


def test_a_negative_number_of_rows_is_refused():
    """It is no number of rows."""
    with pytest.raises(ParameterError):
        choose(DECILES, ONE, 100, Neighbors.ADD_REMOVE, 1, -1)
