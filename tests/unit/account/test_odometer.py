"""The filter is exact at its limit, and readings are those of the conversions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.budget import Budget
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.event import ApproxDP
from sfumato.account.odometer import Odometer, admits
from sfumato.account.renyi import epsilon_at_order
from sfumato.errors import BudgetExceeded, ParameterError

F = Fraction


def test_the_last_tenth_can_be_spent():
    """Ten times 0.1 is 1, which is not so with floats."""
    odometer = Odometer.start(Budget.pure(1))
    for _ in range(10):
        odometer = odometer.after((F(1, 10),))
    assert odometer.left == (F(0),)
    with pytest.raises(BudgetExceeded):
        odometer.after((F(1, 10**30),))


@given(st.lists(st.fractions(0, 1, max_denominator=20), max_size=8))
def test_no_sequence_passes_the_limit(costs):
    """Whatever is asked: what is admitted sums to at most the limit, and nothing that fits is refused."""
    odometer = Odometer.start(Budget.zcdp(2))
    for cost in costs:
        fits = odometer.spent[0] + cost <= 2
        assert admits(odometer.spent, (cost,), odometer.budget) is fits
        if fits:
            odometer = odometer.after((cost,))
    assert odometer.spent[0] <= 2


def test_both_numbers_must_fit():
    """An approx budget has two."""
    budget = Budget.approx(1, "1e-6")
    assert admits((F(0), F(0)), (F(1), F(1, 10**6)), budget)
    assert not admits((F(0), F(0)), (F(1, 2), F(2, 10**6)), budget)
    assert not admits((F(0), F(0)), (F(2), F(0)), budget)


def test_readings():
    """Pure, approx, zCDP, Rényi."""
    assert Odometer(Budget.pure(1), (F(1, 2),)).reading(delta="1e-6") == ApproxDP(F(1, 2), F(0))
    assert Odometer(Budget.approx(1, "1e-5"), (F(1, 2), F(1, 10**7))).reading(delta="1e-6") == ApproxDP(
        F(1, 2), F(1, 10**7)
    )
    assert Odometer(Budget.zcdp(1), (F(1, 2),)).reading(delta="1e-6").epsilon == cdp_epsilon("0.5", "1e-6")
    renyi = Odometer(Budget.renyi(8, 1), (F(1, 2),)).reading(delta="1e-6")
    assert renyi.epsilon == epsilon_at_order(F(8), F(1, 2), F(1, 10**6))


def test_nothing_spent_reads_zero():
    """Even at an order whose conversion has an offset."""
    assert Odometer.start(Budget.renyi(2, 1)).reading(delta="1e-6") == ApproxDP(F(0), F(0))


def test_the_reading_of_the_odometer_depends_on_delta():
    """A reading without ln(1/δ) would not: smaller δ, larger ε."""
    odometer = Odometer(Budget.zcdp(1), (F(1, 2),))
    assert odometer.reading(delta="1e-12").epsilon > odometer.reading(delta="1e-6").epsilon > F(5)


@pytest.mark.parametrize("cost", [(F(-1),), (F(1), F(0)), ()])
def test_costs_of_another_measure_are_refused(cost):
    """Also negative ones, which would give budget back."""
    with pytest.raises(ParameterError, match="cost_of"):
        admits((F(0),), cost, Budget.pure(1))


def test_delta_one_is_named():
    """By the reading too."""
    with pytest.raises(ParameterError, match="`delta`"):
        Odometer.start(Budget.zcdp(1)).reading(delta=1)
