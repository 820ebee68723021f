"""What a price buys, exactly, and that no pair of neighbors costs more."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.calibration import shared
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.gaussian import gaussian_delta
from sfumato.errors import ParameterError
from sfumato.mechanism.central.additive import LaplaceLaw, checked_totals, noise_for
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.sensitivity import Sensitivity
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ROW = Unit.row(Neighbors.ADD_REMOVE)
MOVED = Sensitivity(6, 18, 2, "")


@pytest.mark.parametrize("epsilon", ["1/1000000", "1/3", "1", "700"])
def test_pure_epsilon_is_paid_exactly(epsilon):
    found = noise_for(PureDP(Fraction(epsilon)), MOVED)
    assert found.event == DiscreteLaplaceNoise(6 / Fraction(epsilon), Fraction(6), 2)
    assert found.law == LaplaceLaw(6 / Fraction(epsilon))


@pytest.mark.parametrize("rho", ["1/1000000", "1/3", "700"])
def test_rho_is_nearly_used_up_and_never_exceeded(rho):
    found = noise_for(ZeroConcentratedDP(Fraction(rho)), MOVED)
    paid = found.event.squared_sensitivity / (2 * found.event.squared_scale)
    assert 0.999 * Fraction(rho) < paid <= Fraction(rho)
    assert found.law.sigma**2 == found.event.squared_scale
    assert isinstance(found.event, DiscreteGaussianNoise)


def test_delta_is_judged_exactly_where_one_total_moves():
    price = ApproxDP(Fraction(1), Fraction(1, 10**6))
    count = Count(ROW, price, groups=100)
    assert count.event == price
    square = count.noise.law.sigma**2
    assert gaussian_delta(1, square, 1) <= Fraction(1, 10**6) < gaussian_delta(1, square * Fraction(998, 1000), 1)
    assert count.noise.law.sigma < Count(Unit.row(Neighbors.REPLACE), price, groups=100).noise.law.sigma


@pytest.mark.parametrize(
    "price", [PureDP(Fraction(1)), ZeroConcentratedDP(Fraction(1)), ApproxDP(Fraction(1), Fraction(1, 10**6))]
)
def test_shares_add_up(price):
    parts = shared(price, [Fraction(1, 4), Fraction(3, 4)])
    if isinstance(price, PureDP):
        assert sum(part.epsilon for part in parts) == 1
    else:
        assert parts[1].rho == 3 * parts[0].rho


@pytest.mark.parametrize(
    "price",
    [PureDP(Fraction(0)), ZeroConcentratedDP(Fraction(0)), ApproxDP(Fraction(1), Fraction(0)), Composed(()), None],
)
def test_prices_that_buy_no_finite_noise_are_refused(price):
    with pytest.raises(ParameterError, match="price"):
        Count(ROW, price, 1)


def test_f19_a_delta_of_one_is_refused_by_name():
    with pytest.raises(ParameterError, match="delta"):
        Count(ROW, ApproxDP(Fraction(1), Fraction(1)), 1)


def test_f1_infinite_bounds_are_refused():
    with pytest.raises(ParameterError, match="finite"):
        Sum("x", Range(0, float("inf"), 1), ROW, PureDP(Fraction(1)), 1)


def test_f8_a_sum_has_bounds_and_noise():
    with pytest.raises(TypeError):
        Sum("x", unit=ROW, price=PureDP(Fraction(1)), groups=1)
    mechanism = Sum("x", Range(0, 100, 1), ROW, PureDP(Fraction(1)), 1)
    first, second = (
        mechanism.decide(np.array([[5]]), confidence=0.9, bits=SeededBits(seed)).values[0] for seed in (1, 2)
    )
    assert first != second


def test_f14_totals_near_the_limit_of_64_bits():
    """6e8 rows of 5, and saturated totals: no wrap, no error that depends on the data."""
    mechanism = Sum("x", Range(0, 5, 1), ROW, PureDP(Fraction(1)), 3)
    totals = np.array([[6 * 10**8 * 5, 2**62, -(2**62)]])
    out = mechanism.decide(totals, confidence=0.999, bits=SeededBits(1))
    assert np.abs(out.values - totals[0]).max() < 2**20
    apart = Sum("x", Range("0.5", "5.5", 1), ROW, PureDP(Fraction(1)), 1)
    out = apart.decide(np.array([[2**62], [2**62]]), confidence=0.999, bits=SeededBits(1))
    assert out.values[0] == 2**62 / 2


def test_huge_bounds_are_served_or_refused_before_any_data():
    wide = Range(0, 2**52, 1)
    assert Sum("x", wide, ROW, PureDP(Fraction(1)), 1).noise.law.scale == 2**52
    for make in (
        lambda: Sum("x", wide, ROW, PureDP(Fraction(1, 2)), 1),
        lambda: Variance("x", wide, ROW, PureDP(Fraction(1)), 1),
        lambda: Sum("x", Range(2**60, 2**60 + 1, 1), ROW, PureDP(Fraction(2**60)), 1),
    ):
        with pytest.raises(ParameterError, match=r"unit|step"):
            make()


@pytest.mark.parametrize(
    "totals", [np.zeros((2, 1), np.int64), np.zeros((1, 2), np.int64), np.zeros((1, 1)), np.zeros(1, np.int64)]
)
def test_totals_of_another_shape_are_refused(totals):
    with pytest.raises(ParameterError, match="Totals"):
        checked_totals(totals, 1, 1)
