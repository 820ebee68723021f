"""Regression on randomized answers: the published design and figures, and simulated persons.

The survey itself (Nigeria, 2,457 answers) is not among the shared data; its design (p = 2/3, p0 = p1 = 1/6,
n = 2,423), its published coefficients and its prevalence are used, and answers are simulated from them.
"""

import numpy as np
import pytest

from sfumato.errors import NoSolution, ParameterError
from sfumato.utility.randomized_regression import AnswerLaw, fit, predict, prevalence

pytest.importorskip("scipy")

FORCED = AnswerLaw(2 / 3, 1 / 6)
PUBLISHED = np.array([-0.34017, 0.07896, -0.26743, -0.35283, 0.04099, -0.00691, -0.55439])
PUBLISHED_ERRORS = np.array([0.50856, 0.04136, 0.25451, 0.26423, 0.02603, 0.04558, 0.16244])


def persons(n, rng):
    """Columns like the survey's: intercept, assets, married, age/10, its square, education, female."""
    age = rng.uniform(1.8, 7.5, n)
    return np.column_stack(
        [
            np.ones(n),
            rng.integers(0, 7, n),
            rng.random(n) < 0.6,
            age,
            age**2,
            rng.integers(0, 10, n),
            rng.random(n) < 0.5,
        ]
    ).astype(float)


def answer(x, beta, coin, rng):
    share = 1 / (1 + np.exp(-x @ beta))
    return rng.random(len(x)) < coin.c * share + coin.d


def test_the_published_prevalence_of_nigeria():
    """λ = .3409 gives (.3409 - 1/6)/(2/3) = .26135 with standard error .01444."""
    found = prevalence(826, 2423, FORCED)
    assert found.share == pytest.approx(0.26135, abs=5e-5)
    assert found.standard_error == pytest.approx(0.01444, abs=5e-6)


def test_estimates_of_simulated_surveys_scatter_as_their_standard_errors_say():
    """40 surveys of 2,423 persons with the published coefficients: standardized errors have mean 0 and variance 1.

    Means of 40: |z| < 6/√40; sums of 40 squares within what chi-square leaves except 1e-6 (8.5 … 104).
    """
    rng = np.random.default_rng(2423)
    z = []
    for _ in range(40):
        x = persons(2423, rng)
        found = fit(answer(x, PUBLISHED, FORCED, rng), x, FORCED)
        z.append((found.coefficients - PUBLISHED) / found.standard_errors)
    z = np.array(z)
    assert np.all(np.abs(z.mean(axis=0)) < 6 / np.sqrt(40))
    assert np.all((z**2).sum(axis=0) < 104)
    assert np.all((z**2).sum(axis=0) > 8.5)


def test_standard_errors_are_of_the_published_size():
    """The same design and n with like columns: within a factor 2 of the published errors."""
    rng = np.random.default_rng(7)
    x = persons(2423, rng)
    found = fit(answer(x, PUBLISHED, FORCED, rng), x, FORCED)
    assert np.all(found.standard_errors < 2 * PUBLISHED_ERRORS)
    assert np.all(found.standard_errors > PUBLISHED_ERRORS / 2)


def test_an_intercept_alone_is_the_prevalence():
    y = np.arange(1000) < 350
    found, share = fit(y, np.ones((1000, 1)), FORCED), prevalence(350, 1000, FORCED)
    assert predict(found, np.ones((1, 1)))[0] == pytest.approx(share.share, abs=1e-7)
    slope = share.share * (1 - share.share)
    assert found.standard_errors[0] * slope == pytest.approx(share.standard_error, rel=1e-5)


def test_honest_answers_give_ordinary_logistic_regression():
    """c = 1, d = 0 against scikit-learn without a penalty."""
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    x = persons(3000, rng)
    y = answer(x, PUBLISHED, AnswerLaw(1, 0), rng)
    theirs = linear.LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000).fit(x, y)
    assert fit(y, x, AnswerLaw(1, 0)).coefficients == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_a_mirrored_question_below_one_half_turns_the_answers():
    """c < 0: yes is the answer of those without the trait."""
    rng = np.random.default_rng(5)
    x = np.column_stack([np.ones(100_000), rng.random(100_000)])
    found = fit(answer(x, np.array([-1.0, 2.0]), AnswerLaw(-0.6, 0.8), rng), x, AnswerLaw(-0.6, 0.8))
    assert found.coefficients == pytest.approx([-1.0, 2.0], abs=6 * found.standard_errors.max())


def test_the_scale_of_a_column_does_not_matter():
    rng = np.random.default_rng(6)
    x = persons(3000, rng)
    y = answer(x, PUBLISHED, FORCED, rng)
    scales = 10.0 ** np.array([0, 3, 0, -3, 2, 0, 0])
    one, two = fit(y, x, FORCED), fit(y, x * scales, FORCED)
    assert two.coefficients * scales == pytest.approx(one.coefficients, abs=1e-5)
    assert two.standard_errors * scales == pytest.approx(one.standard_errors, rel=1e-4)
    assert two.log_likelihood == pytest.approx(one.log_likelihood)


def test_answers_that_separate_have_no_maximum():
    x = np.column_stack([np.ones(100), np.arange(100) >= 50])
    with pytest.raises(NoSolution, match="maximum"):
        fit(np.arange(100) >= 50, x, FORCED)


@pytest.mark.parametrize(
    "call",
    [
        lambda: AnswerLaw(0, 0.5),
        lambda: AnswerLaw(0.8, 0.3),
        lambda: prevalence(3, 2, FORCED),
        lambda: fit(np.array([1, 0]), np.ones((2, 1)), FORCED),
        lambda: fit(np.array([True, False]), np.ones((3, 1)), FORCED),
        lambda: fit(np.array([True, False]), np.ones((2, 2)), FORCED),
        lambda: fit(np.array([True, False]), np.array([[1.0], [np.nan]]), FORCED),
    ],
)
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ParameterError, match="Remedy"):
        call()
