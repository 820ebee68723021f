"""Selection of one candidate."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.noise.sources import NoBits

from sfumato.errors import ParameterError
from sfumato.noise.exponential_mechanism import exponential_mechanism, permute_and_flip
from sfumato.testing.seeded_bits import SeededBits

SELECT = pytest.mark.parametrize("select", [exponential_mechanism, permute_and_flip])


@SELECT
@pytest.mark.parametrize(
    "scores",
    [
        np.array([-(2**63), 2**63 - 1, 0]),
        np.array([-(2.0**400), 2.0**400, 0.0]),
        np.array([0, 1000, 0], np.int32),
        np.array([-np.inf, 0, 0])[[1, 1, 1]] + [0, 1e5, 0],
    ],
)
def test_far_better_candidates_win(select, scores):
    """Gaps that do not fit an int64 or nearly overflow a float64 are gaps all the same."""
    assert 1 == select(scores, 1, bits=SeededBits(1))


@SELECT
def test_equal_huge_integers_are_told_apart_from_their_neighbors(select):
    """2⁶² and 2⁶² + 1 are one float; at rate 100 the better one wins."""
    for seed in range(30):
        assert 1 == select(np.array([2**62, 2**62 + 1]), 100, bits=SeededBits(seed))


@SELECT
@pytest.mark.parametrize("rate", [2.0**-400, 2.0**400, Fraction(1, 3)])
def test_extreme_rates_end(select, rate):
    assert select(np.arange(5), rate, bits=SeededBits(1)) in range(5)


@SELECT
def test_a_single_candidate_is_selected(select):
    assert 0 == select(np.array([-7]), 1, bits=SeededBits(1))


@SELECT
def test_many_bad_candidates_beside_one_good_do_not_hang(select):
    scores = np.zeros(100_000, np.int64)
    scores[77] = 10**6
    assert 77 == select(scores, 1, bits=SeededBits(1))


@SELECT
@pytest.mark.parametrize(
    "scores",
    [np.zeros(0), np.zeros((2, 2)), np.array([0.0, np.nan]), np.array([np.inf]), np.array([True]), np.array(["a"])],
)
def test_wrong_scores_are_refused(select, scores):
    with pytest.raises(ParameterError, match="core"):
        select(scores, 1, bits=NoBits())


@SELECT
@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), Fraction(10**200), 1e-200])
def test_wrong_rates_are_refused(select, rate):
    with pytest.raises(ParameterError, match="rate"):
        select(np.arange(3), rate, bits=NoBits())
