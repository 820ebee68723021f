import numpy as np
import pytest

from sfumato.errors import ReportError
from sfumato.mechanism.local.numeric.base import check_numeric_reports, from_bytes, publish, to_bytes
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave

MECHANISM = Piecewise(Grid(0.0, 1.0, steps=16), 1.0)


@pytest.mark.parametrize("reports", [np.array([-1]), np.array([MECHANISM.n_outputs]), np.array([0.0]), np.array([])])
def test_reports_that_the_mechanism_cannot_make_are_refused(reports):
    with pytest.raises(ReportError):
        check_numeric_reports(MECHANISM, reports)


def test_published_numbers_are_the_outputs_of_the_reports():
    assert publish(MECHANISM, np.array([0, 3])).tolist() == MECHANISM.outputs()[[0, 3]].tolist()


def test_no_report_makes_an_empty_message_that_comes_back():
    assert from_bytes(MECHANISM, to_bytes(MECHANISM, np.array([], np.int64))).tolist() == []


def test_integer_bounds_and_float_bounds_are_the_same_on_both_sides():
    client, server = (Piecewise(Grid(low, high, steps=16), 1.0) for low, high in ((0, 1), (0.0, 1.0)))
    assert from_bytes(server, to_bytes(client, np.array([5, 6]))).tolist() == [5, 6]


@pytest.mark.parametrize(
    "server",
    [
        Piecewise(Grid(0.0, 1.0, steps=16), 1.5),
        Piecewise(Grid(0.0, 2.0, steps=16), 1.0),
        Piecewise(Grid(0.0, 1.0, steps=17), 1.0),
        SquareWave(Grid(0.0, 1.0, steps=16), 1.0),
    ],
)
def test_a_server_with_other_parameters_refuses_the_bytes(server):
    with pytest.raises(ReportError):
        from_bytes(server, to_bytes(MECHANISM, np.array([1, 2])))


def test_numpy_numbers_and_python_numbers_are_the_same_on_both_sides():
    client = Piecewise(Grid(np.float64(0), np.int64(1), steps=np.int64(16)), np.float64(1))
    assert from_bytes(MECHANISM, to_bytes(client, np.array([5, 6]))).tolist() == [5, 6]
