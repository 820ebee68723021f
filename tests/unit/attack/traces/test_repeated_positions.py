"""Averages of noisy positions: the least sum beside a search, and the law of their error."""

import numpy as np
import pytest

from sfumato.attack.traces.places import Places
from sfumato.attack.traces.repeated_positions import RepeatedPositions, expected_miss
from sfumato.errors import ParameterError


def reports(rng, persons, n, epsilon):
    """Planar Laplace noise around the origin."""
    far, turn = rng.gamma(2, 1 / epsilon, persons * n), rng.uniform(0, 2 * np.pi, persons * n)
    return Places(np.repeat(np.arange(persons), n), np.stack([far * np.cos(turn), far * np.sin(turn)], axis=1))


@pytest.mark.parametrize("seed", range(4))
def test_the_likeliest_point_has_the_least_sum_of_distances(seed):
    """No point of a fine grid around, and no report, has a smaller one; ties and doubles included."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 6, (7, 2)).astype(float)
    points[1] = points[0]
    at = RepeatedPositions().guess(Places(np.zeros(7, int), points), None, rng)[0]
    grid = np.stack(np.meshgrid(np.linspace(-1, 7, 161), np.linspace(-1, 7, 161)), axis=-1).reshape(-1, 2)
    sums = np.linalg.norm(np.concatenate([grid, points])[:, None] - points, axis=2).sum(axis=1)
    assert np.linalg.norm(points - at, axis=1).sum() <= sums.min() + 1e-3


def test_persons_do_not_mix_and_a_single_report_is_the_estimate():
    view = Places(np.array([0, 0, 0, 1]), np.array([[0.0, 0], [1, 0], [50, 9], [7, 7]]))
    for by, first in (("mean", [17, 3]), ("median", [1, 0])):
        assert RepeatedPositions(by).guess(view, None, None).tolist() == [first, [7, 7]]
    assert RepeatedPositions().guess(view, None, None)[1] == pytest.approx([7, 7])


@pytest.mark.parametrize("by", ["mean", "median", "likeliest"])
def test_errors_fall_by_the_law(by):
    """2,000 persons with 200 reports each: the mean error has a deviation of .52/√2000 = 1.2 % of itself; the law is
    asymptotic, within 2 % here: 8 % is 5 deviations and that; false-alarm rate below 10⁻⁶."""
    said = RepeatedPositions(by).guess(reports(np.random.default_rng(5), 2000, 200, 0.01), None, None)
    assert np.linalg.norm(said, axis=1).mean() == pytest.approx(expected_miss(by, 0.01, 200), rel=0.08)


def test_another_word_is_refused():
    with pytest.raises(ParameterError, match="likeliest"):
        RepeatedPositions("mode")
