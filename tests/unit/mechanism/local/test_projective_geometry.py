"""Points and hyperplanes over prime fields."""

from itertools import product

import numpy as np
import pytest

from sfumato.mechanism.local.projective_geometry import MOST_CELLS, Space, best_space, is_prime

SPACES = [Space(2, 2), Space(2, 5), Space(3, 3), Space(5, 3), Space(7, 2), Space(13, 3), Space(3, 5)]


@pytest.mark.parametrize("space", SPACES)
def test_points_are_all_vectors_up_to_scale(space):
    vectors = space.vectors(np.arange(space.n_points))
    assert len({tuple(v) for v in vectors.tolist()}) == space.n_points
    assert all(next(x for x in v if x) == 1 for v in vectors.tolist())


@pytest.mark.parametrize("space", SPACES)
def test_every_multiple_of_a_vector_is_its_point(space):
    points = np.arange(space.n_points)
    for scale in range(1, space.q):
        assert np.array_equal(space.points(space.vectors(points) * scale % space.q), points)


@pytest.mark.parametrize("space", [Space(2, 4), Space(3, 3), Space(5, 3), Space(7, 2)])
def test_hyperplanes_meet_in_as_many_points_as_stated(space):
    vectors = space.vectors(np.arange(space.n_points))
    on = vectors @ vectors.T % space.q == 0
    assert set(on.sum(axis=1).tolist()) == {space.on_hyperplane}
    both = (on.astype(int) @ on.astype(int).T)[~np.eye(len(on), dtype=bool)]
    assert set(both.tolist()) == {space.on_two}


@pytest.mark.parametrize("space", SPACES)
def test_counts_on_hyperplanes_are_those_of_the_obvious_product(space):
    hits = np.random.default_rng(1).integers(0, 10**6, space.n_points)
    vectors = space.vectors(np.arange(space.n_points))
    slow = (vectors @ vectors.T % space.q == 0) @ hits
    for n_planes in (1, space.n_points // 2, space.n_points):
        assert np.array_equal(space.count_on_hyperplanes(hits, n_planes), slow[:n_planes])


def test_counts_of_a_thousand_million_hits_are_exact():
    space = Space(3, 6)
    hits = np.random.default_rng(1).integers(0, 10**9, space.n_points)
    vectors = space.vectors(np.arange(space.n_points))
    assert np.array_equal(space.count_on_hyperplanes(hits, 300), ((vectors @ vectors.T % 3 == 0) @ hits)[:300])


@pytest.mark.parametrize("q", [2, 3, 31, 1009])
def test_inverses_are_inverses(q):
    numbers = np.arange(1, q)
    assert set((numbers * Space(q, 2).inverse(numbers) % q).tolist()) <= {1}


@pytest.mark.parametrize("epsilon", [1e-6, 0.5, 2.0, 5.0, 12.0, 700.0])
@pytest.mark.parametrize("size", [2, 3, 16, 1000, 10**6])
def test_the_chosen_space_holds_all_values_and_fits_in_memory(size, epsilon):
    space = best_space(epsilon, size)
    assert space.n_points >= size
    assert space.t == 2 or space.q**space.t <= MOST_CELLS


def test_primes_are_primes():
    assert [n for n in range(60) if is_prime(n)] == [
        n for n in range(2, 60) if all(a * b != n for a, b in product(range(2, n), repeat=2))
    ]
