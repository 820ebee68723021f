"""Do sampled reports follow the stated law, and are estimates right on average and in spread?

Chi-square tests at 10⁻⁶/32 each, so that a false alarm among the at most 32 of this file has probability below
10⁻⁶. Means and spreads over R independent runs are tested at 5.5 standard deviations (2·10⁻⁸, normal law).
"""

import numpy as np
import pytest
from scipy.stats import chi2

from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.estimate import (
    estimate_histogram,
    estimate_mean,
    estimate_variance,
    histogram_variance,
    report_variance,
)
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace, laplace_weights
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase
from sfumato.summary.interval import clopper_pearson
from sfumato.testing.seeded_bits import SeededBits

KINDS = [BoundedLaplace, CalibratedStaircase, Piecewise, SquareWave, Duchi, Hybrid]
UNBIASED = [BoundedLaplace, Piecewise, SquareWave, Duchi, Hybrid]
ALARM = 1e-6 / 32
FAR = 5.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 2, 5])
def test_reports_of_a_grid_point_follow_its_row(kind, place):
    grid, n = Grid(0.0, 1.0, 5), 40_000
    mechanism = kind(grid, 1.0)
    reports = mechanism.randomize(np.full(n, grid.points()[place]), bits=SeededBits(place))
    expected = n * mechanism.matrix()[place]
    found = np.bincount(reports, minlength=mechanism.n_outputs)
    statistic = ((found - expected) ** 2 / expected).sum()
    assert statistic < chi2.isf(ALARM, len(expected) - 1)


@pytest.mark.parametrize("kind", KINDS)
def test_reports_between_points_follow_the_mixture(kind):
    grid, n = Grid(0.0, 1.0, 5), 40_000
    mechanism = kind(grid, 1.0)
    reports = mechanism.randomize(np.full(n, 0.54), bits=SeededBits(9))
    expected = n * (0.3 * mechanism.matrix()[2] + 0.7 * mechanism.matrix()[3])
    found = np.bincount(reports, minlength=mechanism.n_outputs)
    assert ((found - expected) ** 2 / expected).sum() < chi2.isf(ALARM, len(expected) - 1)


@pytest.mark.parametrize("kind", UNBIASED)
def test_the_mean_is_unbiased_and_its_variance_is_the_exact_one(kind):
    runs, persons = 2000, np.linspace(-1.7, 5.9, 23)
    mechanism = kind(Grid(-2.0, 6.0, 16), 1.0)
    reports = mechanism.randomize(np.tile(persons, runs), bits=SeededBits(5)).reshape(runs, -1)
    means = mechanism.decode()[reports].mean(axis=1)
    exact = report_variance(mechanism, persons).sum() / len(persons) ** 2
    assert abs(means.mean() - persons.mean()) < FAR * np.sqrt(exact / runs)
    assert abs(means.var(ddof=1) / exact - 1) < FAR * np.sqrt(2.2 / runs)  # kurtosis of a mean of 23 is near 3
    assert estimate_mean(mechanism, reports[0]).value == pytest.approx(means[0])


@pytest.mark.parametrize("kind", [Piecewise, SquareWave])
def test_the_variance_is_unbiased(kind):
    runs, persons = 1500, Grid(-2.0, 6.0, 16).points()[[0, 3, 3, 8, 9, 15, 16]]
    mechanism = kind(Grid(-2.0, 6.0, 16), 3.0)
    reports = mechanism.randomize(np.tile(persons, runs), bits=SeededBits(6)).reshape(runs, -1)
    found = np.array([estimate_variance(mechanism, row).value for row in reports])
    assert abs(found.mean() - persons.var()) < FAR * found.std(ddof=1) / np.sqrt(runs)


@pytest.mark.parametrize("kind", [BoundedLaplace, SquareWave])
def test_a_histogram_is_unbiased_and_its_variance_is_the_exact_one(kind):
    runs, values = 1500, np.repeat([0, 1, 2, 3, 4], [20, 0, 5, 10, 5])
    mechanism = kind(Grid.integers(0, 4), 2.0)
    reports = mechanism.randomize(np.tile(values, runs), bits=SeededBits(8)).reshape(runs, -1)
    shares = np.array([estimate_histogram(mechanism, row).shares for row in reports])
    truth = np.bincount(values, minlength=5) / len(values)
    exact = histogram_variance(mechanism, truth, len(values))
    assert np.all(np.abs(shares.mean(axis=0) - truth) < FAR * np.sqrt(exact / runs))
    assert np.all(np.abs(shares.var(axis=0, ddof=1) / exact - 1) < FAR * np.sqrt(2.5 / runs))


@pytest.mark.parametrize("kind", [Piecewise, Duchi, Hybrid])
def test_intervals_cover_the_mean_at_least_as_often_as_stated(kind):
    """Coverage of 95 % intervals over 1,000 runs; below 0.95 - 5.5·sqrt(.95·.05/1000) = 0.912 is an alarm."""
    runs, persons = 1000, np.linspace(0, 1, 200)
    mechanism = kind(Grid(0.0, 1.0, 32), 1.0)
    reports = mechanism.randomize(np.tile(persons, runs), bits=SeededBits(4)).reshape(runs, -1)
    found = [estimate_mean(mechanism, row) for row in reports]
    assert np.mean([e.low <= persons.mean() <= e.high for e in found]) > 0.912


def test_a_twin_with_half_the_noise_is_caught_from_its_reports_alone():
    """Lower bound of the leak at confidence 1 - 10⁻⁶, each side by Clopper and Pearson; the honest one passes."""
    grid, n = Grid(0.0, 1.0, 8), 60_000
    honest, twin = BoundedLaplace(grid, 1.0), BoundedLaplace(grid, 1.0)
    object.__setattr__(twin, "weights", laplace_weights(8, 2.0))

    def leak(mechanism):
        low, high = (mechanism.randomize(np.full(n, x), bits=SeededBits(3 + int(x))) for x in (0.0, 1.0))
        seen = [clopper_pearson(int((r == 0).sum()), n, 1 - 1e-6) for r in (low, high)]
        return np.log(seen[0].low / seen[1].high)

    assert leak(honest) <= honest.epsilon
    assert leak(twin) > 1.5 > twin.epsilon
