import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.estimate import (
    estimate_histogram,
    estimate_mean,
    estimate_variance,
    histogram_variance,
    point_variance,
    report_variance,
    worst_variance,
)
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.testing.seeded_bits import SeededBits

GRID = Grid(-2.0, 6.0, steps=16)


@pytest.mark.parametrize("kind", [Piecewise, SquareWave, Duchi, Hybrid])
def test_the_variance_of_a_value_between_points_is_that_of_the_mixture(kind):
    """The slow twin: the law of a report of 0.7 of the way from one point to the next, summed."""
    mechanism = kind(GRID, 1.0)
    rows, table, points = mechanism.matrix(), mechanism.decode(), GRID.points()
    value = 0.3 * points[4] + 0.7 * points[5]
    mixed = 0.3 * rows[4] + 0.7 * rows[5]
    twin = mixed @ table**2 - (mixed @ table) ** 2
    assert report_variance(mechanism, np.array([value]))[0] == pytest.approx(twin, rel=1e-9)


@pytest.mark.parametrize("kind", [Piecewise, SquareWave, Duchi, Hybrid])
@pytest.mark.parametrize("epsilon", [0.3, 3.0, 12.0])
def test_the_worst_variance_is_the_largest_over_a_dense_search(kind, epsilon):
    mechanism = kind(GRID, epsilon)
    dense = report_variance(mechanism, np.linspace(-2, 6, 16 * 200 + 1)).max()
    assert dense <= worst_variance(mechanism) * (1 + 1e-12)
    assert worst_variance(mechanism) == pytest.approx(dense, rel=1e-3)


def test_the_estimate_of_the_mean_is_the_mean_of_decoded_reports():
    mechanism = Piecewise(GRID, 1.0)
    reports = np.array([0, 5, 7])
    found = estimate_mean(mechanism, reports)
    assert found.value == pytest.approx(mechanism.decode()[reports].mean())
    assert found.low < found.value < found.high


def test_one_report_has_the_worst_standard_error():
    mechanism = Duchi(GRID, 1.0)
    assert estimate_mean(mechanism, np.array([1])).standard_error ** 2 == pytest.approx(worst_variance(mechanism))


def test_equal_reports_do_not_make_the_interval_vanish():
    mechanism = Duchi(GRID, 1.0)
    found = estimate_mean(mechanism, np.ones(100, np.int64))
    assert found.standard_error**2 * 100 == pytest.approx(point_variance(mechanism).min())


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, np.nan, "x", 1])
def test_a_level_outside_its_range_is_refused(level):
    with pytest.raises(ParameterError, match="confidence"):
        estimate_mean(Duchi(GRID, 1.0), np.array([0, 1]), confidence=level)


def test_a_higher_level_gives_a_wider_interval():
    narrow, wide = (estimate_mean(Duchi(GRID, 1.0), np.array([0, 1]), confidence=level) for level in (0.5, 0.99))
    assert wide.high > narrow.high


def test_a_variance_needs_two_reports():
    with pytest.raises(ParameterError, match="two reports"):
        estimate_variance(Piecewise(GRID, 1.0), np.array([0]))


def test_one_bit_cannot_estimate_a_variance():
    with pytest.raises(ParameterError, match="do not determine"):
        estimate_variance(Duchi(GRID, 1.0), np.array([0, 1]))


def test_nearly_no_noise_gives_the_truth():
    mechanism = SquareWave(Grid.integers(0, 4), 30.0)
    values = np.repeat([0, 1, 4], [50, 30, 20])
    reports = mechanism.randomize(values, bits=SeededBits(1))
    assert estimate_mean(mechanism, reports).value == pytest.approx(values.mean(), abs=1e-6)
    assert estimate_variance(mechanism, reports).value == pytest.approx(values.var(), abs=1e-6)
    assert estimate_histogram(mechanism, reports).shares == pytest.approx([0.5, 0.3, 0, 0, 0.2], abs=1e-6)


def test_shares_of_a_histogram_sum_to_one():
    mechanism = SquareWave(GRID, 1.0)
    reports = mechanism.randomize(np.linspace(-2, 6, 300), bits=SeededBits(2))
    assert estimate_histogram(mechanism, reports).shares.sum() == pytest.approx(1)


def test_the_variance_of_a_histogram_is_the_sum_over_persons():
    """The slow twin: each person's report has its own law; variances of independent reports add."""
    mechanism = SquareWave(Grid.integers(0, 3), 1.0)
    values = np.array([0, 0, 1, 3, 3, 3])
    matrix = mechanism.matrix()
    from sfumato.mechanism.local.numeric.decode import unbiased

    table = unbiased(matrix, np.eye(4))
    twin = sum(matrix[v] @ table**2 - (matrix[v] @ table) ** 2 for v in values) / 36
    frequencies = np.bincount(values, minlength=4) / 6
    assert histogram_variance(mechanism, frequencies, 6) == pytest.approx(twin)
