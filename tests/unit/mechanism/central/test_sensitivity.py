"""Sensitivities by brute force: everything that one person may contribute, on tiny domains, for every term structure."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.central.tiny_persons import UNITS, differences, persons, vectors

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import covariance_sensitivity, mean_vector_sensitivity
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.sensitivity import of_shares, of_total
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ONE = PureDP(Fraction(1))
RANGES = [Range(0, 2, 1), Range(-1, 10, 11), Range(-1, 1, 1), Range(5, 7, 2), Range("0.5", "2.5", 1), Range(-7, -5, 1)]
"""Also: bounds of different sizes, 0 at neither end, 0 outside, steps that do not hit 0."""


def largest(neighbors, moves):
    """L1, L2² and number of coordinates, over all neighbors."""
    found = differences(neighbors, moves)
    return np.abs(found).sum(axis=1).max(), (found**2).sum(axis=1).max(), (found != 0).sum(axis=1).max()


def test_f20_the_lower_bound_taken_twice_is_caught(monkeypatch):
    """Bounds (-1, 10): with the lower bound twice the sensitivity would be 1."""
    domain, unit = Range(-1, 10, 1), Unit.row(Neighbors.ADD_REMOVE)
    mechanism = Sum("x", domain, unit, ONE, groups=1)
    assert mechanism.sensitivity.l1 == 10
    found = vectors(monkeypatch, mechanism, ["x"], 1, persons(unit, 1, [(p,) for p in range(12)]))
    assert largest(unit.neighbors, [parts[0] for parts in found])[0] > of_total(unit, 1, -1, 0, what="sum").l1


def test_f16_a_person_in_all_groups_counts_in_as_many_as_the_unit_says():
    unit = Unit(Neighbors.ADD_REMOVE, "who", rows=1, keys=5)
    assert Count(unit, ONE, groups=100).sensitivity.l1 == 5
    assert Count(unit, ONE, groups=None).sensitivity.l1 == 5
    assert Count(unit, ONE, groups=3).sensitivity.l1 == 3


def test_f10_a_count_has_the_unit_of_the_table_whatever_is_counted():
    unit = Unit(Neighbors.ADD_REMOVE, "who", rows=7, keys=2)
    assert Count(unit, ONE, groups=9).noise.law.scale == 14
    assert Count(unit, ONE, groups=9, distinct=True).noise.law.scale == 2


def test_f7_no_groups_give_no_answers():
    unit = Unit(Neighbors.REPLACE, "who", rows=1, keys=2)
    for mechanism in (Count(unit, ONE, 0), Sum("x", RANGES[0], unit, ONE, 0), Mean("x", RANGES[0], unit, ONE, 0)):
        out = mechanism.decide(np.zeros((len(mechanism.terms), 0), np.int64), confidence=0.9, bits=SeededBits(1))
        assert out.values.shape == out.low.shape == (0,)


def test_f26_the_sentence_says_who_is_a_neighbor():
    for neighbors, verb in ((Neighbors.ADD_REMOVE, "Adding or removing"), (Neighbors.REPLACE, "Replacing")):
        unit = Unit.row(neighbors)
        for mechanism in (
            Count(unit, ONE, 2),
            Mean("x", RANGES[0], unit, ONE, 2),
            Variance("x", RANGES[0], unit, ONE, 2),
        ):
            assert verb in mechanism.argument


def test_sentences():
    unit = Unit(Neighbors.REPLACE, "who", rows=3, keys=1)
    assert of_total(unit, 9, 0, 1, what="count").sentence == (
        "Replacing a person changes the count of at most 2 groups, by at most 3 in a group that one of the two is in and "
        "3 in a group that both are in, so L1 sensitivity 6."
    )


@pytest.mark.parametrize(("low", "high"), [(1, 2), (-2, -1), (0, 0)])
def test_bounds_of_contributions_hold_nothing_too(low, high):
    with pytest.raises(ParameterError, match="low <= 0 <= high"):
        of_total(Unit.row(Neighbors.REPLACE), 1, low, high, what="sum")


@pytest.mark.parametrize("groups", [-1, 1.5, True])
def test_a_number_of_groups_that_cannot_be_is_refused(groups):
    for make in (lambda: of_total(UNITS[0], groups, 0, 1, what=""), lambda: of_shares(UNITS[0], groups, 1, 2, what="")):
        with pytest.raises(ParameterError, match="groups"):
            make()


def test_mean_vectors_and_covariance_matrices_by_brute_force():
    """All tables of 3 vectors from a set of L1 norm at most 1, one exchanged; both bounds hold, and that of the mean is tight."""
    points = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (0.5, -0.5)])
    n, means, matrices = 3, [], []
    for table in np.ndindex(*(len(points),) * n):
        rows = points[list(table)]
        means.append(rows.mean(axis=0))
        matrices.append(np.cov(rows.T, bias=True).ravel())
    index = np.arange(len(points) ** n).reshape((len(points),) * n)
    found = [0.0, 0.0]
    for i in range(len(points)):
        for j in range(len(points)):
            a, b = index[i].ravel(), index[j].ravel()
            for at, values in enumerate((np.array(means), np.array(matrices))):
                found[at] = max(found[at], np.abs(values[a] - values[b]).sum(axis=1).max())
    assert found[0] == pytest.approx(float(mean_vector_sensitivity(1, n)))
    assert 0.5 * covariance_sensitivity(1, n) < found[1] <= covariance_sensitivity(1, n) <= Fraction(8, n)
