import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.grid import MOST_STEPS, Grid
from sfumato.testing.seeded_bits import SeededBits


def test_points_start_at_low_and_end_at_high_exactly():
    points = Grid(0.1, 0.7, steps=7).points()
    assert (points[0], points[-1], len(points)) == (0.1, 0.7, 8)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (1.0, 1.0),
        (2.0, 1.0),
        (np.nan, 1.0),
        (0.0, np.inf),
        (-np.inf, 0.0),
        (-1e308, 1e308),
        ("0", 1.0),
        (True, 2.0),
        (None, 1.0),
    ],
)
def test_bounds_that_are_no_interval_are_refused(low, high):
    with pytest.raises(ParameterError, match="finite with low < high"):
        Grid(low, high, steps=4)


@pytest.mark.parametrize("steps", [0, -1, MOST_STEPS + 1, 2.0, True, "4"])
def test_steps_outside_their_range_are_refused(steps):
    with pytest.raises(ParameterError, match="steps"):
        Grid(0.0, 1.0, steps=steps)


def test_points_that_floats_cannot_tell_apart_are_refused():
    with pytest.raises(ParameterError, match="apart"):
        Grid(1e16, 1e16 + 4, steps=64)


def test_an_unknown_way_with_values_outside_is_refused():
    with pytest.raises(ParameterError, match="refuse or clamp"):
        Grid(0.0, 1.0, steps=4, outside="drop")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("outside", ["refuse", "clamp"])
def test_a_value_that_is_no_finite_number_is_refused_even_when_clamping(bad, outside):
    with pytest.raises(ParameterError, match="finite number"):
        Grid(0.0, 1.0, steps=4, outside=outside).positions(np.array([0.5, bad]))


@pytest.mark.parametrize("bad", [-1e-9, 1.0000001, 7.0])
def test_a_value_outside_the_bounds_is_refused(bad):
    with pytest.raises(ParameterError, match=r"between 0\.0 and 1\.0"):
        Grid(0.0, 1.0, steps=4).positions(np.array([0.5, bad]))


def test_a_refused_value_is_not_in_the_message():
    with pytest.raises(ParameterError) as caught:
        Grid(0.0, 1.0, steps=4).positions(np.array([31337.25]))
    assert "31337" not in str(caught.value)


def test_a_value_outside_is_clamped_when_asked():
    grid = Grid(0.0, 1.0, steps=4, outside="clamp")
    assert grid.positions(np.array([-5.0, 0.25, 9.0])).tolist() == [0.0, 1.0, 4.0]


@pytest.mark.parametrize("values", [np.array(["a"]), np.array([True]), np.zeros((2, 2)), np.array([None]), 0.5])
def test_what_is_no_row_of_numbers_is_refused(values):
    with pytest.raises(ParameterError, match="one row of real numbers"):
        Grid(0.0, 1.0, steps=4).positions(values)


def test_values_are_refused_before_any_bit_is_drawn():
    class NoBits:
        is_secure = False

        def words(self, n):
            raise AssertionError

    with pytest.raises(ParameterError):
        Grid(0.0, 1.0, steps=4).codes(np.array([2.0]), bits=NoBits())


def test_integers_are_their_own_points_and_are_not_rounded():
    grid = Grid.integers(17, 90)
    values = np.arange(17, 91)
    assert grid.points().tolist() == values.tolist()
    assert grid.codes(values, bits=SeededBits(1)).tolist() == (values - 17).tolist()


@pytest.mark.parametrize(("low", "high"), [(0.5, 3), (0, 10_000), (5, 5), (6, 5), (0, 2**60)])
def test_integer_bounds_must_be_whole_ordered_and_not_too_far_apart(low, high):
    with pytest.raises(ParameterError):
        Grid.integers(low, high)


@given(st.integers(1, 300), st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_grid_points_stay_where_they_are(steps, low, width):
    grid = Grid(low, low + width, steps)
    assert grid.codes(grid.points(), bits=SeededBits(2)).tolist() == list(range(steps + 1))


def test_rounding_goes_to_a_neighboring_point():
    codes = Grid(0.0, 1.0, steps=10).codes(np.full(1000, 0.33), bits=SeededBits(3))
    assert set(codes.tolist()) == {3, 4}
