import math

import numpy as np
import pytest

from sfumato.mechanism.local.numeric.estimate import point_variance, worst_variance
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.piecewise import Piecewise


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_its_variance_on_a_fine_grid_is_that_of_the_paper(epsilon):
    """x²/(e^(ε/2)-1) + (e^(ε/2)+3)/(3(e^(ε/2)-1)²), Wang et al. 2019, equation 6."""
    grid = Grid(-1.0, 1.0, steps=2048)
    gap = math.exp(epsilon / 2) - 1
    paper = grid.points() ** 2 / gap + (gap + 4) / (3 * gap**2)
    assert np.allclose(point_variance(Piecewise(grid, epsilon)), paper, rtol=3e-3)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_its_largest_variance_is_at_the_bounds(epsilon):
    mechanism = Piecewise(Grid(-1.0, 1.0, steps=512), epsilon)
    assert worst_variance(mechanism) == pytest.approx(point_variance(mechanism)[-1], rel=1e-6)
    assert worst_variance(mechanism) == pytest.approx(
        4 * math.exp(epsilon / 2) / (3 * (math.exp(epsilon / 2) - 1) ** 2), rel=5e-3
    )


def test_its_outputs_reach_beyond_the_bounds_as_far_as_the_paper_says():
    outputs = Piecewise(Grid(-1.0, 1.0, steps=4096), 1.0).outputs()
    reach = (math.exp(0.5) + 1) / (math.exp(0.5) - 1)
    assert (outputs[0], outputs[-1]) == pytest.approx((-reach, reach), rel=1e-3)


def test_a_large_epsilon_on_few_steps_has_a_window_of_one_cell():
    assert Piecewise(Grid(0.0, 1.0, steps=8), 30.0).window.width == 1
