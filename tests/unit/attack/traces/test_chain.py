"""Chains beside loops over states, and the stationary vector beside powers of the matrix."""

import numpy as np
import pytest

from sfumato.attack.traces.background import Visits
from sfumato.attack.traces.chain import Chains, apart_by_chains, chains_of, proximity, stationary_distance, transitions
from sfumato.attack.traces.places import Places
from sfumato.errors import ParameterError


def random_chains(rng, persons=5, width=3000.0):
    sizes = rng.integers(1, 7, persons)
    person = np.repeat(np.arange(persons), sizes)
    share = np.concatenate([np.sort(rng.dirichlet(np.ones(n)))[::-1] for n in sizes])
    return Chains(Places(person, rng.uniform(0, width, (len(person), 2))), share)


def of(chains, p):
    mine = chains.places.person == p
    return chains.places.point[mine], chains.stationary[mine]


def slow_stationary(one, other):
    total = 0.0
    for (points, shares), (others, _) in ((one, other), (other, one)):
        total += sum(s * min(np.linalg.norm(x - y) for y in others) for x, s in zip(points, shares, strict=True))
    return total / 2


def slow_proximity(one, other):
    rank, score = 10, 0
    for x, y in zip(one[0], other[0], strict=False):
        score += rank * (np.linalg.norm(x - y) <= 100)
        rank = max(1, rank // 2)
    return 1 / score if score else np.inf


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_those_of_loops(seed):
    rng = np.random.default_rng(seed)
    one, other = random_chains(rng, width=400.0), random_chains(rng, width=400.0)
    far, near = stationary_distance(one, other), proximity(one, other)
    for a in range(5):
        for b in range(5):
            assert far[a, b] == pytest.approx(slow_stationary(of(one, a), of(other, b)))
            assert near[a, b] == pytest.approx(slow_proximity(of(one, a), of(other, b)))
    assert np.isfinite(near).any()


def test_coinciding_places_decide_only_far_away():
    """The most visited places coincide, others are 30 km off; nothing coincides 9 km off; all is within 2 m."""
    here, moved, away, close = (
        Chains(Places(np.zeros(2, int), np.array([[0.0, y], [0, z]])), np.array([0.6, 0.4]))
        for y, z in ((0, 50), (60, 30_000), (9_000, 9_050), (2, 52))
    )
    three = [apart_by_chains(here, one)[0, 0] for one in (close, moved, away)]
    assert three == pytest.approx([2, 2000.1, stationary_distance(here, away)[0, 0] + 1])
    assert three == sorted(three)
    crossed = [apart_by_chains(here, one, compat=True)[0, 0] for one in (close, moved)]
    assert crossed == pytest.approx([2, 0.1])


@pytest.mark.parametrize("seed", range(4))
def test_shares_of_visits_are_stationary(seed):
    """The matrix with the step back, applied to the shares of visits, gives them again."""
    rng = np.random.default_rng(seed)
    visits = Visits(
        np.repeat([0, 1], 40), np.concatenate([rng.integers(0, 5, 40), rng.integers(5, 9, 40)]), np.arange(80)
    )
    one, other, count = transitions(visits)
    matrix = np.zeros((9, 9))
    matrix[one, other] = count
    shares = np.bincount(visits.place, minlength=9) / 40
    assert shares @ (matrix / matrix.sum(axis=1, keepdims=True)) == pytest.approx(shares)
    chains = chains_of(visits, np.arange(9.0)[:, None])
    for p in (0, 1):
        point, share = of(chains, p)
        assert share.tolist() == shares[point[:, 0].astype(int)].tolist() == sorted(share.tolist(), reverse=True)
    assert count.sum() == 80


def test_shares_that_do_not_fall_are_refused():
    with pytest.raises(ParameterError, match="falling"):
        Chains(Places(np.zeros(2, int), np.zeros((2, 2))), np.array([0.4, 0.6]))
    with pytest.raises(ParameterError, match="falling"):
        Chains(Places(np.zeros(1, int), np.zeros((1, 2))), np.array([0.4]))
