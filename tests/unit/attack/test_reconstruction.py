"""Linear programming and least squares rebuild secret bits from answers that are nearly right."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.attack.reconstruction import random_groups, reconstruct, reconstruct_by_squares, recovered
from sfumato.errors import ParameterError
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.testing.seeded_bits import SeededBits

pytest.importorskip("scipy")


def test_exact_answers_give_every_bit():
    rng = np.random.default_rng(2)
    for n in (1, 5, 40):
        secret = rng.random(n) < 0.5
        groups = random_groups(6 * n, n, rng=rng)
        assert reconstruct_by_squares(groups, groups @ secret.astype(float)).tolist() == secret.tolist()
        assert reconstruct(groups, groups @ secret.astype(float)).tolist() == secret.tolist()


def test_the_optimum_is_no_worse_than_any_table_of_bits():
    """The relaxed program's rounded answer explains the answers as well as the best of all 2⁶ tables, here."""
    rng = np.random.default_rng(3)
    groups = random_groups(30, 6, rng=rng)
    secret = np.array([True, False, True, True, False, False])
    answers = groups @ secret.astype(float) + rng.choice([-0.4, 0.4], 30)
    tables = np.array(list(product([False, True], repeat=6)))
    residual = np.abs(answers - tables.astype(float) @ groups.T.astype(float)).sum(axis=1)
    assert reconstruct(groups, answers).tolist() == tables[residual.argmin()].tolist() == secret.tolist()


def test_large_noise_leaves_a_blind_guess():
    """Noise of 1000 persons: 200 guesses of even bits; |right - 100| <= 40 has a false alarm below 1e-8."""
    rng = np.random.default_rng(4)
    right = 0
    for _ in range(5):
        secret = rng.random(40) < 0.5
        groups = random_groups(160, 40, rng=rng)
        right += round(40 * recovered(reconstruct(groups, groups @ secret + rng.laplace(0, 1000, 160)), secret))
    assert abs(right - 100) <= 40


def test_arbitrary_answers_are_shrugged_off_by_the_program_alone():
    """A quarter of 400 answers is replaced; squares are pulled away by them."""
    rng = np.random.default_rng(5)
    secret = rng.random(50) < 0.5
    groups = random_groups(400, 50, rng=rng)
    exact = groups @ secret.astype(float)
    answers = np.where(rng.random(400) < 0.25, rng.integers(0, 50, 400), exact)
    assert recovered(reconstruct(groups, answers), secret) == 1
    assert recovered(reconstruct_by_squares(groups, answers), secret) < 1


def test_squares_are_least():
    """No table of residuals in the column space is left: they are orthogonal to every group column."""
    rng = np.random.default_rng(6)
    groups = random_groups(60, 12, rng=rng)
    answers = rng.normal(3, 2, 60)
    design = groups.astype(float)
    solved = np.linalg.solve(design.T @ design, design.T @ (answers - design.sum(axis=1) / 2))
    assert reconstruct_by_squares(groups, answers).tolist() == (solved > 0).tolist()


def test_a_promise_bounds_any_attacker():
    """ε = 1/2 for 120 answers of 30 persons: at most 62.3 % are expected; 900 guesses above 70 % have a chance below 1e-6."""
    rng, bits, right = np.random.default_rng(7), SeededBits(7), 0
    for _ in range(30):
        secret = rng.random(30) < 0.5
        groups = random_groups(120, 30, rng=rng)
        answers = groups @ secret.astype(float) + discrete_laplace(120, Fraction(240), bits=bits)
        right += round(30 * recovered(reconstruct_by_squares(groups, answers), secret))
    assert right < 630


@pytest.mark.parametrize("attack", [reconstruct, reconstruct_by_squares])
def test_answers_must_fit_the_groups(attack):
    with pytest.raises(ParameterError, match="one answer"):
        attack(np.ones((2, 3), bool), np.zeros(3))
