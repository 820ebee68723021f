"""Matrices of transition: exact epsilon, invariance, refusals."""

from fractions import Fraction
from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sfumato.errors import ParameterError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.perturb.transition import TOTAL, Transition, invariant, keep_share, transition

squares = st.integers(2, 6).flatmap(lambda k: arrays.arrays(float, (k, k), elements=st.floats(0.01, 1)))


@given(squares)
def test_epsilon_is_that_of_the_matrix_as_sampled(raw):
    chance = transition(raw / raw.sum(axis=1, keepdims=True))
    exact = [[Fraction(int(w), TOTAL) for w in row] for row in chance.weights]
    assert chance.epsilon == epsilon_of_matrix(exact)


@given(squares, st.floats(0.01, 1))
def test_invariant_pram_keeps_the_shares(raw, alpha):
    chance = transition(raw / raw.sum(axis=1, keepdims=True))
    shares = raw[0] / raw[0].sum()
    kept = invariant(chance, shares, alpha=alpha)
    assert shares @ kept.matrix == pytest.approx(shares, abs=1e-13)
    assert np.all(kept.weights.sum(axis=1) == TOTAL)


def test_invariant_pram_by_hand():
    """k = 2, P keeps 3/4, p = (2/3, 1/3): λ = (7/12, 5/12), Q = [[6/7, 1/7], [2/5, 3/5]], R = PQ."""
    kept = invariant(keep_share(2, 0.75), np.array([2 / 3, 1 / 3]), alpha=1.0)
    p, q = np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[6 / 7, 1 / 7], [2 / 5, 3 / 5]])
    assert kept.matrix == pytest.approx(p @ q, abs=1e-15)


def test_alpha_keeps_more_cells():
    less = invariant(keep_share(3, 0.6), np.array([0.5, 0.3, 0.2]), alpha=0.25)
    more = invariant(keep_share(3, 0.6), np.array([0.5, 0.3, 0.2]), alpha=1.0)
    assert np.all(np.diag(less.matrix) > np.diag(more.matrix))
    assert less.epsilon > more.epsilon


def test_categories_without_cells_do_no_harm():
    kept = invariant(transition(np.eye(3)), np.array([0.5, 0.5, 0.0]), alpha=1.0)
    assert np.array_equal(kept.matrix, np.eye(3))


def test_a_publication_that_excludes_a_category_protects_nothing():
    chance = transition(np.array([[0.5, 0.5], [0.0, 1.0]]))
    assert chance.epsilon == inf
    assert "any number of times" in chance.guarantee("job").statement


def test_the_promise_warns_of_class_sizes_and_of_its_own_matrix():
    promise = keep_share(2, 0.75).guarantee("job", from_table=True)
    assert promise.parameters["epsilon"] == pytest.approx(log(3))
    assert any("k-anonymity" in text for text in promise.assumptions)
    assert any("learns them" in text for text in promise.assumptions)


@pytest.mark.parametrize(
    "call",
    [
        lambda: transition(np.array([[0.5, 0.4], [0.5, 0.5]])),
        lambda: transition(np.array([[1.5, -0.5], [0.5, 0.5]])),
        lambda: transition(np.array([[np.nan, 1], [0.5, 0.5]])),
        lambda: transition(np.ones((1, 2)) / 2),
        lambda: keep_share(1, 0.5),
        lambda: keep_share(4, 0.2),
        lambda: keep_share(4, 1.0),
        lambda: invariant(keep_share(2, 0.75), np.array([0.5, 0.6]), alpha=0.5),
        lambda: invariant(keep_share(2, 0.75), np.array([1.0]), alpha=0.5),
        lambda: invariant(keep_share(2, 0.75), np.array([0.5, 0.5]), alpha=0.0),
        lambda: invariant(keep_share(2, 0.75), np.array([0.5, 0.5]), alpha=1.1),
        lambda: Transition(np.array([[1, 2], [3, 4]])),
        lambda: Transition(np.array([[TOTAL]])),
    ],
)
def test_what_is_no_transition_is_refused(call):
    with pytest.raises(ParameterError, match="Remedy"):
        call()
