"""Many answers to one question: their mean, their median, and how far they stray."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.repeated_answers import mean_of_answers, median_of_answers, spread_of_mean
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.testing.seeded_bits import SeededBits


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
