"""What each event costs in each measure, and what is refused with a remedy."""

from fractions import Fraction

import pytest

from sfumato.account.budget import Budget, Measure
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.cost import as_approx, concentrated_rho, cost_of, pure_epsilon, supports
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.gaussian import gaussian_delta
from sfumato.account.renyi import renyi_of_pure
from sfumato.errors import ParameterError

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


def test_conversion_of_gaussian_noise():
    """One total exactly, several through zCDP, which costs more."""
    one = as_approx(GAUSSIAN, delta="1e-6")
    several = as_approx(DiscreteGaussianNoise(F(50), F(1), 5), delta="1e-6")
    assert gaussian_delta(one.epsilon, 50, 1) <= F(1, 10**6)
    assert several == ApproxDP(cdp_epsilon("0.01", "1e-6"), F(1, 10**6))
    assert one.epsilon < several.epsilon


def test_conversion_keeps_pure_events_pure():
    """δ is not spent where it is not needed."""
    assert as_approx(PURE, delta="1e-6") == ApproxDP(F(1, 10), F(0))
    assert as_approx(Composed((PURE, LAPLACE)), delta="1e-6") == ApproxDP(F(1, 5), F(0))
    assert as_approx(APPROX, delta="1e-6") == APPROX


@pytest.mark.parametrize("delta", [1, 0, 1.0])
def test_conversion_names_delta(delta):
    """delta = 1 is refused by name."""
    with pytest.raises(ParameterError, match="`delta`"):
        as_approx(GAUSSIAN, delta=delta)


def test_conversion_of_a_mixture_with_delta_is_refused():
    """An approx event among Gaussian ones has no ρ."""
    with pytest.raises(ParameterError):
        as_approx(Composed((APPROX, GAUSSIAN)), delta="1e-6")
    with pytest.raises(ParameterError):
        as_approx(APPROX, delta="1e-9")


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
