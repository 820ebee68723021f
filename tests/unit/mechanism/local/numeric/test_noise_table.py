from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.numeric import noise_table
from sfumato.testing.seeded_bits import SeededBits

weights = st.lists(st.integers(1, 2**40), min_size=2, max_size=7).map(
    lambda w: np.array(sorted(w, reverse=True), np.int64)
)


def exact_law(table):
    """The slow, obvious twin: Fractions, row by row."""
    points = range(len(table))
    rows = [[Fraction(int(table[abs(j - i)])) for j in points] for i in points]
    return [[entry / sum(row) for entry in row] for row in rows]


@given(weights)
def test_the_exact_epsilon_is_that_of_the_matrix_of_fractions(table):
    assert noise_table.exact_epsilon(table) == epsilon_of_matrix(exact_law(table))


@given(weights)
def test_the_law_is_the_matrix_of_fractions(table):
    twin = np.array([[float(entry) for entry in row] for row in exact_law(table)])
    assert np.allclose(noise_table.law(table), twin, rtol=1e-12)


@given(weights)
def test_totals_are_row_sums(table):
    points = range(len(table))
    assert noise_table.totals(table).tolist() == [sum(int(table[abs(j - i)]) for j in points) for i in points]


@pytest.mark.parametrize("relative", [[1.0, 0.0], [1.0, 1e-300, 1e-300], [1.0] * 4097, [1.0, 0.5]])
def test_whole_weights_are_positive_and_their_sum_fits(relative):
    table = noise_table.whole_weights(np.array(relative))
    assert table.min() >= 1
    assert sum(noise_table.two_sided(table).tolist()) < 2**63


def test_weights_cannot_be_changed():
    table = noise_table.whole_weights(np.array([1.0, 0.5]))
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1


def test_redrawn_codes_lie_on_the_grid():
    table = noise_table.whole_weights(np.ones(5))
    codes = noise_table.redraw(np.repeat(np.arange(5), 200), table, bits=SeededBits(1))
    assert set(codes.tolist()) == {0, 1, 2, 3, 4}


def test_columns_beyond_the_middle_mirror_the_first_ones():
    table = np.array([900, 300, 200, 100, 50, 1], np.int64)
    assert noise_table.exact_epsilon(table) == epsilon_of_matrix(exact_law(table))


def test_ties_of_a_long_table_are_decided_exactly():
    """Plateaus: many equal weights and totals, whose largest ratio is attained by many pairs."""
    table = np.array([2**40] * 20 + [1] * 21, np.int64)
    assert noise_table.exact_epsilon(table) == epsilon_of_matrix(exact_law(table))
