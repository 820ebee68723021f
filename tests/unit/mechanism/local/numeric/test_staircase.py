import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.staircase import (
    CalibratedStaircase,
    NaiveStaircase,
    amplitude_gamma,
    staircase_leak,
    variance_gamma,
)

LEAKS = [(0.5, 0.706), (1.0, 1.349), (2.0, 2.520), (5.0, 5.671)]
"""What the loop of the seed leaks at each nominal epsilon, to three digits."""


@pytest.mark.parametrize(("nominal", "leak"), LEAKS)
def test_the_naive_loop_leaks_more_than_it_says(nominal, leak):
    assert staircase_leak(nominal, variance_gamma(nominal)) == pytest.approx(leak, abs=0.6e-3)


@pytest.mark.parametrize(("nominal", "leak"), LEAKS)
def test_the_leak_on_a_fine_grid_is_that_of_real_numbers(nominal, leak):
    real = staircase_leak(nominal, variance_gamma(nominal))
    coarse, fine = (abs(NaiveStaircase(Grid(0.0, 1.0, steps), nominal).epsilon - real) for steps in (512, 2048))
    assert fine < coarse / 3
    assert fine < 2e-3
    assert real == pytest.approx(leak, abs=0.6e-3)


@given(st.floats(0.01, 8), st.sampled_from([16, 33, 64]), st.sampled_from([None, 0.3, 0.5]))
def test_the_calibrated_loop_leaks_what_was_asked_and_never_more(epsilon, steps, gamma):
    mechanism = CalibratedStaircase(Grid(0.0, 1.0, steps), epsilon, gamma)
    saturated = mechanism.nominal == epsilon
    assert mechanism.epsilon <= epsilon
    assert saturated or mechanism.epsilon >= epsilon * (1 - 1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 5.0])
def test_the_naive_loop_at_the_calibrated_nominal_leaks_what_was_asked(epsilon):
    grid = Grid(0.0, 1.0, 128)
    calibrated = CalibratedStaircase(grid, epsilon)
    naive = NaiveStaircase(grid, calibrated.nominal)
    assert naive.epsilon == calibrated.epsilon
    assert np.array_equal(naive.matrix(), calibrated.matrix())


@given(st.floats(0.05, 20))
def test_the_closed_form_of_the_paper_equals_ours(epsilon):
    b = math.exp(-epsilon)
    paper = -b / (1 - b) + (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (2 ** (1 / 3) * (1 - b) ** 2)
    assert variance_gamma(epsilon) == pytest.approx(paper, rel=1e-6)


@given(st.floats(1e-9, 700))
def test_the_first_step_is_at_most_half_the_sensitivity(epsilon):
    assert 0 < variance_gamma(epsilon) <= 0.5
    assert 0 < amplitude_gamma(epsilon) <= 0.5


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_unbounded_noise_of_least_amplitude_has_the_mean_of_the_paper(epsilon):
    """E|noise| = Δ e^(ε/2)/(e^ε - 1), here by integration of the density."""
    gamma, b = amplitude_gamma(epsilon), math.exp(-epsilon)
    k = np.arange(200)
    first = ((k + gamma) ** 2 - k**2) / 2 * b**k
    second = ((k + 1) ** 2 - (k + gamma) ** 2) / 2 * b ** (k + 1)
    mass = gamma * b**k + (1 - gamma) * b ** (k + 1)
    paper = math.exp(epsilon / 2) / math.expm1(epsilon)
    assert (first + second).sum() / mass.sum() == pytest.approx(paper, rel=1e-9)


@pytest.mark.parametrize("gamma", [0, -0.1, 0.6, math.nan, "x", True])
@pytest.mark.parametrize("kind", [NaiveStaircase, CalibratedStaircase])
def test_a_step_outside_its_range_is_refused(kind, gamma):
    with pytest.raises(ParameterError, match="gamma"):
        kind(Grid(0.0, 1.0, 4), 1.0, gamma)


def test_beyond_a_few_steps_its_reports_determine_no_mean():
    grid = Grid(0.0, 1.0, 2)
    few = CalibratedStaircase(grid, 1.0)
    assert few.matrix() @ few.decode() == pytest.approx(grid.points())
    with pytest.raises(ParameterError, match="do not determine"):
        CalibratedStaircase(Grid(0.0, 1.0, 16), 1.0).decode()
