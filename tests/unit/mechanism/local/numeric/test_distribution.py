import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.distribution import (
    Distribution,
    estimate_distribution,
    expectation_maximization,
)
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.testing.seeded_bits import SeededBits


def log_likelihood(counts, matrix, shares):
    return float(counts @ np.log(shares @ matrix))


@given(st.lists(st.integers(0, 50), min_size=7, max_size=7).filter(any), st.floats(0.2, 3))
def test_each_step_raises_the_likelihood(counts, epsilon):
    mechanism = SquareWave(Grid(0.0, 1.0, 4), epsilon)
    counts = np.array((counts * 2)[: mechanism.n_outputs])
    if not counts.any():
        return
    matrix = mechanism.matrix()
    before = -np.inf
    for steps in range(1, 12):
        shares, *_ = expectation_maximization(counts, matrix, smooth=False, tolerance=0.0, most_iterations=steps)
        now = log_likelihood(counts, matrix, shares)
        assert now >= before - 1e-9 * abs(now)
        before = now


def test_the_answer_is_where_no_small_move_raises_the_likelihood():
    """Karush-Kuhn-Tucker: (1/n)Σ_j c_j P_ij/(θP)_j = 1 where θ_i > 0 and <= 1 elsewhere."""
    mechanism = SquareWave(Grid(0.0, 1.0, 6), 2.0)
    counts = np.random.default_rng(1).integers(1, 200, mechanism.n_outputs)
    matrix = mechanism.matrix()
    shares, *_ = expectation_maximization(counts, matrix, smooth=False, tolerance=1e-12, most_iterations=100_000)
    slope = matrix @ (counts / (shares @ matrix)) / counts.sum()
    assert np.all(slope <= 1 + 1e-3)
    assert np.allclose(slope[shares > 1e-3], 1, atol=1e-3)


@pytest.mark.parametrize("smooth", [True, False])
def test_shares_are_a_distribution(smooth):
    mechanism = SquareWave(Grid(0.0, 1.0, 32), 1.0)
    values = np.random.default_rng(2).beta(2, 5, 2000)
    found = estimate_distribution(mechanism, mechanism.randomize(values, bits=SeededBits(1)), smooth=smooth)
    assert found.shares.min() >= 0
    assert found.shares.sum() == pytest.approx(1)
    assert found.converged


def test_it_finds_a_smooth_law_from_many_reports():
    """Wasserstein distance to the true shares; 20,000 reports at epsilon 1 give about 0.01 of the width."""
    mechanism = SquareWave(Grid(0.0, 1.0, 64), 1.0)
    values = np.random.default_rng(3).beta(5, 2, 20_000)
    found = estimate_distribution(mechanism, mechanism.randomize(values, bits=SeededBits(2)))
    truth = np.bincount(np.rint(values * 64).astype(int), minlength=65) / len(values)
    assert np.abs(np.cumsum(found.shares - truth)).sum() / 64 < 0.03
    assert found.mean() == pytest.approx(values.mean(), abs=0.03)


def test_it_stops_at_the_limit_and_says_so():
    mechanism = SquareWave(Grid(0.0, 1.0, 16), 1.0)
    reports = mechanism.randomize(np.full(500, 0.5), bits=SeededBits(3))
    found = estimate_distribution(mechanism, reports, smooth=False, most_iterations=2)
    assert (found.iterations, found.converged) == (2, False)


def test_moments_and_quantiles_are_those_of_the_shares():
    law = Distribution(np.array([0.0, 1.0, 2.0]), np.array([0.25, 0.5, 0.25]), 0.0, 1, converged=True)
    assert (law.mean(), law.variance()) == (1.0, 0.5)
    assert [law.quantile(q) for q in (0.0, 0.25, 0.26, 0.75, 1.0)] == [0.0, 0.0, 1.0, 1.0, 2.0]


def test_counts_of_nothing_are_refused():
    with pytest.raises(ParameterError, match="at least one report"):
        expectation_maximization(np.zeros(2), np.eye(2), smooth=False, tolerance=1e-3, most_iterations=5)
