"""The planar Laplace law on real numbers: recorded quantiles, and Lambert's function beside scipy's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import lambertw

from sfumato.errors import ParameterError
from sfumato.mechanism.location.planar import PlanarLaplace, epsilon_per_metre, lambert_lower


@pytest.mark.parametrize(
    ("p", "metres"), [(0.1, 76.724197), (0.5, 242.134288), (0.9, 561.168), (0.95, 684.394982), (0.99, 957.711761)]
)
def test_recorded_quantiles_of_four_within_200_metres(p, metres):
    digits = 3 if p == 0.9 else 6
    assert round(PlanarLaplace(epsilon_per_metre(4, 200)).quantile(p), digits) == metres


@pytest.mark.parametrize(("p", "metres"), [(0.5, 167.834699), (0.95, 474.386452)])
def test_recorded_quantiles_of_a_hundredth(p, metres):
    assert round(PlanarLaplace("0.01").quantile(p), 6) == metres


def test_recorded_share_within_the_radius():
    law = PlanarLaplace(epsilon_per_metre(4, 200))
    assert round(law.within(200), 7) == round(1 - (1 + math.log(4)) / 4, 7) == 0.4034264
    assert (law.within(0), law.within(-1), law.quantile(0)) == (0.0, 0.0, 0.0)


def test_quantile_and_share_are_inverse():
    law, shares = PlanarLaplace(0.01), np.linspace(0, 0.999999, 200).tolist()
    assert [law.within(law.quantile(p)) for p in shares] == pytest.approx(shares, rel=0, abs=1e-12)


@pytest.mark.parametrize("y", [-math.exp(-x) for x in (1.0000001, 1.01, 1.5, 2, 3, 5, 20, 100, 700)])
def test_the_lower_branch_is_that_of_scipy(y):
    """Near -1/e the function has the slope of a root: relative error 10⁻⁷ there, 10⁻¹⁴ elsewhere."""
    near = 1e-7 if y < -0.3678 else 1e-13
    assert lambert_lower(y) == pytest.approx(float(lambertw(y, -1).real), rel=near)


def test_the_branch_begins_at_minus_one():
    assert lambert_lower(-1 / math.e) == -1.0


def test_the_level_is_never_above_the_asked_one():
    epsilon = epsilon_per_metre(4, 200)
    assert 0 < Fraction(math.log(4)) / 200 - epsilon < Fraction(1, 10**15)


@pytest.mark.parametrize("wrong", [lambda: epsilon_per_metre(1, 200), lambda: epsilon_per_metre(4, 0), lambda: PlanarLaplace(0),
                                   lambda: PlanarLaplace(1).quantile(1), lambda: lambert_lower(0.1), lambda: lambert_lower(-0.4)])  # fmt: skip
def test_numbers_outside_are_refused(wrong):
    with pytest.raises(ParameterError):
        wrong()
