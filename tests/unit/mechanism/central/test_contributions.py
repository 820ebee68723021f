"""What is kept of persons, and how far one of them moves the totals: stated, and found by trying everything."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.contributions import Kept, Limit, PersonTotals
from sfumato.summary.contributions import Contributions
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

ADDED = Neighbors.ADD_REMOVE


def one_person(groups, amounts, n_groups):
    n = len(groups)
    return Contributions(np.zeros(n, int), np.array(groups, int), np.array(amounts, int), n_groups)


def everything(n_groups, most_amount):
    """All that a person may have done, up to three things, each of any amount, also above the bound."""
    things = list(product(range(n_groups), range(most_amount + 2)))
    for n in range(4):
        for done in product(things, repeat=n):
            yield one_person([g for g, _ in done], [a for _, a in done], n_groups)


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize(("n_groups", "amount", "most"), [(1, 1, 2), (2, 1, 1), (2, 2, 2), (3, 1, 2)])
def test_stated_sensitivities_are_those_of_everything_that_a_person_may_do(neighbors, once, n_groups, amount, most):
    limit = Limit(neighbors, most, once, amount, Kept.FIRST)
    bits = SeededBits(1)
    vectors = np.unique([limit.bounded(one, bits=bits).totals() for one in everything(n_groups, amount)], axis=0)
    moves = vectors if neighbors is ADDED else (vectors[:, None] - vectors[None]).reshape(-1, n_groups)
    stated = limit.sensitivity(n_groups)
    assert stated.l1 == np.abs(moves).sum(axis=1).max()
    assert stated.squared_l2 == (moves**2).sum(axis=1).max()
    assert stated.coordinates >= (moves != 0).sum(axis=1).max()
    unknown = limit.sensitivity(None)
    assert unknown.l1 >= stated.l1
    assert unknown.squared_l2 >= stated.squared_l2


@pytest.mark.parametrize("once", [True, False])
def test_whatever_is_drawn_lies_within_the_limits(once):
    rng = np.random.default_rng(3)
    given = Contributions(np.sort(rng.integers(0, 50, 600)), rng.integers(0, 6, 600), rng.integers(0, 9, 600), 6)
    for kept in Kept:
        found = Limit(ADDED, 3, once, 4, kept).bounded(given, bits=SeededBits(5))
        assert np.bincount(found.person).max() == 3
        assert found.amount.max() == 4
        if once:
            assert len({*zip(found.person, found.group, strict=True)}) == len(found)


def test_the_first_are_the_first_and_samples_are_even():
    """Each of three visits is kept with chance 1/3: 30,000 draws leave 10,000 ± 500 but with chance 1e-9."""
    assert Limit(ADDED, 2, False, kept=Kept.FIRST).bounded(
        one_person([2, 0, 1], [1, 1, 1], 3), bits=SeededBits(1)
    ).group.tolist() == [2, 0]
    n = 30_000
    given = Contributions(np.repeat(np.arange(n), 3), np.tile([0, 1, 2], n), np.ones(3 * n, int), 3)
    drawn = Counter(Limit(ADDED, 1, once=True).bounded(given, bits=SeededBits(2)).group.tolist())
    assert all(abs(drawn[i] - 10_000) < 500 for i in range(3))


def test_amounts_and_limits_outside_their_range_are_refused():
    for change in ({"most": 0}, {"amount": 0}, {"most": True}):
        with pytest.raises(ParameterError):
            replace(Limit(ADDED, 1, once=True), **change)
    with pytest.raises(ParameterError):
        one_person([0], [-1], 1)
    with pytest.raises(ParameterError):
        one_person([1], [1], 1)
    with pytest.raises(ParameterError):
        PersonTotals(Limit(ADDED, 1, once=True), PureDP(Fraction(0)), 1)


def test_mean_errors_and_variances_are_those_of_the_law():
    noise = PersonTotals(Limit(ADDED, 3, once=False), PureDP(Fraction(1)), 1).noise.law
    x = np.arange(-400, 401)
    p = np.exp(-np.abs(x) / float(noise.scale))
    p /= p.sum()
    assert np.isclose(noise.mean_error, (p * np.abs(x)).sum())
    assert np.isclose(noise.variance, (p * x**2).sum())
