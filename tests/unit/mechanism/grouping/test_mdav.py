"""Groups of the fast forms beside those of the paper's text."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.microaggregation.dense import groups, vectors

from sfumato.errors import ParameterError
from sfumato.mechanism.grouping.compiled import group_compiled
from sfumato.mechanism.grouping.mdav import mdav
from sfumato.mechanism.grouping.points import Points


def random_points(seed, n, p=2, q=2):
    """Numbers in general position with some equal rows, and categories."""
    rng = np.random.default_rng(seed)
    numbers, nodes = rng.normal(size=(n, p)).round(3), rng.integers(0, 3, size=(n, q))
    same = rng.integers(0, n, size=n // 4)
    numbers[: len(same)], nodes[: len(same)] = numbers[same], nodes[same]
    return Points(numbers, nodes, rng.uniform(0.2, 1.0, size=q))


def as_sets(member):
    """Groups in the order in which they were made."""
    return [set(np.flatnonzero(member == g).tolist()) for g in range(int(member.max()) + 1)]


@pytest.mark.parametrize("n", [5, 6, 9, 10, 14, 15, 37])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_groups_are_those_of_the_paper(n, k):
    points = random_points(n * 10 + k, n)
    assert as_sets(mdav(points, k, lambda _: None)) == groups(vectors(points), k)


def test_a_twin_that_begins_inside_is_told_apart():
    points = random_points(1, 37)
    assert as_sets(mdav(points, 3, lambda _: None)) != groups(vectors(points), 3, first="nearest")


@pytest.mark.parametrize(("p", "q"), [(2, 2), (3, 0), (0, 2)])
def test_the_compiled_form_makes_the_same_groups(p, q):
    pytest.importorskip("numba")
    for seed, k in ((1, 1), (2, 2), (3, 3), (4, 7)):
        points = random_points(seed, 120, p, q)
        assert np.array_equal(group_compiled(points, k, lambda _: None), mdav(points, k, lambda _: None))


def test_every_group_has_k_to_2k_minus_1_rows():
    for n in range(4, 40):
        sizes = np.bincount(mdav(random_points(n, n), 4, lambda _: None))
        assert 4 <= sizes.min() <= sizes.max() <= 7


def test_rows_that_are_all_alike_are_grouped_in_their_order():
    alike = Points(np.zeros((7, 1)), np.zeros((7, 0), np.int64), np.zeros(0))
    assert mdav(alike, 2, lambda _: None).tolist() == [0, 0, 1, 1, 2, 2, 2]


def test_too_few_rows_are_refused():
    with pytest.raises(ParameterError, match="smaller k"):
        mdav(random_points(1, 4), 5, lambda _: None)


def test_progress_is_told_and_may_stop_the_work():
    told = []
    mdav(random_points(1, 20), 2, told.append)
    assert told == sorted(told)
    with pytest.raises(ZeroDivisionError):
        mdav(random_points(1, 20), 2, lambda done: 1 // 0)
