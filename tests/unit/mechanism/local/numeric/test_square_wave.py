import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.square_wave import SquareWave, half_width


@given(st.floats(0.05, 30))
def test_the_half_width_is_the_formula_of_the_paper(epsilon):
    e = math.exp(epsilon)
    assert half_width(epsilon) == pytest.approx((epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon)), rel=1e-6)


@given(st.floats(1e-9, 700))
def test_the_half_width_lies_between_nothing_and_half(epsilon):
    assert 0 < half_width(epsilon) <= 0.5 + 1e-6


def test_the_half_width_shrinks_as_epsilon_grows():
    found = [half_width(e) for e in (1e-8, 1e-3, 0.1, 1, 5, 50, 700)]
    assert found == sorted(found, reverse=True)


def test_reports_lie_symmetrically_around_the_bounds():
    outputs = SquareWave(Grid(10.0, 20.0, steps=100), 1.0).outputs()
    reach = 10 * half_width(1.0)
    assert outputs[0] - 10 == pytest.approx(20 - outputs[-1], abs=1e-9)
    assert outputs[0] == pytest.approx(10 - reach, abs=0.1)
