"""Gaussian naive Bayes on noised Pima columns against accuracies measured elsewhere on the same protocol.

Ten-fold cross-validation, ε per column, Δ = the range in the table, learned from noised and tested on
original rows: clean .755, majority .651, bounded Laplace .694 at ε = 5 and .727 at 10, every mechanism
within .646 to .657 at ε <= 2. The reference has 10 noise draws; its own spread between draws is about .01.
"""

import numpy as np
import pytest

from sfumato.mechanism.local.numeric.base import publish
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.testing.seeded_bits import SeededBits
from sfumato.utility.noisy_learning import Protocol, noisy_learning

KINDS = {
    "Laplace": BoundedLaplace,
    "naive staircase": NaiveStaircase,
    "calibrated staircase": CalibratedStaircase,
    "piecewise": Piecewise,
}


@pytest.fixture(scope="module")
def found(shared):
    table = np.loadtxt(shared / "data" / "pima_diabetes" / "diabetes.csv", delimiter=",", skiprows=1)
    features, labels = table[:, :8], table[:, 8].astype(np.int64)
    low, width = features.min(axis=0), np.ptp(features, axis=0)
    bits = SeededBits(1)

    def by(kind):
        def at(epsilon):
            mechanism = kind(Grid(0.0, 1.0, steps=256), epsilon)

            def noise(x, y):
                reports = mechanism.randomize(((x - low) / width).ravel(), bits=bits)
                return low + width * publish(mechanism, reports).reshape(x.shape), y

            return noise

        return at

    rows = noisy_learning(
        features,
        labels,
        {name: by(kind) for name, kind in KINDS.items()},
        [0.01, 1.0, 5.0, 10.0],
        Protocol(repetitions=30),
        rng=np.random.default_rng(1),
    )
    return {(row.mechanism, row.epsilon): row for row in rows}


def test_the_baselines_are_those_measured(found):
    assert found["majority", None].accuracy == pytest.approx(0.651, abs=5e-4)
    assert found["none", None].accuracy == pytest.approx(0.755, abs=4e-3)


@pytest.mark.parametrize(("epsilon", "accuracy"), [(5.0, 0.694), (10.0, 0.727)])
def test_bounded_laplace_is_as_useful_as_measured(found, epsilon, accuracy):
    """Within 0.012: three standard errors of the reference's ten draws and of our thirty."""
    assert found["Laplace", epsilon].accuracy == pytest.approx(accuracy, abs=0.012)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_below_two_nothing_is_learned(found, name, epsilon):
    assert 0.64 < found[name, epsilon].accuracy < 0.66


def test_part_of_the_lead_of_the_naive_staircase_is_privacy_that_it_does_not_keep(found):
    naive, calibrated, laplace = (found[name, 5.0] for name in ("naive staircase", "calibrated staircase", "Laplace"))
    assert naive.accuracy > calibrated.accuracy > laplace.accuracy
    assert naive.f1 > calibrated.f1 > laplace.f1


def test_at_equal_true_epsilon_the_piecewise_mechanism_teaches_best(found):
    others = [found[name, 5.0].accuracy for name in ("Laplace", "calibrated staircase")]
    assert found["piecewise", 5.0].accuracy > max(others)
