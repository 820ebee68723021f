"""What every accountant, and every currency of a budget, must do. A new one is added to COUNTED or to SPENT.

The slow twin knows the whole law: the loss of each event in the worst case, all of them added up outcome by outcome, and
the exact delta at an epsilon, with 50 digits.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from math import isqrt
from typing import get_args

import pytest

from sfumato.account.accountant import Accountant, Batch, compare, epsilon_of
from sfumato.account.budget import Budget, Measure
from sfumato.account.cost import Odometer, cost_of, supports
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)

F = Fraction
PURE, SMALL = PureDP(F(1, 2)), PureDP(F(1, 10))
LAPLACE, WIDE = DiscreteLaplaceNoise(F(2), F(1)), DiscreteLaplaceNoise(F(3), F(2))
GAUSS, FAILING, CONCENTRATED = (
    DiscreteGaussianNoise(F(4), F(1)),
    ApproxDP(F(1, 2), F(1, 10**7)),
    ZeroConcentratedDP(F(1, 8)),
)
DELTAS = ("1e-2", "1e-5")

COUNTED = {
    "basic": [[PURE] * 2, [PURE, LAPLACE], [SMALL, FAILING]],
    "kov": [[PURE] * 4, [PURE, SMALL, WIDE], [FAILING] * 3],
    "rdp": [[PURE] * 4, [GAUSS] * 4, [LAPLACE, WIDE, GAUSS], [CONCENTRATED] * 4],
    "zcdp": [[GAUSS] * 4, [GAUSS, PURE, CONCENTRATED]],
    "pld": [[PURE] * 4, [GAUSS] * 3, [LAPLACE, WIDE], [FAILING, GAUSS]],
}
"""Lists that each accountant can count."""

SPENT = {
    Measure.PURE: (Budget.pure(100), [PURE, LAPLACE, Composed((SMALL, WIDE))]),
    Measure.APPROX: (Budget.approx(100, "1e-3"), [PURE, FAILING, Composed((SMALL, FAILING))]),
    Measure.ZCDP: (Budget.zcdp(100), [GAUSS, PURE, CONCENTRATED, Composed((GAUSS, SMALL))]),
    Measure.RENYI: (Budget.renyi(8, 100), [GAUSS, LAPLACE, PURE, CONCENTRATED]),
}
"""Lists that each currency can pay."""


def losses(event):
    """Chance of each loss in the worst case; the loss of what fails altogether is None."""
    match event:
        case PureDP() | ApproxDP():
            odds, lost = Decimal(1) / (1 + (-_decimal(event.epsilon)).exp()), _decimal(getattr(event, "delta", F(0)))
            found = {_decimal(event.epsilon): (1 - lost) * odds, -_decimal(event.epsilon): (1 - lost) * (1 - odds)}
            return found | ({None: lost} if lost else {})
        case DiscreteLaplaceNoise():
            return _moved(
                lambda x: -abs(Decimal(x)) / _decimal(event.scale), int(event.sensitivity), int(50 * event.scale)
            )
        case DiscreteGaussianNoise():
            square = _decimal(event.squared_scale)
            return _moved(
                lambda x: -(Decimal(x) ** 2) / (2 * square),
                isqrt(int(event.squared_sensitivity)),
                24 * isqrt(int(event.squared_scale)),
            )
        case ZeroConcentratedDP():
            return losses(DiscreteGaussianNoise(1 / (2 * event.rho), F(1)))


def _decimal(number):
    return Decimal(number.numerator) / Decimal(number.denominator)


def _moved(log_weight, shift, reach):
    """Whole noise against the same noise moved; outcomes of a chance below 10⁻²⁰ are left out."""
    weights = {x: log_weight(x).exp() for x in range(-reach, reach + 1)}
    total, found = sum(weights.values()), {}
    for x, weight in weights.items():
        loss = log_weight(x) - log_weight(x - shift)
        found[loss] = found.get(loss, Decimal(0)) + weight / total
    return found


def slow_delta(events, epsilon):
    """δ(ε) of all events together: Σ P(loss) (1 - e^(ε - loss))₊."""
    with localcontext() as context:
        context.prec = 50
        law = {Decimal(0): Decimal(1)}
        for event in events:
            more, one = {}, losses(event)
            for (a, p), (b, q) in ((x, y) for x in law.items() for y in one.items()):
                both = None if a is None or b is None else (a + b).quantize(Decimal("1e-30"))
                more[both] = more.get(both, Decimal(0)) + p * q
            law = more
        limit = _decimal(F(epsilon))
        return sum(p if loss is None else p * max(1 - (limit - loss).exp(), Decimal(0)) for loss, p in law.items())


lists = pytest.mark.parametrize(
    ("accountant", "events"), [(name, events) for name, every in COUNTED.items() for events in every], ids=lambda one: one if isinstance(one, str) else "-"
)  # fmt: skip


@lists
@pytest.mark.parametrize("delta", DELTAS)
def test_no_list_costs_more_than_it_says(accountant, events, delta):
    """The delta of the whole law at its epsilon is kept: rounding is against us."""
    assert slow_delta(events, epsilon_of(events, delta, accountant)) <= Decimal(delta) * (1 + Decimal("1e-18"))


@lists
def test_one_that_forgets_half_of_the_list_is_caught(accountant, events):
    """At a small delta even the coarsest says little more than the truth."""
    broken = epsilon_of(events[: len(events) // 2], "1e-6", accountant)
    assert slow_delta(events, broken) > Decimal("1e-6")


@lists
def test_it_is_monotone_and_order_does_not_matter(accountant, events):
    said = [epsilon_of(events, delta, accountant) for delta in DELTAS]
    assert said[0] <= said[1]
    for n in range(1, len(events)):
        assert epsilon_of(events[:n], DELTAS[0], accountant) <= epsilon_of(events[: n + 1], DELTAS[0], accountant)
    orders = {tuple(order) for order in permutations(events)}
    found = [epsilon_of(order, DELTAS[0], accountant) for order in sorted(orders, key=repr)[:4]]
    assert max(found) - min(found) <= F(1, 10**9)


@lists
def test_nothing_costs_nothing_and_composed_events_are_their_parts(accountant, events):
    assert epsilon_of([], DELTAS[0], accountant) == 0
    assert abs(
        epsilon_of([Composed(tuple(events))], DELTAS[0], accountant) - epsilon_of(events, DELTAS[0], accountant)
    ) <= F(1, 10**9)


@lists
def test_a_batch_is_charged_what_the_accountant_says(accountant, events):
    said = epsilon_of(events, DELTAS[1], accountant)
    assert Batch(tuple(events), F(DELTAS[1]), accountant).event == ApproxDP(said, F(DELTAS[1]))
    reading = next(one for one in compare(events, DELTAS[1]) if one.accountant == accountant)
    assert reading.epsilon == said


def test_every_accountant_and_every_currency_is_under_contract():
    assert set(COUNTED) == set(get_args(Accountant))
    assert set(SPENT) == set(Measure)


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("delta", DELTAS)
def test_what_a_budget_reads_is_kept_by_the_whole_law(measure, delta):
    """One event after the other; the reading of the sum is sound at every moment."""
    budget, events = SPENT[measure]
    odometer = Odometer.start(budget)
    for i, event in enumerate(events):
        odometer = odometer.after(cost_of(event, budget))
        flat = [part for one in events[: i + 1] for part in (one.events if isinstance(one, Composed) else (one,))]
        reading = odometer.reading(delta=delta)
        assert slow_delta(flat, reading.epsilon) <= max(
            Decimal(delta) if measure in {Measure.ZCDP, Measure.RENYI} else Decimal("1e-25"), _decimal(reading.delta)
        )


@pytest.mark.parametrize("measure", Measure)
def test_costs_add_up_grow_and_a_forgotten_charge_is_caught(measure):
    budget, events = SPENT[measure]
    assert all(supports(event, measure) for event in events)
    costs = [cost_of(event, budget) for event in events]
    assert cost_of(Composed(tuple(events)), budget) == tuple(map(sum, zip(*costs, strict=True)))
    assert all(min(cost) >= 0 and max(cost) > 0 for cost in costs)
    forgetful = Odometer.start(budget).after(costs[0])
    flat = [part for one in events * 3 for part in (one.events if isinstance(one, Composed) else (one,))]
    reading = forgetful.reading(delta="1e-6")
    assert slow_delta(flat[:6], reading.epsilon) > max(Decimal("1e-6"), _decimal(reading.delta))
