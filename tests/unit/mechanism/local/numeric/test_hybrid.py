import math

import numpy as np
import pytest

from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.estimate import point_variance, worst_variance
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid, turning_point
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.7, 1.0, 1.29, 2.0, 4.0, 8.0])
def test_it_is_never_worse_than_either_part(epsilon):
    grid = Grid(-1.0, 1.0, steps=512)
    best = min(worst_variance(Piecewise(grid, epsilon)), worst_variance(Duchi(grid, epsilon)))
    assert worst_variance(Hybrid(grid, epsilon)) <= best * (1 + 1e-3)


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_its_variance_is_the_same_for_all_values(epsilon):
    """Wang et al. 2019, equation 8: above ε*, (e^(ε/2)+3)/(3e^(ε/2)(e^(ε/2)-1)) + (e^ε+1)²/(e^(ε/2)(e^ε-1)²)."""
    root, power = math.exp(epsilon / 2), math.exp(epsilon)
    paper = (root + 3) / (3 * root * (root - 1)) + (power + 1) ** 2 / (root * (power - 1) ** 2)
    assert np.allclose(point_variance(Hybrid(Grid(-1.0, 1.0, steps=2048), epsilon)), paper, rtol=5e-3)


def test_below_the_turning_point_only_the_bit_is_reported():
    mechanism = Hybrid(Grid(0.0, 1.0, steps=16), turning_point() * 0.99)
    reports = mechanism.randomize(np.linspace(0, 1, 500), bits=SeededBits(1))
    assert reports.min() >= mechanism.piecewise.n_outputs
