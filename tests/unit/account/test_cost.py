"""Costs of events in every measure, and what the filter admits."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.budget import Budget, Measure
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.cost import Odometer, admits, concentrated_rho, cost_of, pure_epsilon, supports
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.renyi import epsilon_at_order, renyi_of_pure
from sfumato.errors import BudgetExceeded, ParameterError

F = Fraction
PURE, LAPLACE = PureDP(F(1, 10)), DiscreteLaplaceNoise(F(20), F(2))
APPROX, CONCENTRATED = ApproxDP(F(1), F(1, 10**6)), ZeroConcentratedDP(F(1, 8))
GAUSSIAN = DiscreteGaussianNoise(F(50), F(1))
BUDGETS = {
    Measure.PURE: Budget.pure(1),
    Measure.APPROX: Budget.approx(1, "1e-5"),
    Measure.ZCDP: Budget.zcdp(1),
    Measure.RENYI: Budget.renyi(4, 1),
}

COSTS = [
    (PURE, Measure.PURE, (F(1, 10),)),
    (PURE, Measure.APPROX, (F(1, 10), F(0))),
    (PURE, Measure.ZCDP, (F(1, 200),)),
    (LAPLACE, Measure.PURE, (F(1, 10),)),
    (LAPLACE, Measure.APPROX, (F(1, 10), F(0))),
    (LAPLACE, Measure.ZCDP, (F(1, 200),)),
    (APPROX, Measure.APPROX, (F(1), F(1, 10**6))),
    (CONCENTRATED, Measure.ZCDP, (F(1, 8),)),
    (CONCENTRATED, Measure.RENYI, (F(1, 2),)),
    (GAUSSIAN, Measure.ZCDP, (F(1, 100),)),
    (GAUSSIAN, Measure.RENYI, (F(4, 100),)),
    (Composed((PURE, LAPLACE)), Measure.PURE, (F(2, 10),)),
    (Composed((PURE, APPROX)), Measure.APPROX, (F(11, 10), F(1, 10**6))),
    (Composed((PURE, GAUSSIAN, Composed((CONCENTRATED,)))), Measure.ZCDP, (F(1, 200) + F(1, 100) + F(1, 8),)),
    (ApproxDP(F(1, 3), F(0)), Measure.PURE, (F(1, 3),)),
    (Composed(()), Measure.APPROX, (F(0), F(0))),
]


@pytest.mark.parametrize(("event", "measure", "cost"), COSTS)
def test_costs_are_exact(event, measure, cost):
    """Rational costs are the fractions of the table."""
    assert cost_of(event, BUDGETS[measure]) == cost
    assert supports(event, measure)


REFUSED = [
    (APPROX, Measure.PURE),
    (GAUSSIAN, Measure.PURE),
    (CONCENTRATED, Measure.PURE),
    (CONCENTRATED, Measure.APPROX),
    (GAUSSIAN, Measure.APPROX),
    (APPROX, Measure.ZCDP),
    (APPROX, Measure.RENYI),
    (Composed((PURE, APPROX)), Measure.ZCDP),
    (Composed((PURE, GAUSSIAN)), Measure.PURE),
]


@pytest.mark.parametrize(("event", "measure"), REFUSED)
def test_what_has_no_cost_is_refused_by_name(event, measure):
    """The message names an event and the measure."""
    assert not supports(event, measure)
    with pytest.raises(ParameterError, match=measure.value) as caught:
        cost_of(event, BUDGETS[measure])
    assert "DP" in str(caught.value) or "Noise" in str(caught.value)


def test_a_gaussian_in_an_approx_budget_names_the_way_out():
    """The remedy is a conversion with a delta that the caller chooses."""
    with pytest.raises(ParameterError, match="as_approx") as caught:
        cost_of(GAUSSIAN, BUDGETS[Measure.APPROX])
    assert "delta" in caught.value.remedy


def test_renyi_costs_of_pure_events_are_tight():
    """Laplace noise with a sensitivity above 1 costs less than what is only known to be pure."""
    budget = BUDGETS[Measure.RENYI]
    assert cost_of(PURE, budget) == (renyi_of_pure(F(4), F(1, 10)),)
    assert cost_of(LAPLACE, budget) < cost_of(PURE, budget)
    assert cost_of(DiscreteLaplaceNoise(F(20), F(3, 2)), budget) == (renyi_of_pure(F(4), F(3, 40)),)


def test_exponential_mechanism_scores_do_not_cost_less_than_their_rate():
    """Two candidates, scores (0, 0) and (1, -1), sensitivity 1: the divergence is below ρ = ε²/2, and above a quarter of it."""
    import math

    for epsilon in (0.1, 1.0, 2.0):
        chance = 1 / (1 + math.exp(-epsilon))  # rate ε/2 times a difference of scores of 2
        p, q = (0.5, 0.5), (chance, 1 - chance)
        for order in (1.01, 2.0, 10.0):
            divergence = math.log(sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))) / (order - 1)
            rho = float(concentrated_rho(PureDP(F(str(epsilon)))))
            assert divergence <= rho * order
            assert pure_epsilon(PureDP(F(str(epsilon)))) >= max(abs(math.log(a / b)) for a, b in zip(p, q, strict=True))


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
