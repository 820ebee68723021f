import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.numeric.decode import unbiased
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import NaiveStaircase


def test_a_square_channel_has_its_inverse():
    matrix = BoundedLaplace(Grid(0.0, 1.0, 6), 1.0).matrix()
    assert np.allclose(unbiased(matrix, np.eye(7)), np.linalg.inv(matrix))


def test_a_wide_channel_has_the_unbiased_table_of_least_mean_square():
    matrix = SquareWave(Grid(0.0, 1.0, 6), 1.0).matrix()
    table = unbiased(matrix, np.arange(7.0))
    used = matrix.mean(axis=0)
    null = np.linalg.svd(matrix)[2][7:]
    assert np.allclose(matrix @ table, np.arange(7.0))
    assert np.allclose(null @ (used * table), 0, atol=1e-9)


def test_reports_that_leave_out_a_grid_point_in_no_way_still_decode():
    matrix = np.array([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]])
    assert np.allclose(unbiased(matrix, np.array([0.0, 1.0]))[:2], [-0.5, 1.5])


def test_one_bit_does_not_determine_a_square():
    with pytest.raises(ParameterError, match="do not determine"):
        unbiased(Duchi(Grid(0.0, 1.0, 4), 1.0).matrix(), np.arange(5.0) ** 2)


def test_a_channel_that_floats_cannot_invert_is_refused():
    with pytest.raises(ParameterError, match="do not determine"):
        NaiveStaircase(Grid(0.0, 1.0, 256), 1.0).decode()


def test_a_channel_that_says_nothing_is_refused():
    with pytest.raises(ParameterError, match="do not determine"):
        unbiased(np.full((2, 2), 0.5), np.array([0.0, 1.0]))
