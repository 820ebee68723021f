import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.summary import uniqueness
from sfumato.summary.uniqueness import dankar, estimate_uniqueness, every_estimate, pitman, shlosser, snb, zayatz

SIZES = np.repeat([1, 2, 3, 5, 9, 40], [60, 12, 5, 3, 2, 1])


def hypergeometric(population, marked, drawn):
    """P(exactly one marked person among those drawn)."""
    if population - marked < drawn - 1:
        return 0.0
    return marked * math.comb(population - marked, drawn - 1) / math.comb(population, drawn)


@pytest.mark.parametrize("population", [172, 180, 500, 5000])
def test_zayatz_is_its_formula(population):
    sizes, counts = np.unique(SIZES, return_counts=True)
    n, n_unique = int(SIZES.sum()), int(counts[0])
    weights = [c * hypergeometric(population, int(s), n) for s, c in zip(sizes, counts, strict=True)]
    expected = n_unique / (n / population) * weights[0] / sum(weights) / population
    assert zayatz(SIZES, population) == pytest.approx(expected, rel=1e-10)


def test_pitman_maximizes_the_likelihood_of_the_class_sizes():
    """Neighbours of the fitted parameters are less likely under the Pitman sampling formula."""
    from sfumato.summary.uniqueness import _fit_pitman

    def log_likelihood(theta, alpha):
        n, k = int(SIZES.sum()), len(SIZES)
        new = sum(math.log(theta + i * alpha) for i in range(1, k)) - sum(math.log(theta + i) for i in range(1, n))
        return new + sum(math.lgamma(s - alpha) - math.lgamma(1 - alpha) for s in SIZES)

    theta, alpha = _fit_pitman(SIZES)
    best = log_likelihood(theta, alpha)
    for step in (1e-3, -1e-3):
        assert log_likelihood(theta * (1 + step), alpha) < best
        assert log_likelihood(theta, alpha + step) < best


def test_pitman_counts_the_uniques_that_its_model_expects():
    from sfumato.summary.uniqueness import _fit_pitman

    theta, alpha = _fit_pitman(SIZES)
    expected = math.gamma(theta + 1) / math.gamma(theta + alpha) * 500 ** (alpha - 1)
    assert pitman(SIZES, 500) == pytest.approx(expected, rel=1e-12)


def test_snb_solves_both_moment_equations():
    """The fitted population shows the observed numbers of uniques and pairs in a sample, on average."""
    population, n = 1000, int(SIZES.sum())
    pi = n / population
    share = snb(SIZES, population)
    classes = shlosser(SIZES, pi)
    grid = np.geomspace(1e-6, 0.999999, 200_001)
    # the estimate gives beta^alpha; beta is where the expected pairs fit as well
    power = share * population / classes
    alpha = np.log(power) / np.log(grid)
    x = (1 - pi) * (1 - grid)
    seen = (grid / (1 - x)) ** alpha
    uniques = classes * pi * seen * (1 + alpha * x / (1 - x))
    pairs = classes * pi**2 * alpha * (1 - grid) * seen * (2 - (1 - alpha) * x) / (2 * (1 - x) ** 2)
    error = np.abs(uniques / 60 - 1) + np.abs(pairs / 12 - 1)
    assert error.min() < 1e-3


def test_snb_recovers_the_uniqueness_of_a_population_of_its_own_model():
    rng = np.random.default_rng(5)
    population = 1 + rng.negative_binomial(0.5, 0.3, size=20_000)
    seen = rng.binomial(population, 0.3)
    truth = (population == 1).sum() / population.sum()
    estimated = snb(seen[seen > 0], int(population.sum()))
    assert estimated == pytest.approx(truth, rel=0.1)


def test_pitman_has_no_solution_where_sizes_are_too_even():
    assert pitman(np.repeat([1, 2, 3, 4], [40, 15, 8, 4]), 1000) is None


def test_snb_has_no_solution_without_pairs():
    assert snb(np.array([1, 1, 5]), 100) is None


def test_dankar_takes_pitman_for_small_samples_and_the_lesser_of_the_others_for_large_ones():
    n = int(SIZES.sum())
    assert dankar(SIZES, 10 * n) == pitman(SIZES, 10 * n)
    assert dankar(SIZES, 5 * n) == min(zayatz(SIZES, 5 * n), snb(SIZES, 5 * n))


@pytest.mark.parametrize("estimator", ["pitman", "zayatz", "snb", "dankar"])
def test_estimates_are_shares_or_absent(estimator):
    for population in (int(SIZES.sum()), 200, 10**4, 10**9):
        share = estimate_uniqueness(SIZES, population, estimator)
        assert share is None or 0 <= share <= 1


def test_a_table_of_uniques_comes_from_a_population_of_uniques():
    ones = np.ones(50, np.int64)
    assert zayatz(ones, 1000) == pytest.approx(1)
    assert pitman(ones, 1000) == 1


def test_no_unique_in_the_sample_means_none_in_the_population():
    for estimate in (zayatz, pitman, snb, dankar):
        assert estimate(np.array([2, 3]), 100) == 0


def test_a_population_smaller_than_the_sample_is_refused():
    with pytest.raises(ParameterError):
        estimate_uniqueness(SIZES, 10, "zayatz")


@pytest.mark.parametrize(("pi", "truth"), [(0.01, 0.2047), (0.1, 0.2500), (0.2, 0.3195), (0.5, 0.4270)])
def test_snb_of_adult_is_what_the_right_equations_give(shared, pi, truth):
    from tests.golden import adult

    sizes = adult.classes(shared).persons
    assert snb(sizes, round(30_162 / pi)) == pytest.approx(truth, abs=5e-5)


@pytest.mark.parametrize("sampled", [0.05, 0.5])
def test_all_estimates_are_each_of_them_and_pitmans_is_fitted_once(monkeypatch, sampled):
    population, fits, fit = int(SIZES.sum() / sampled), [], uniqueness._fit_pitman
    one_by_one = {name: estimate_uniqueness(SIZES, population, name) for name in ("zayatz", "pitman", "snb", "dankar")}
    monkeypatch.setattr(uniqueness, "_fit_pitman", lambda sizes: fits.append(sizes) or fit(sizes))
    assert every_estimate(SIZES, population) == one_by_one
    assert len(fits) == 1
