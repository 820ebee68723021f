import numpy as np
import pytest

from sfumato.summary.special import digamma, digamma_of_one


def test_digamma_agrees_with_scipy():
    from scipy.special import psi

    x = np.concatenate((np.geomspace(1e-8, 1e12, 400), np.linspace(0.5, 3, 100)))
    assert digamma(x) == pytest.approx(psi(x), rel=1e-13, abs=1e-13)


def test_digamma_of_whole_numbers_are_harmonic_sums():
    harmonic = np.cumsum(1 / np.arange(1, 50))
    assert digamma(np.arange(2, 51)) == pytest.approx(harmonic - np.euler_gamma, abs=1e-14)


def test_digamma_of_one_number_is_that_of_an_array():
    x = np.geomspace(1e-17, 1e12, 200)
    assert [digamma_of_one(one) for one in x.tolist()] == pytest.approx(digamma(x), rel=1e-15)
