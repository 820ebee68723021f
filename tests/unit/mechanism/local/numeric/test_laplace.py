import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace, ScaledLaplace


@given(st.floats(0.01, 12), st.integers(1, 40))
def test_redrawing_laplace_noise_of_full_width_leaks_what_was_asked(epsilon, steps):
    mechanism = BoundedLaplace(Grid(0.0, 1.0, steps), epsilon)
    assert epsilon * (1 - 1e-7) <= mechanism.epsilon <= epsilon


@pytest.mark.parametrize(("nominal", "limit"), [(0.5, 0.83), (1.0, 1.49), (2.0, 2.62)])
def test_two_values_a_tenth_of_the_width_apart_leak_more_than_nominal(nominal, limit):
    """Δ = 0.1 of the width: .5 leaks .83, 1 leaks 1.49, 2 leaks 2.62 (limit ln(2e^ε - 1))."""
    matrix = ScaledLaplace(Grid(0.0, 1.0, 1000), nominal, sensitivity=0.1).matrix()
    ratio = np.log(matrix[:-100] / matrix[100:])
    assert round(float(np.abs(ratio).max()), 2) == pytest.approx(limit, abs=0.011)
    assert np.abs(ratio).max() < math.log(2 * math.exp(nominal) - 1)


def test_the_true_epsilon_of_a_smaller_sensitivity_counts_all_pairs():
    assert ScaledLaplace(Grid(0.0, 1.0, 100), 1.0, sensitivity=0.25).epsilon == pytest.approx(4.0, abs=1e-9)


@pytest.mark.parametrize("sensitivity", [0, -1, 1.5, math.inf, math.nan])
def test_a_sensitivity_outside_its_range_is_refused(sensitivity):
    with pytest.raises(ParameterError):
        ScaledLaplace(Grid(0.0, 1.0, 4), 1.0, sensitivity)


def test_a_sensitivity_that_leaks_beyond_all_bounds_is_refused():
    with pytest.raises(ParameterError):
        ScaledLaplace(Grid(0.0, 1.0, 4), 10.0, sensitivity=0.001)


def test_its_law_is_that_of_the_density_cut_at_the_bounds():
    matrix = BoundedLaplace(Grid(0.0, 1.0, 8), 2.0).matrix()
    at = np.arange(9) / 8
    twin = np.exp(-2 * np.abs(at[:, None] - at))
    assert np.allclose(matrix, twin / twin.sum(1, keepdims=True), rtol=1e-9)


def test_its_unbiased_table_grows_with_the_steps():
    from sfumato.mechanism.local.numeric.estimate import worst_variance

    few, many = (worst_variance(BoundedLaplace(Grid(0.0, 1.0, m), 1.0)) for m in (64, 256))
    assert many == pytest.approx(256 / 5, rel=0.2)
    assert few == pytest.approx(64 / 5, rel=0.25)
