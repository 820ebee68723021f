"""Noisy histogram: the promise on every tiny table, what is read off, and how near it comes."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram, possible_counts
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

HALF = (Fraction(1, 2),)
DECILES = tuple(Fraction(i, 10) for i in range(1, 10))


def test_noise_grows_with_the_rows_of_a_person():
    scales = [SmallHistogram(HALF, Fraction(1), 9, n, rows=r).scale for n in OF_TABLES for r in (1, 3)]
    assert scales == [1, 3, 2, 6]


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("table", [[], [0], [4, 4, 4], [0, 1, 2, 3, 4]])
def test_any_table_gives_rising_places_of_the_grid(neighbors, table):
    for seed in range(20):
        method = SmallHistogram(DECILES, Fraction(1, 10), 5, neighbors, rows=2)
        found = method.decide(np.array(table, np.int64), bits=SeededBits(seed))
        assert found.shape == (9,)
        assert 0 <= found[0]
        assert np.all(np.diff(found) >= 0)
        assert found[-1] < 5


def test_little_noise_gives_the_true_quantiles_where_cells_are_points():
    places = np.random.default_rng(1).integers(0, 50, 10_000)
    method = SmallHistogram(DECILES, Fraction(2**20), 50, Neighbors.REPLACE, rows=1)
    assert method.decide(places, bits=SeededBits(1)).tolist() == true_quantiles(places, DECILES).tolist()


def test_counts_are_the_nearest_ones():
    noisy = np.array([5, -3, 9, 2])
    kept = possible_counts(noisy, 0.0)
    rng = np.random.default_rng(2)
    others = 13 * rng.dirichlet(np.ones(4), 10_000)
    assert kept.sum() == pytest.approx(13)
    assert np.all(((others - noisy) ** 2).sum(1) >= ((kept - noisy) ** 2).sum() - 1e-9)


@pytest.mark.parametrize("bins", [0, 2**21, 1.5])
def test_a_number_of_cells_that_cannot_be_is_refused(bins):
    with pytest.raises(ParameterError, match="bins"):
        SmallHistogram(HALF, Fraction(1), 9, Neighbors.REPLACE, rows=1, bins=bins)
