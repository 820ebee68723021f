"""Does PRAM follow its matrix, and are its estimates unbiased and of the covariance they state?"""

import numpy as np

from sfumato.mechanism.perturb.pram import estimate, randomize
from sfumato.mechanism.perturb.transition import invariant, keep_share, transition
from sfumato.testing.seeded_bits import SeededBits

P = transition(np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.05, 0.25, 0.7]]))
CODES = np.repeat([0, 1, 2], [60, 30, 10])
SHARES = np.array([0.6, 0.3, 0.1])


def test_cells_move_with_the_probabilities_of_the_matrix():
    """300,000 cells a category: each of 9 counts within 6 standard deviations (false alarm 2e-8)."""
    n = 300_000
    published = randomize(np.repeat([0, 1, 2], n), P, bits=SeededBits(5)).reshape(3, n)
    for row, chances in zip(published, P.matrix, strict=True):
        counts = np.bincount(row, minlength=3)
        assert np.all(np.abs(counts - n * chances) < 6 * np.sqrt(n * chances * (1 - chances)))


def test_estimates_are_unbiased_and_their_covariance_is_true():
    """2,000 releases: |z| < 6 for means; variance ratios within 1 ± 0.22 (false alarm below 1e-8 in all)."""
    runs = [estimate(row, P) for row in randomize(np.tile(CODES, 2000), P, bits=SeededBits(6)).reshape(2000, 100)]
    values = np.array([r.values for r in runs])
    p = P.matrix
    inverse = np.linalg.inv(p)
    true = inverse.T @ (np.diag(SHARES @ p) - p.T @ np.diag(SHARES) @ p) @ inverse / 100
    assert np.all(np.abs(values.mean(axis=0) - SHARES) < 6 * np.sqrt(np.diag(true) / 2000))
    assert np.all(np.abs(values.var(axis=0, ddof=1) / np.diag(true) - 1) < 0.22)
    stated = np.array([r.covariance for r in runs])
    error = stated.std(axis=0, ddof=1) / np.sqrt(2000)
    assert np.all(np.abs(stated.mean(axis=0) - true) < 6 * error + 1e-15)


def test_invariant_releases_keep_the_shares_on_average():
    """2,000 releases: |z| < 6 for each mean share (false alarm 6e-9)."""
    kept = invariant(keep_share(3, 0.6), SHARES, alpha=0.8)
    rows = randomize(np.tile(CODES, 2000), kept, bits=SeededBits(7)).reshape(2000, 100)
    shares = np.array([np.bincount(row, minlength=3) / 100 for row in rows])
    assert np.all(np.abs(shares.mean(axis=0) - SHARES) < 6 * np.sqrt(SHARES * (1 - SHARES) / 100 / 2000))
