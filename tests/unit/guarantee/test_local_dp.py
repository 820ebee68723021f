"""The exact epsilon of a matrix, and the promise of a local randomizer."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.local_dp import LocalDP, check_epsilon, epsilon_of_matrix


def test_warner_with_three_quarters_has_ln_three():
    assert epsilon_of_matrix(np.array([[0.75, 0.25], [0.25, 0.75]])) == pytest.approx(math.log(3), rel=1e-15)


def test_the_promise_is_rounded_up():
    """e^ε as a fraction exceeds the ratio: exp of the next float below does not reach it."""
    found = epsilon_of_matrix([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    assert found >= math.log(2)
    assert Fraction(found) > Fraction(math.log(2)) - Fraction(1, 10**15)


def test_a_report_that_excludes_a_value_promises_nothing():
    assert epsilon_of_matrix([[1, 0], [Fraction(1, 2), Fraction(1, 2)]]) == math.inf


def test_rows_that_are_equal_promise_everything():
    assert epsilon_of_matrix([[Fraction(1, 3), Fraction(2, 3)]] * 3) == 0


def test_reports_that_nobody_sends_do_not_count():
    assert epsilon_of_matrix([[1, 0], [1, 0]]) == 0


@given(st.integers(2, 6), st.integers(2, 6), st.data())
def test_it_equals_the_obvious_loop(n_values, n_reports, data):
    rows = []
    for _ in range(n_values):
        weights = data.draw(st.lists(st.integers(1, 50), min_size=n_reports, max_size=n_reports))
        rows.append([Fraction(w, sum(weights)) for w in weights])
    slow = max(math.log(a[y] / b[y]) for a in rows for b in rows for y in range(n_reports))
    assert epsilon_of_matrix(rows) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize(
    "matrix", [[], [[0.5, 0.5], [1.0]], [[0.5, 0.6]], [[1.5, -0.5]], [[math.nan, 1.0]], [[math.inf, 0.0]]]
)
def test_what_is_no_transition_matrix_is_refused(matrix):
    with pytest.raises(ParameterError):
        epsilon_of_matrix(matrix)


@pytest.mark.parametrize("epsilon", [0, -1, 0.0, math.inf, math.nan, 800, 701.0, "1", None, True, 1e-300])
def test_epsilons_that_no_randomizer_keeps_are_refused(epsilon):
    with pytest.raises(ParameterError, match="epsilon"):
        check_epsilon(epsilon)


@pytest.mark.parametrize("epsilon", [1, np.float64(0.5), np.int64(2), Fraction(1, 2), 1e-6, 700])
def test_other_numbers_are_taken(epsilon):
    assert check_epsilon(epsilon) == float(epsilon)


def test_the_promise_names_mechanism_unit_and_epsilon():
    promise = LocalDP(0.5, "GRR", "one attribute").guarantee()
    assert "GRR" in promise.statement
    assert "one attribute" in promise.statement
    assert promise.parameters["epsilon"] == 0.5


@pytest.mark.parametrize("epsilon", [0.0, math.inf, math.nan])
def test_an_infinite_promise_is_none(epsilon):
    with pytest.raises(ParameterError):
        LocalDP(epsilon, "GRR", "one attribute")
