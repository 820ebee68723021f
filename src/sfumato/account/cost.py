"""What does an event cost in a measure, as numbers that add up under adaptive composition?

| event | pure | approx | zCDP | Rényi at order α |
|---|---|---|---|---|
| PureDP(ε) | ε | (ε, 0) | ε²/2 | tight bound of ε-DP |
| DiscreteLaplaceNoise | sensitivity/scale | the same, 0 | ε²/2 | exact |
| ApproxDP(ε, δ) | δ = 0 only | (ε, δ) | δ = 0 only | δ = 0 only |
| ZeroConcentratedDP(ρ) | – | after `as_approx` | ρ | αρ |
| DiscreteGaussianNoise | – | after `as_approx` | Δ²/2σ² | αΔ²/2σ² |
| Composed | sum | sum | sum | sum |
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.budget import Budget, Measure
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.gaussian import gaussian_epsilon
from sfumato.account.renyi import renyi_of_laplace, renyi_of_pure
from sfumato.errors import ParameterError
from sfumato.numbers.check import checked_delta

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.account.budget import Cost
    from sfumato.account.event import Event


def cost_of(event: Event, budget: Budget) -> Cost:
    """The cost of an event in the currency of a budget: exact, or rounded up to 15 digits where it is irrational.

    Args:
        event: what happened or will happen.
        budget: its measure, and the order of a Rényi budget.

    Returns:
        As `Cost` of that measure.

    Raises:
        ParameterError: the event has no cost in this measure. Remedy: charge `as_approx(event, delta=…)` to an approx
            budget, or open a zCDP budget.

    Source:
        M. Bun, T. Steinke, "Concentrated Differential Privacy", TCC 2016, proposition 1.4 (ε-DP is ε²/2-zCDP);
        C. Canonne, G. Kamath, T. Steinke, NeurIPS 2020, theorem 4 (discrete Gaussian noise is Δ²/2σ²-zCDP).

    Example:
        >>> cost_of(PureDP(Fraction(1, 10)), Budget.zcdp(1))
        (Fraction(1, 200),)
    """
    epsilon, rho = pure_epsilon(event), concentrated_rho(event)
    if budget.measure is Measure.PURE and epsilon is not None:
        return (epsilon,)
    if budget.measure is Measure.APPROX and isinstance(event, ApproxDP):
        return (event.epsilon, event.delta)
    if budget.measure is Measure.APPROX and epsilon is not None:
        return (epsilon, Fraction(0))
    if isinstance(event, Composed):
        return _sum((cost_of(part, budget) for part in event.events), budget)
    if budget.measure is Measure.ZCDP and rho is not None:
        return (rho,)
    if budget.order is not None and rho is not None:
        return (renyi_of(event, budget.order),)
    raise _unsupported(event, budget.measure)


def supports(event: Event, measure: Measure) -> bool:
    """Whether the event has a cost in the measure.

    Example:
        >>> supports(ZeroConcentratedDP(Fraction(1)), Measure.PURE), supports(PureDP(Fraction(1)), Measure.RENYI)
        (False, True)
    """
    if isinstance(event, Composed):
        return all(supports(part, measure) for part in event.events)
    if measure is Measure.PURE:
        return pure_epsilon(event) is not None
    if measure is Measure.APPROX:
        return isinstance(event, ApproxDP) or pure_epsilon(event) is not None
    return concentrated_rho(event) is not None


def as_approx(event: Event, *, delta: str | float | Fraction) -> ApproxDP:
    """The event as (ε, δ)-differential privacy at a δ that is chosen by the caller; ε is rounded up.

    Pure events keep δ = 0. Discrete Gaussian noise on one total is converted exactly, on several totals and in every
    composition through zero-concentrated differential privacy.

    Args:
        event: any event that is pure or concentrated; an ApproxDP is returned as it is if its δ is no larger.
        delta: in (0, 1).

    Raises:
        ParameterError: a delta outside (0, 1), or an event that cannot be converted at it. Remedy: choose a larger
            delta, or charge the parts one by one.

    Example:
        >>> event = as_approx(ZeroConcentratedDP(Fraction(1, 2)), delta="1e-6")
        >>> round(float(event.epsilon), 4), event.delta
        (5.2215, Fraction(1, 1000000))
    """
    delta = checked_delta(delta)
    epsilon, rho = pure_epsilon(event), concentrated_rho(event)
    if epsilon is not None:
        return ApproxDP(epsilon, Fraction(0))
    if isinstance(event, ApproxDP) and event.delta <= delta:
        return event
    if isinstance(event, DiscreteGaussianNoise) and event.coordinates == 1:
        return ApproxDP(gaussian_epsilon(delta, event.squared_scale, event.squared_sensitivity), delta)
    if rho is not None:
        return ApproxDP(cdp_epsilon(rho, delta), delta)
    raise _unsupported(event, Measure.ZCDP)


def pure_epsilon(event: Event) -> Fraction | None:
    """The ε of an event that is purely differentially private; None of another.

    Example:
        >>> pure_epsilon(DiscreteLaplaceNoise(Fraction(10), Fraction(1)))
        Fraction(1, 10)
    """
    if isinstance(event, PureDP) or (isinstance(event, ApproxDP) and event.delta == 0):
        return event.epsilon
    if isinstance(event, DiscreteLaplaceNoise):
        return Fraction(event.sensitivity) / event.scale
    return _whole(pure_epsilon(part) for part in event.events) if isinstance(event, Composed) else None


def concentrated_rho(event: Event) -> Fraction | None:
    """The ρ of an event that is zero-concentrated differentially private; None of another.

    Example:
        >>> concentrated_rho(DiscreteGaussianNoise(Fraction(50), Fraction(1)))
        Fraction(1, 100)
    """
    if isinstance(event, Composed):
        return _whole(concentrated_rho(part) for part in event.events)
    if isinstance(event, ZeroConcentratedDP):
        return event.rho
    if isinstance(event, DiscreteGaussianNoise):
        return Fraction(event.squared_sensitivity) / (2 * event.squared_scale)
    epsilon = pure_epsilon(event)
    return None if epsilon is None else epsilon**2 / 2


def renyi_of(event: Event, order: Fraction) -> Fraction:
    """The Rényi divergence at an order that a pure or concentrated event, not composed, implies; rounded up.

    Example:
        >>> renyi_of(ZeroConcentratedDP(Fraction(1, 2)), Fraction(3))
        Fraction(3, 2)
    """
    if isinstance(event, DiscreteLaplaceNoise) and Fraction(event.sensitivity).denominator == 1:
        return renyi_of_laplace(order, event.scale, int(event.sensitivity))
    epsilon, rho = pure_epsilon(event), concentrated_rho(event)
    if epsilon is not None:
        return renyi_of_pure(order, epsilon)
    if rho is None:
        raise _unsupported(event, Measure.RENYI)
    return order * rho


def _whole(parts: Iterable[Fraction | None]) -> Fraction | None:
    """The sum, or None if a part is None."""
    total = Fraction(0)
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _sum(costs: Iterable[Cost], budget: Budget) -> Cost:
    """Costs added up, number by number."""
    total = (Fraction(0),) * len(budget.limit)
    for cost in costs:
        total = tuple(a + b for a, b in zip(total, cost, strict=True))
    return total


def _unsupported(event: Event, measure: Measure) -> ParameterError:
    """An event without a price in a measure, and what to do."""
    remedy = {
        Measure.PURE: "use a pure mechanism, or open a budget that has a price for it: zCDP for a rho, approx for a delta.",
        Measure.APPROX: "choose a delta and charge `as_approx(event, delta=...)`, or open a zCDP budget.",
        Measure.ZCDP: "open an approx budget.",
        Measure.RENYI: "open an approx budget.",
    }[measure]
    return ParameterError(
        "{kind} has no cost in the measure {measure!r}.", remedy, kind=type(event).__name__, measure=measure.value
    )
