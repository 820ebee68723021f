"""Do noisy numbers follow their laws, on the same grid for all neighbors? False-alarm rate 1e-6 each."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows

from sfumato.account.event import PureDP, ZeroConcentratedDP
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.sums import Sum
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ROW = Unit.row(Neighbors.ADD_REMOVE)
N = 40_000


def draws(mechanism, totals, seed):
    """N independent answers, as whole numbers of the mechanism's unit."""
    column = np.repeat(np.array(totals, np.int64)[:, np.newaxis], N, axis=1)
    unit = float(getattr(mechanism, "unit_value", 1))
    return np.rint(mechanism.decide(column, confidence=0.9, bits=SeededBits(seed)).values / unit).astype(int)


def laplace(center, scale, reach=200):
    q = math.exp(-1 / scale)
    return {center + x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-reach, reach + 1)}


def gauss(center, sigma, reach=200):
    weights = {center + x: math.exp(-(x**2) / (2 * sigma**2)) for x in range(-reach, reach + 1)}
    total = math.fsum(weights.values())
    return {x: w / total for x, w in weights.items()}


@pytest.mark.parametrize("epsilon", [Fraction(1, 4), Fraction(1), Fraction(5, 2)])
def test_counts_with_pure_epsilon(epsilon):
    count = Count(ROW, PureDP(epsilon), groups=None)
    found = draws(count, [7], 1)
    assert follows(found, laplace(7, 1 / float(epsilon)))
    assert not follows(found, laplace(7, 0.9 / float(epsilon)))
    assert not follows(found, laplace(8, 1 / float(epsilon)))


@pytest.mark.parametrize("rho", [Fraction(1, 50), Fraction(1)])
def test_counts_with_rho(rho):
    count = Count(ROW, ZeroConcentratedDP(rho), groups=None)
    found, sigma = draws(count, [7], 2), float(count.noise.law.sigma)
    assert follows(found, gauss(7, sigma))
    assert not follows(found, gauss(7, 0.95 * sigma))


def test_sums_of_steps_that_do_not_hit_0():
    """Values 1/2, 3/2, 5/2: three rows of 3/2 are nine halves; the bound is five halves."""
    total = Sum("x", Range("0.5", "2.5", 1), ROW, PureDP(Fraction(1)), groups=None)
    center = dict(total.terms[0].factors)["x"]
    found = draws(total, [3 * (1 - center), 3], 3)
    assert follows(found, laplace(9, 5.0))


def test_f8_an_empty_group_has_noise_too():
    count = Count(ROW, PureDP(Fraction(1)), groups=None)
    assert follows(draws(count, [0], 4), laplace(0, 1.0))


@pytest.mark.parametrize("step", ["0.1", "1", "2.5"])
def test_neighbors_have_their_answers_on_the_same_grid(step):
    """Every answer of either table is the float of a whole number of steps: no low bits tell them apart."""
    total = Sum("x", Range(0, Fraction(step) * 8, step), ROW, PureDP(Fraction(1)), groups=None)
    unit = total.unit_value
    answers = []
    for places in (3, 11):
        column = np.full((1, 4000), places)
        answers.append(set(total.decide(column, confidence=0.9, bits=SeededBits(places)).values.tolist()))
    grid = {m * float(unit.numerator) / float(unit.denominator) for m in range(-500, 500)}
    assert answers[0] | answers[1] <= grid
    central = {m * float(unit.numerator) / float(unit.denominator) for m in range(20)}
    assert central & answers[0] == central & answers[1] == central


def test_float_noise_would_fail_that_test():
    rng = np.random.default_rng(1)
    noisy = {0.3 + x for x in rng.laplace(0, 1, 4000).tolist()}
    assert not noisy <= {m / 10 for m in range(-500, 500)}


def test_means_are_shares_of_two_independent_parts():
    """Mean of 0 … 1 is A/(A + B): with A = B = 2 at scale 1, against the law of the pair."""
    mean = Mean("x", Range(0, 1, 1), ROW, PureDP(Fraction(1)), groups=None)
    column = np.repeat(np.array([[2], [-2]]), N, axis=1)
    found = np.nan_to_num(mean.decide(column, confidence=0.9, bits=SeededBits(5)).values, nan=2.0)
    law: dict[int, float] = {}
    part = laplace(2, 1.0, 60)
    for a, p in part.items():
        for b, q in part.items():
            whole = max(a, 0) + max(b, 0)
            key = round(60_000 * max(a, 0) / whole) if whole else 120_000
            law[key] = law.get(key, 0.0) + p * q
    assert follows(np.rint(found * 60_000).astype(int), law)
