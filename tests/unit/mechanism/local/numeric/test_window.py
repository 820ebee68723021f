from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.numeric.window import sliding_window
from sfumato.testing.seeded_bits import SeededBits

cases = st.tuples(st.integers(1, 8), st.integers(1, 8), st.floats(1e-3, 40))


def exact_law(window):
    """The slow, obvious twin: Fractions of the coin as tossed."""
    near, far = window.coin.truth / window.width, window.coin.noise / window.steps
    return [
        [near if i <= j < i + window.width else far for j in range(window.steps + window.width)]
        for i in range(window.steps + 1)
    ]


@given(cases)
def test_its_epsilon_is_that_of_the_matrix_of_fractions_and_not_above_the_asked_one(case):
    window = sliding_window(*case)
    assert window.epsilon == epsilon_of_matrix(exact_law(window))
    assert case[2] * (1 - 1e-9) <= window.epsilon <= case[2]


@given(cases)
def test_its_matrix_is_the_matrix_of_fractions(case):
    window = sliding_window(*case)
    assert window.matrix().tolist() == [[float(entry) for entry in row] for row in exact_law(window)]


@given(cases)
def test_decoded_reports_have_the_mean_of_the_value(case):
    window = sliding_window(*case)
    decoded = [Fraction(d) for d in window.decode().tolist()]
    for i, row in enumerate(exact_law(window)):
        mean = sum(p * d for p, d in zip(row, decoded, strict=True))
        assert float(mean) == pytest.approx(i, abs=1e-11 * max(map(abs, decoded)))


def test_reports_of_one_value_reach_every_cell():
    window = sliding_window(4, 3, 1.0)
    for value in range(5):
        reports = window.draw(np.full(2000, value), bits=SeededBits(value))
        assert set(reports.tolist()) == set(range(7))


@pytest.mark.parametrize(("steps", "width"), [(0, 1), (1, 0), (1.5, 1), (1, True)])
def test_sizes_outside_their_range_are_refused(steps, width):
    with pytest.raises(ParameterError):
        sliding_window(steps, width, 1.0)
