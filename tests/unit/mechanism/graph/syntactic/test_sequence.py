"""The cheapest degrees are those that trying all sequences finds."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from sfumato.errors import NoSolution, ParameterError
from sfumato.mechanism.graph.syntactic.sequence import cheapest_degrees


def by_trying(degrees, k, lower):
    """Cost of the best even sequence: sorted ones are matched in order, which is the cheapest way."""
    n, falling, best = len(degrees), sorted(degrees, reverse=True), None
    for tried in combinations_with_replacement(range(n - 1, -1, -1), n):
        count = np.bincount(tried)
        if sum(tried) % 2 or (count[count > 0] < k).any():
            continue
        if lower or all(a >= b for a, b in zip(tried, falling, strict=True)):
            cost = sum(abs(a - b) for a, b in zip(tried, falling, strict=True))
            best = cost if best is None else min(best, cost)
    return best


@pytest.mark.parametrize("lower", [False, True])
def test_no_sequence_is_cheaper(lower):
    rng = np.random.default_rng(1)
    for _ in range(80):
        n = int(rng.integers(2, 8))
        k = int(rng.integers(1, n + 1))
        degrees = rng.integers(0, n, n)
        degrees[0] -= degrees[0] > 0 and degrees.sum() % 2
        degrees[0] += degrees.sum() % 2
        found = cheapest_degrees(degrees, k, lower=lower)
        count = np.bincount(found.degrees)
        assert found.cost == np.abs(found.degrees - degrees).sum() == by_trying(degrees.tolist(), k, lower)
        assert (count[count > 0] >= k).all()
        assert found.degrees.sum() % 2 == 0
        assert lower or (found.degrees >= degrees).all()


def test_k_must_be_reachable():
    with pytest.raises(NoSolution, match="2 vertices cannot hide each among 3"):
        cheapest_degrees(np.array([1, 1]), 3, lower=False)
    with pytest.raises(ParameterError, match="k must be"):
        cheapest_degrees(np.array([1, 1]), 0, lower=False)
