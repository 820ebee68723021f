"""What every numeric mechanism must do. A new one is added to MAKERS and to `exact_law`."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError, ReportError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.numeric import noise_table
from sfumato.mechanism.local.numeric.base import NumericMechanism, from_bytes, publish, to_bytes
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.estimate import estimate_mean
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace, ScaledLaplace, laplace_weights
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.numeric.window import Window
from sfumato.testing.seeded_bits import SeededBits

PROMISED = [BoundedLaplace, CalibratedStaircase, Piecewise, SquareWave, Duchi, Hybrid]
"""Mechanisms that keep the epsilon that is asked."""


def _scaled(grid, epsilon):
    return ScaledLaplace(grid, epsilon, sensitivity=(grid.high - grid.low) / 2)


MAKERS = [*PROMISED, NaiveStaircase, _scaled]
EPSILONS = [1e-6, 0.1, 1.0, 5.0, 20.0, 300.0]


def exact_law(mechanism):
    """The matrix of Fractions, from the weights and coins that are sampled."""
    if isinstance(mechanism, Hybrid):
        if not mechanism.alpha:
            return exact_law(mechanism.duchi)
        share = Fraction(mechanism.alpha)
        pairs = zip(exact_law(mechanism.piecewise), exact_law(mechanism.duchi), strict=True)
        return [[share * p for p in left] + [(1 - share) * p for p in right] for left, right in pairs]
    if isinstance(mechanism, Duchi):
        noise, steps = mechanism.coin.noise, mechanism.grid.steps
        ups = [noise + (1 - 2 * noise) * Fraction(i, steps) for i in range(steps + 1)]
        return [[1 - up, up] for up in ups]
    if isinstance(mechanism, Piecewise | SquareWave):
        return _window_law(mechanism.window)
    weights, points = mechanism.weights.tolist(), range(mechanism.grid.steps + 1)
    rows = [[Fraction(weights[abs(j - i)]) for j in points] for i in points]
    return [[entry / sum(row) for entry in row] for row in rows]


def _window_law(window: Window):
    near, far = window.coin.truth / window.width, window.coin.noise / window.steps
    cells = range(window.n_outputs)
    return [[near if i <= j < i + window.width else far for j in cells] for i in range(window.steps + 1)]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("steps", [1, 2, 13])
def test_the_stated_epsilon_is_that_of_the_probabilities_sampled(make, epsilon, steps):
    mechanism = make(Grid(-1.0, 3.0, steps), epsilon)
    assert mechanism.epsilon == epsilon_of_matrix(exact_law(mechanism))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("make", PROMISED)
@pytest.mark.parametrize("steps", [1, 2, 13, 100])
def test_the_stated_epsilon_is_not_above_the_asked_one(make, epsilon, steps):
    assert 0 < make(Grid(-1.0, 3.0, steps), epsilon).epsilon <= epsilon


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("make", MAKERS)
def test_the_matrix_is_that_of_the_probabilities_sampled(make, epsilon):
    mechanism = make(Grid(-1.0, 3.0, 13), epsilon)
    exact = np.array([[float(p) for p in row] for row in exact_law(mechanism)])
    found = mechanism.matrix()
    if isinstance(mechanism, Hybrid) and not mechanism.alpha:
        assert not found[:, :-2].any()
        found = found[:, -2:]
    assert np.allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize("make", MAKERS)
def test_every_report_is_possible_from_every_value(make):
    mechanism = make(Grid(0.0, 1.0, 6), 300.0)
    matrix = mechanism.matrix()
    assert np.all((matrix > 0).all(axis=0) | ~matrix.any(axis=0))


@pytest.mark.parametrize("make", MAKERS)
def test_all_values_publish_numbers_of_one_finite_set(make):
    """No low digit of a published number can tell values apart: all lie in `outputs`, whatever the value."""
    mechanism = make(Grid(0.1, 0.7, 16), 1.0)
    values = np.array([0.1, 0.1 + 1e-12, 1 / 3, 0.5, np.nextafter(0.7, 0), 0.7])
    for i, value in enumerate(values):
        reports = mechanism.randomize(np.full(300, value), bits=SeededBits(i))
        assert set(publish(mechanism, reports).tolist()) <= set(mechanism.outputs().tolist())


@pytest.mark.parametrize("make", [BoundedLaplace, Piecewise, SquareWave, Duchi, Hybrid, _scaled])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0])
def test_decoded_reports_have_the_mean_of_the_value(make, epsilon):
    mechanism = make(Grid(-5.0, 11.0, 13), epsilon)
    assert mechanism.matrix() @ mechanism.decode() == pytest.approx(mechanism.grid.points(), abs=1e-7)


@pytest.mark.parametrize("make", MAKERS)
def test_reports_survive_the_wire(make):
    mechanism = make(Grid(0.0, 1.0, 20), 1.0)
    reports = mechanism.randomize(np.linspace(0, 1, 101), bits=SeededBits(1))
    assert from_bytes(mechanism, to_bytes(mechanism, reports)).tolist() == reports.tolist()


@pytest.mark.parametrize("make", MAKERS)
def test_a_server_with_another_epsilon_refuses_the_bytes(make):
    client, server = (make(Grid(0.0, 1.0, 20), epsilon) for epsilon in (1.0, 1.25))
    reports = client.randomize(np.array([0.5]), bits=SeededBits(1))
    with pytest.raises(ReportError):
        from_bytes(server, to_bytes(client, reports))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("bad", [0, -1.0, np.inf, np.nan, 800, "1", None, True])
def test_an_epsilon_outside_its_range_is_refused(make, bad):
    with pytest.raises(ParameterError):
        make(Grid(0.0, 1.0, 4), bad)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -0.001, 1.001])
def test_a_value_that_cannot_be_is_refused_before_any_bit_is_drawn(make, bad):
    class NoBits:
        is_secure = True

        def words(self, n):
            raise AssertionError

    with pytest.raises(ParameterError) as caught:
        make(Grid(0.0, 1.0, 4), 1.0).randomize(np.array([0.5, bad]), bits=NoBits())
    assert str(bad) not in str(caught.value)


@pytest.mark.parametrize("make", MAKERS)
def test_no_persons_make_no_reports(make):
    mechanism = make(Grid(0.0, 1.0, 4), 1.0)
    assert mechanism.randomize(np.array([]), bits=SeededBits(1)).tolist() == []
    with pytest.raises((ReportError, ParameterError)):
        estimate_mean(mechanism, np.array([], np.int64))


@pytest.mark.parametrize("make", MAKERS)
def test_it_is_frozen_and_fits_the_joint(make):
    mechanism = make(Grid(0.0, 1.0, 4), 1.0)
    assert isinstance(mechanism, NumericMechanism)
    assert mechanism.guarantee().parameters["epsilon"] == mechanism.epsilon
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.epsilon = 9.0


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_bits_make_the_same_reports(make):
    mechanism = make(Grid(0.0, 1.0, 8), 1.0)
    values = np.linspace(0, 1, 50)
    first, second = (mechanism.randomize(values, bits=SeededBits(7)) for _ in range(2))
    assert first.tolist() == second.tolist()


def test_a_twin_with_half_the_noise_is_caught_by_enumeration():
    honest = BoundedLaplace(Grid(0.0, 1.0, 8), 1.0)
    twin = BoundedLaplace(Grid(0.0, 1.0, 8), 1.0)
    object.__setattr__(twin, "weights", laplace_weights(8, 2.0))
    assert epsilon_of_matrix(exact_law(honest)) <= honest.epsilon
    assert epsilon_of_matrix(exact_law(twin)) > 1.99 > twin.epsilon


def test_a_twin_that_forgets_the_redrawing_is_caught_by_enumeration():
    """The naive staircase, stated at its nominal epsilon."""
    naive = NaiveStaircase(Grid(0.0, 1.0, 64), 1.0)
    assert epsilon_of_matrix(exact_law(naive)) > 1.3
    assert noise_table.exact_epsilon(naive.weights) == epsilon_of_matrix(exact_law(naive))
