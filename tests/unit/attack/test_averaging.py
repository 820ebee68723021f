"""Posteriors and their score; many answers to one question: their mean, their median, and how far they stray."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.averaging import mean_of_answers, median_of_answers, posterior, score, spread_of_mean
from sfumato.attack.inference import most_probable
from sfumato.errors import ParameterError
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.testing.seeded_bits import SeededBits


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


def test_each_number_of_answers_is_summarized_by_itself():
    answers = np.random.default_rng(1).normal(size=(20, 3))
    times = [1, 2, 7, 20]
    for row, t in enumerate(times):
        assert np.allclose(mean_of_answers(answers, times)[row], answers[:t].mean(axis=0))
        assert np.allclose(median_of_answers(answers, times)[row], np.median(answers[:t], axis=0))


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(10), Fraction(1000)])
def test_the_spread_is_that_of_the_law(scale):
    there = np.arange(-40_000, 40_001)
    law = np.exp(-np.abs(there) / float(scale))
    law /= law.sum()
    assert spread_of_mean(scale, 1) == pytest.approx(np.sqrt((law * there**2.0).sum()), rel=1e-9)
    assert spread_of_mean(scale, 100) == pytest.approx(spread_of_mean(scale, 1) / 10)


def test_means_stray_as_the_formula_says():
    """4000 means of 25 answers: a relative error of 0.08 is above 7 standard deviations, a false alarm below 1e-9."""
    answers = discrete_laplace(100_000, Fraction(10), bits=SeededBits(5)).reshape(25, 4000).astype(float)
    assert mean_of_answers(answers, [25]).std() == pytest.approx(spread_of_mean(Fraction(10), 25), rel=0.08)


def test_the_median_is_nearer_than_the_mean():
    answers = discrete_laplace(200_000, Fraction(100), bits=SeededBits(6)).reshape(100, 2000).astype(float)
    assert median_of_answers(answers, [100]).std() < 0.85 * mean_of_answers(answers, [100]).std()
