"""The classical designs for one yes-no question."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError, ReportError
from sfumato.mechanism.local import randomized_response as rr
from sfumato.testing.seeded_bits import SeededBits

DESIGNS = [
    rr.warner("0.75"),
    rr.warner("0.3"),
    rr.forced_response(truth="2/3", yes="1/6"),
    rr.forced_response(truth="1/2", yes="1/10"),
    rr.mirrored_question("0.7"),
    rr.disguised_response("0.8", "0.3"),
    rr.disguised_response("0.8"),
    rr.unrelated_question("0.6", "0.25"),
]
every_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"{d.name} {d.yes_if_yes} {d.yes_if_no}")


@pytest.mark.parametrize(
    ("design", "c", "d"),
    [
        (rr.warner("0.7"), Fraction(2, 5), Fraction(3, 10)),
        (rr.mirrored_question("0.7"), Fraction(2, 5), Fraction(3, 10)),
        (rr.disguised_response("0.7"), Fraction(2, 5), Fraction(3, 10)),
        (rr.forced_response("2/3", "1/6"), Fraction(2, 3), Fraction(1, 6)),
        (rr.unrelated_question("0.6", "0.25"), Fraction(3, 5), Fraction(1, 10)),
    ],
)
def test_slope_and_intercept_are_those_of_the_literature(design, c, d):
    assert (design.c, design.d) == (c, d)


def test_the_nigerian_survey():
    """p = 2/3, p0 = p1 = 1/6: epsilon ln 5, and 34.09 % answers yes mean 26.135 %."""
    design = rr.forced_response(truth="2/3", yes="1/6")
    assert design.epsilon == pytest.approx(math.log(5), rel=1e-15)
    assert design.estimate(3409, 10_000) == pytest.approx(0.26135)
    assert math.sqrt(design.variance(0.26135, 2423)) == pytest.approx(0.01444, abs=1e-5)


@every_design
def test_epsilon_is_the_largest_log_ratio(design):
    a, b = float(design.yes_if_yes), float(design.yes_if_no)
    assert design.epsilon == pytest.approx(max(abs(math.log(a / b)), abs(math.log((1 - a) / (1 - b)))), abs=1e-12)


@every_design
def test_estimates_are_unbiased_and_their_variance_is_true(design):
    """500 samples of 400 persons; each check fails for a right design with probability below 1e-6 (6 errors)."""
    share, n, runs = 0.3, 400, 500
    rng = np.random.default_rng(3)
    truths = (rng.random(n * runs) < share).astype(np.int64)
    answers = design.randomize(truths, bits=SeededBits(6)).reshape(runs, n)
    found = np.array([design.estimate(design.count_yes(row), n) for row in answers])
    assert abs(found.mean() - share) < 6 * found.std() / math.sqrt(runs)
    assert found.var() / design.variance(share, n) == pytest.approx(1, abs=6 * math.sqrt(2 / runs))


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 30.0, 700.0])
def test_warner_of_an_epsilon_keeps_it_exactly(epsilon):
    stated = rr.warner_of(epsilon).epsilon
    assert stated <= epsilon
    assert stated == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rr.warner("0.5"),
        lambda: rr.warner(1),
        lambda: rr.warner(0),
        lambda: rr.forced_response("2/3", 0),
        lambda: rr.forced_response("2/3", "1/3"),
        lambda: rr.forced_response("2/3", "1/2"),
        lambda: rr.forced_response(0, "1/2"),
        lambda: rr.unrelated_question(1, "1/2"),
        lambda: rr.unrelated_question("1/2", 0),
        lambda: rr.disguised_response("1/2", "1/2"),
        lambda: rr.warner(1.5),
    ],
)
def test_coins_that_prove_or_hide_everything_are_refused(make):
    with pytest.raises(ParameterError):
        make()


@pytest.mark.parametrize("values", [[2], [-1], [0.5], [True]])
def test_truths_other_than_zero_and_one_are_refused(values):
    with pytest.raises(ParameterError):
        DESIGNS[0].randomize(np.array(values), bits=SeededBits(0))


@pytest.mark.parametrize("answers", [np.array([0, 1]), [True], np.array([[True]])])
def test_answers_that_are_no_booleans_are_refused(answers):
    with pytest.raises(ReportError):
        DESIGNS[0].count_yes(answers)


@pytest.mark.parametrize(("n_yes", "n"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(n_yes, n):
    with pytest.raises(ParameterError):
        DESIGNS[0].estimate(n_yes, n)
