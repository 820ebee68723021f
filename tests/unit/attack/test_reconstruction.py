"""Linear programming rebuilds secret bits from answers that are nearly right."""

from itertools import product

import numpy as np
import pytest

from sfumato.attack.reconstruction import random_groups, reconstruct, recovered
from sfumato.errors import ParameterError

pytest.importorskip("scipy")


def test_exact_answers_give_every_bit():
    rng = np.random.default_rng(2)
    for n in (1, 5, 40):
        secret = rng.random(n) < 0.5
        groups = random_groups(6 * n, n, rng=rng)
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


def test_answers_must_fit_the_groups():
    with pytest.raises(ParameterError, match="one answer"):
        reconstruct(np.ones((2, 3), bool), np.zeros(3))
