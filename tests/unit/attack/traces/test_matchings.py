"""Entropy of matchings: against the list of all of them."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.attack.traces.matchings import matchings
from sfumato.errors import ParameterError

WEIGHT = st.sampled_from([0.0, 0.001, 0.3, 1.0, 7.0])


@given(st.integers(1, 5).flatmap(lambda n: arrays(np.float64, (n, n), elements=WEIGHT)))
def test_it_is_the_distribution_of_all_matchings(weights):
    n = len(weights)
    ways = list(permutations(range(n)))
    share = np.array([np.prod(weights[range(n), way]) for way in ways])
    if not share.sum():
        with pytest.raises(ParameterError, match="At least one matching"):
            matchings(weights)
        return
    share /= share.sum()
    certainty = np.zeros((n, n))
    for way, p in zip(ways, share, strict=True):
        certainty[range(n), way] += p
    found = matchings(weights)
    assert found.certainty == pytest.approx(certainty, abs=1e-12)
    used = share[share > 0]
    assert found.bits == pytest.approx(-(used * np.log2(used)).sum(), abs=1e-9)
    assert found.bits <= found.per_person.sum() + 1e-9


def test_ten_persons_whose_times_say_who_they_are_are_not_ten_to_choose_from():
    entered, left = np.arange(10.0) * 60, np.arange(10.0) * 60 + 45
    takes = left[None, :] - entered[:, None]
    weights = np.exp(-0.5 * ((takes - 45) / 5) ** 2)
    assert matchings(weights).bits < 1e-6 < np.log2(10)


@pytest.mark.parametrize(
    "wrong", [np.ones((2, 3)), np.ones(3), np.ones((19, 19)), np.zeros((0, 0)), -np.eye(2), np.full((2, 2), np.nan)]
)
def test_what_is_no_table_of_weights_is_refused(wrong):
    with pytest.raises(ParameterError, match="Weights must be"):
        matchings(wrong)
