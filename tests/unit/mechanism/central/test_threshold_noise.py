"""The accuracy of a scan against slow sums over both noises, and against the textbook."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.bounds import threshold_accuracy
from sfumato.mechanism.central.threshold_noise import ThresholdNoise, best_share, textbook_accuracy, threshold_noise


def slow_failure(noise, k, alpha):
    """P(any |ν - r| > α) for one threshold, by adding up."""
    s1, s2 = float(noise.of_threshold), float(noise.of_query)
    r = np.arange(-int(50 * s1) - 2, int(50 * s1) + 3)
    p = np.exp(-np.abs(r) / s1)
    p /= p.sum()
    x = np.arange(-int(50 * (s1 + s2)) - alpha - 5, int(50 * (s1 + s2)) + alpha + 6)
    law = np.exp(-np.abs(x) / s2)
    below = np.cumsum(law / law.sum())
    inside = below[r + alpha - x[0]] - below[r - alpha - 1 - x[0]]
    return float(np.sum(p * (1 - np.clip(inside, 0, 1) ** k)))


SCALES = [(2, 4), (Fraction(1, 3), 2), (3, 3), (5, 1), (10, 7)]


@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("k", [1, 10, 1000])
@pytest.mark.parametrize("beta", [0.3, 0.05, 1e-6])
def test_accuracy_is_certain_and_nearly_the_least(scales, k, beta):
    noise = ThresholdNoise(Fraction(scales[0]), Fraction(scales[1]))
    alpha = noise.accuracy(k, beta)
    assert slow_failure(noise, k, alpha) <= beta * (1 + 1e-6)
    sharpest = next(a for a in range(alpha + 1) if slow_failure(noise, k, a) <= beta)
    assert alpha <= sharpest + 1 + 0.75 * float(max(scales))


@pytest.mark.parametrize("scales", SCALES)
def test_the_bound_of_the_failure_is_above_the_truth(scales):
    noise = ThresholdNoise(Fraction(scales[0]), Fraction(scales[1]))
    for alpha in range(0, 60, 3):
        for k in (1, 30):
            assert float(noise.failure(k, alpha)) >= slow_failure(noise, k, alpha) * (1 - 1e-6) - 1e-12


def test_the_textbook_is_far_above():
    ours = threshold_noise(Fraction(1), 1, 1, monotone=False, share=Fraction(1, 2)).accuracy(1000, 0.05)
    assert ours < textbook_accuracy(1000, 0.05, 1.0) / 2
    assert textbook_accuracy(1000, 0.05, 0.5) == threshold_accuracy(1000, 0.05, 0.5)
    many = textbook_accuracy(100, 0.1, 1.0, sensitivity=2, stops=3)
    assert many == pytest.approx(8 * 3 * 2 * (np.log(100) + np.log(2 * 3 / 0.1)))


def test_several_thresholds_count_several_times():
    once, thrice = ThresholdNoise(Fraction(9), Fraction(1), 1), ThresholdNoise(Fraction(9), Fraction(1), 3)
    assert once.failure(2, 40) < thrice.failure(2, 40) <= 3 * once.failure(2, 40)


def test_extreme_scales_and_chances_come_to_an_end():
    for scale in (Fraction(1, 10**9), Fraction(2**50)):
        alpha = ThresholdNoise(scale, 2 * scale).accuracy(10**12, 1e-300)
        assert alpha == 0 if scale < 1 else 2**50 < alpha < 2**62


def test_the_best_share_has_the_least_variance():
    """Among thousandths, up to one of them."""
    for moves in (1, 2, 6, 40):
        shares = np.arange(1, 1000) / 1000
        best = shares[np.argmin(shares**-2.0 + (moves / (1 - shares)) ** 2)]
        assert abs(float(best_share(moves)) - best) <= 0.0011


@pytest.mark.parametrize("beta", [0, 1, 1e-301, -0.1])
def test_chances_outside_are_refused(beta):
    with pytest.raises(ParameterError):
        ThresholdNoise(Fraction(1), Fraction(1)).accuracy(10, beta)
