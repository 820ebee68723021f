"""Prices from errors: kept by the price, not kept by the next lower one."""

from fractions import Fraction

import pytest

from sfumato.account.event import PureDP, ZeroConcentratedDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.accuracy import Accuracy, price_for_count, price_for_mean, price_for_sum
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean_of_replaced import mean_for
from sfumato.mechanism.central.sums import Sum
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit

ROW, EXCHANGED = Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE)
VISITS = Unit(Neighbors.REPLACE, "who", rows=2, keys=3)
AGE = Range(0, 120, 1)
KINDS = [PureDP, ZeroConcentratedDP]


def number(price):
    return price.epsilon if isinstance(price, PureDP) else price.rho


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", [ROW, VISITS])
@pytest.mark.parametrize("error", [0, 1, 50, 10**6])
def test_counts(kind, unit, error):
    price = price_for_count(Accuracy(error, 0.95), unit=unit, groups=10, kind=kind)
    assert Count(unit, price, 10).error(0.95) <= error
    assert Count(unit, kind(number(price) * Fraction(998, 1000)), 10).error(0.95) > error or error < 2


@pytest.mark.parametrize("kind", KINDS)
def test_sums(kind):
    price = price_for_sum(Accuracy(5000, 0.9), AGE, unit=ROW, groups=1, kind=kind)
    assert Sum("age", AGE, ROW, price, 1).error(0.9) <= 5000
    assert Sum("age", AGE, ROW, kind(number(price) * Fraction(998, 1000)), 1).error(0.9) > 5000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", [ROW, EXCHANGED, VISITS])
@pytest.mark.parametrize("groups", [1, 10])
def test_means_are_priced_by_the_mechanism_that_answers(kind, unit, groups):
    price = price_for_mean(Accuracy("0.5", 0.9), AGE, 2000, unit=unit, groups=groups, kind=kind)
    assert mean_for("age", AGE, unit, price, groups).error(0.9, 2000) <= Fraction(1, 2)
    lower = kind(number(price) * Fraction(998, 1000))
    assert mean_for("age", AGE, unit, lower, groups).error(0.9, 2000) > Fraction(1, 2)


def test_plus_minus_50_at_95_percent():
    """Continuous Laplace noise would need ln(20)/50 = 0.0599; whole noise a little less."""
    price = price_for_count(Accuracy(50, 0.95), unit=ROW, groups=None, kind=PureDP)
    assert price.epsilon == Fraction("0.05932")


@pytest.mark.parametrize("wanted", [(-1, 0.9), (1, 0), (1, 1), ("x", 0.9), (float("inf"), 0.9)])
def test_accuracies_that_cannot_be_are_refused(wanted):
    with pytest.raises(ParameterError):
        Accuracy(*wanted)


def test_an_accuracy_that_no_price_keeps_is_refused():
    with pytest.raises(ParameterError, match="less accuracy"):
        price_for_mean(Accuracy("1e-9", 0.9), Range(0, 2**50, 1), 1, unit=ROW, groups=1, kind=PureDP)
