"""Theorems on accuracy: their numbers, where they say nothing, what was wrong, and that the rest holds in simulation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, norm

from sfumato.mechanism.central.quantiles.bounds import (
    Surroundings,
    _eta,
    _printed_eta,
    inverse_sensitivity_chance,
    least_distance,
    normal_chance,
    threshold_accuracy,
    uniform_chance,
)
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod, first_at_least_zero
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits


def test_the_printed_formulas():
    alpha = threshold_accuracy(1000, 0.05, 1 / 9)
    assert alpha == pytest.approx(72 * (math.log(1000) + math.log(40)))
    n, g, b = 10**6, 0.02, 0.05
    mu = 2 * math.exp(-n * g / 4 * (1 - 2 * alpha / (n * g)) ** 2)
    assert uniform_chance(n, g, alpha, b, as_printed=True) == pytest.approx(1 - b - mu - 2 * math.exp(-n * g * g / 12))
    d = norm.ppf(0.7)
    room = math.exp(-((d + g) ** 2) / 2) - 2 * alpha * math.sqrt(2 * math.pi) / (n * g)
    mu = 2 * math.exp(-n * g / (4 * math.sqrt(2 * math.pi)) * room**3)
    eta = _printed_eta(7, n, g)
    assert normal_chance(7, n, g, alpha, b, as_printed=True) == pytest.approx(1 - b - mu - eta)


def test_vacuous_bounds_say_nothing():
    assert uniform_chance(1000, 0.1, 51, 0.05, as_printed=True) is None
    assert uniform_chance(10**9, 0.2, 51, 0.05, as_printed=True) is None
    assert uniform_chance(10**9, 0.1, 51, 1.0, as_printed=True) is None
    for decile in range(1, 6):
        assert normal_chance(decile, 10**9, 0.01, 51, 0.05, as_printed=True) is None
        assert normal_chance(decile, 10**9, 0.01, 51, 0.05, as_printed=False) > 0.9
    assert normal_chance(9, 10**9, 0.5, 51, 0.05, as_printed=True) is None
    assert normal_chance(9, 1000, 0.1, 51, 0.05, as_printed=True) is None
    at = Surroundings(0.1, 1.0, 1.0, 0.01, 0.03)
    assert inverse_sensitivity_chance(10**6, 1.0, at, as_printed=True) is None


def test_the_printed_uniform_theorem_forgets_the_cuts():
    """One cell: the answer is always 1, whatever the data, and half the range from the median."""
    n, beta = 10**6, 0.01
    printed = uniform_chance(n, 0.1, threshold_accuracy(1, beta, 1.0), beta, as_printed=True)
    places = np.random.default_rng(1).integers(0, 1000, 10**4)
    method = HistogramMethod((Fraction(1, 2),), Fraction(1), 1000, Neighbors.REPLACE, rows=1, steps=1)
    assert printed > 0.98
    assert [int(method.decide(places, bits=SeededBits(s))[0]) for s in range(20)] == [999] * 20


def test_the_way_of_the_sample_decile_is_below_both_forms():
    """Exact binomial tails, by which the decile of the values lies farther than γ/2 from that of the law."""
    for decile in range(1, 10):
        d = norm.ppf(decile / 10)
        for gamma in np.linspace(0.02, 1.2, 15):
            for n in (50, 1000, 10**5):
                high = binom.sf(math.ceil(decile * n / 10) - 1, n, norm.cdf(d - gamma / 2))
                exact = high + binom.cdf(decile * n // 10, n, norm.cdf(d + gamma / 2))
                assert exact <= _eta(d, n, gamma) + 1e-15
                if gamma <= d:
                    assert exact <= _printed_eta(decile, n, gamma) + 1e-15


def test_the_last_printed_step_of_the_normal_theorem_does_not_follow():
    """exp(-(d + γ/2)²) was replaced by the larger exp(-d²) with only a factor of 2 in hand."""
    d, gamma = norm.ppf(0.9), 0.6
    assert 2 * math.exp(-((d + gamma / 2) ** 2)) < math.exp(-(d**2))


def test_derived_again_is_never_weaker():
    for n in (10**5, 10**6):
        for gamma in (0.02, 0.05, 0.1):
            for chance in (
                lambda p, n=n, g=gamma: uniform_chance(n, g, 100, 0.01, as_printed=p),
                lambda p, n=n, g=gamma: normal_chance(8, n, g, 100, 0.01, as_printed=p),
                lambda p, n=n, g=gamma: inverse_sensitivity_chance(
                    n, 0.1, Surroundings(g, 1.0, 1.0, 0.001, g / 4), as_printed=p
                ),
            ):
                assert (chance(False) or 0) >= (chance(True) or 0)


@pytest.mark.parametrize("monotone", [False, True])
def test_the_scan_errs_by_less_than_alpha(monotone):
    """False alarm: 1e-6, against a chance of failing of at most 0.3."""
    counts, bits, beta = np.arange(0, 100, 5), SeededBits(1), 0.3
    alpha = threshold_accuracy(len(counts), beta, 2.0, monotone=monotone) + 2
    failed, runs = 0, 500
    for _ in range(runs):
        k = first_at_least_zero(counts - 50, Fraction(1), Fraction(1 if monotone else 2), bits=bits)
        failed += not (np.all(counts[:k] < 50 + alpha) and (k == len(counts) or counts[k] > 50 - alpha))
    assert failed <= binom.isf(1e-6, runs, beta)


@pytest.mark.parametrize("law", ["uniform", "normal"])
def test_histogram_method_keeps_the_bound(law):
    """False alarm: 1e-6, against a chance of failing of at most 0.1."""
    n, level, steps, size = 20_000, 0.9, 500, 10**6 + 1
    alpha = threshold_accuracy(steps, 0.05, 4.0) + 2
    width, d = (1.0, 0.7) if law == "uniform" else (20.0, norm.ppf(0.7))

    def chance(gamma):
        if law == "uniform":
            return uniform_chance(n, gamma, alpha, 0.05, as_printed=False)
        return normal_chance(7, n, gamma, alpha, 0.05, as_printed=False)

    distance = least_distance(chance, level, 1e-3, 0.1) + width / steps
    method = HistogramMethod(
        (Fraction(7, 10),), Fraction(4), size, Neighbors.REPLACE, rows=1, steps=steps, monotone=False
    )
    rng, bits, failed = np.random.default_rng(1), SeededBits(2), 0
    for _ in range(50):
        x = rng.random(n) if law == "uniform" else np.clip(rng.normal(size=n), -10, 10) + 10
        place = method.decide((x / width * (size - 1)).astype(np.int64), bits=bits)[0]
        failed += abs(place / (size - 1) * width - (0 if law == "uniform" else 10) - d) > distance
    assert failed <= binom.isf(1e-6, 50, 1 - level)


def test_inverse_sensitivity_keeps_the_bound():
    """False alarm: 1e-6, against a chance of failing of at most 0.1."""
    n, size, gamma, rho = 5000, 10**6, 0.1, 0.002

    def chance(u):
        return inverse_sensitivity_chance(n, 1.0, Surroundings(gamma, 1.0, 1.0, rho, u), as_printed=False)

    u = least_distance(chance, 0.9, 1e-4, gamma / 4)
    method = InverseSensitivity(
        (Fraction(1, 2),), Fraction(1), size, Neighbors.REPLACE, rows=1, smoothing=int(rho * size)
    )
    rng, bits, failed = np.random.default_rng(1), SeededBits(2), 0
    for _ in range(50):
        places = rng.integers(0, size, n)
        miss = abs(int(method.decide(places, bits=bits)[0]) - int(true_quantiles(places, method.quantiles)[0]))
        failed += miss / size > 2 * u + rho
    assert failed <= binom.isf(1e-6, 50, 0.1)


def test_the_least_distance_is_the_least():
    assert least_distance(lambda g: 1 - math.exp(-g), 0.5, 1e-3, 10) == pytest.approx(math.log(2))
    assert least_distance(lambda g: 1.0, 0.5, 0.25, 10) == 0.25
