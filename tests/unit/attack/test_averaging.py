"""Posteriors and their score."""

import numpy as np
import pytest

from sfumato.attack.averaging import most_probable, posterior, score
from sfumato.errors import ParameterError


def test_without_evidence_the_posterior_is_the_prior():
    assert posterior(np.zeros((2, 3)), np.array([2.0, 1.0, 1.0])) == pytest.approx(np.tile([0.5, 0.25, 0.25], (2, 1)))


def test_large_evidence_does_not_overflow():
    assert posterior(np.array([[1e6, 0.0]]), np.array([0.5, 0.5])).tolist() == [[1.0, 0.0]]


def test_equals_are_chosen_at_random():
    """10,000 ties of three: each is chosen about a third of the time (6 standard deviations, 6e-9)."""
    chosen = most_probable(np.ones((10_000, 3)), rng=np.random.default_rng(1))
    assert np.all(np.abs(np.bincount(chosen, minlength=3) - 10_000 / 3) < 6 * np.sqrt(10_000 * 2 / 9))


def test_the_score_counts_and_bounds():
    found = score(np.array([0, 1, 2, 2]), np.array([0, 1, 2, 0]), np.array([0.5, 0.25, 0.25]), confidence=0.95)
    assert (found.right, found.n, found.rate, found.baseline) == (3, 4, 0.75, 0.5)
    assert found.interval.low < 0.75 < found.interval.high


def test_what_does_not_fit_is_refused():
    with pytest.raises(ParameterError, match="prior"):
        posterior(np.zeros((2, 3)), np.array([1.0, 0.0, 1.0]))
    with pytest.raises(ParameterError, match="one guess"):
        score(np.array([0]), np.array([0, 1]), np.array([1.0]), confidence=0.9)
