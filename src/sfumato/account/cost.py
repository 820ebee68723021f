"""What an event costs in a measure, as numbers that add up under adaptive composition; what is spent, and whether the next fits.

| event | pure | approx | zCDP | Rényi at order α |
|---|---|---|---|---|
| PureDP(ε) | ε | (ε, 0) | ε²/2 | tight bound of ε-DP |
| DiscreteLaplaceNoise | sensitivity/scale | the same, 0 | ε²/2 | exact |
| ApproxDP(ε, δ) | δ = 0 only | (ε, δ) | δ = 0 only | δ = 0 only |
| ZeroConcentratedDP(ρ) | – | after `as_approx` | ρ | αρ |
| DiscreteGaussianNoise | – | after `as_approx` | Δ²/2σ² | αΔ²/2σ² |
| Composed | sum | sum | sum | sum |

The next question may depend on all answers so far, and so may its price. The filter says yes only if the prices so
far and the next one add up to at most the limit, which was fixed before the first answer. Then everything together
keeps the limit:

- pure and approx: the sums of ε and δ (Rogers et al. 2016, theorem 3.6, basic composition);
- zCDP: the sum of ρ (Feldman and Zrnic 2021; Whitehouse et al. 2023, theorem 1);
- Rényi: the sum at one order that was fixed before (Feldman and Zrnic 2021, theorem 3.1).
"""

from __future__ import annotations

from dataclasses import replace
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
from sfumato.account.renyi import epsilon_at_order, renyi_of_laplace, renyi_of_pure
from sfumato.errors import BudgetExceeded, ParameterError
from sfumato.frozen import dataclass
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
    raise unsupported(event, budget.measure)


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
        raise unsupported(event, Measure.RENYI)
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


def unsupported(event: Event, measure: Measure) -> ParameterError:
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


def admits(spent: Cost, cost: Cost, budget: Budget) -> bool:
    """Whether a budget of which so much is spent can pay a cost. Exact: the last fraction may be spent.

    Args:
        spent: total so far, in the measure of the budget.
        cost: of the next event, known before data are seen.
        budget: fixed before the first answer.

    Raises:
        ParameterError: numbers that are negative or of another measure. Remedy: use `cost_of` with this budget.

    Source:
        R. Rogers, A. Roth, J. Ullman, S. Vadhan, "Privacy Odometers and Filters", NeurIPS 2016; V. Feldman, T. Zrnic,
        "Individual Privacy Accounting via a Rényi Filter", NeurIPS 2021; J. Whitehouse, A. Ramdas, R. Rogers,
        Z. S. Wu, "Fully-Adaptive Composition in Differential Privacy", ICML 2023.

    Example:
        >>> tenth = (Fraction(1, 10),)
        >>> admits((Fraction(9, 10),), tenth, Budget.pure(1)), admits((Fraction(1),), tenth, Budget.pure(1))
        (True, False)
    """
    _same_measure(spent, budget)
    _same_measure(cost, budget)
    return all(a + b <= limit for a, b, limit in zip(spent, cost, budget.limit, strict=True))


@dataclass(frozen=True, slots=True)
class Odometer:
    """What has been spent of a budget.

    Args:
        budget: the limit.
        spent: total so far, in its measure.

    Raises:
        ParameterError: `spent` is negative or of another measure. Remedy: start with `Odometer.start(budget)`.

    Example:
        >>> odometer = Odometer.start(Budget.zcdp("0.5")).after((Fraction(1, 8),))
        >>> odometer.left
        (Fraction(3, 8),)
    """

    budget: Budget
    spent: Cost

    def __post_init__(self) -> None:
        _same_measure(self.spent, self.budget)

    @classmethod
    def start(cls, budget: Budget) -> Odometer:
        """Nothing is spent."""
        return cls(budget, (Fraction(0),) * len(budget.limit))

    @property
    def left(self) -> Cost:
        """What can still be spent, number by number, at least 0."""
        return tuple(max(limit - part, Fraction(0)) for limit, part in zip(self.budget.limit, self.spent, strict=True))

    def after(self, cost: Cost) -> Odometer:
        """The odometer after one more event.

        Raises:
            BudgetExceeded: it costs more than is left. Remedy: ask for less, or stop.
        """
        if not admits(self.spent, cost, self.budget):
            raise BudgetExceeded(
                "The answer costs {words}, and {words2} is left.",
                "ask with less precision, or open a new budget knowingly.",
                words=_words(cost),
                words2=_words(self.left),
            )
        return replace(self, spent=tuple(a + b for a, b in zip(self.spent, cost, strict=True)))

    def reading(self, *, delta: str | float | Fraction) -> ApproxDP:
        """What is spent as (ε, δ), for people to read; ε is rounded up. Pure and approx budgets show their own δ.

        In the pure measure it holds at every moment. In the others it is the promise of a filter whose limit is
        what is now spent: a person who stops *because* of the answers relies on the limit of the budget instead.

        Args:
            delta: in (0, 1), used by zCDP and Rényi budgets.

        Raises:
            ParameterError: a delta outside (0, 1). Remedy: choose one far below 1 / (number of persons).
        """
        delta, spent = checked_delta(delta), self.spent[0]
        if self.budget.measure is Measure.PURE:
            return ApproxDP(spent, Fraction(0))
        if self.budget.measure is Measure.APPROX:
            return ApproxDP(spent, self.spent[1])
        if spent == 0:
            return ApproxDP(Fraction(0), Fraction(0))
        if self.budget.order is None:
            return ApproxDP(cdp_epsilon(spent, delta), delta)
        return ApproxDP(epsilon_at_order(self.budget.order, spent, delta), delta)


def _same_measure(cost: Cost, budget: Budget) -> None:
    """Refuse numbers that cannot be a cost in the measure."""
    if len(cost) != len(budget.limit) or any(part < 0 for part in cost):
        raise ParameterError(
            "A cost in {measure!r} is {n_limit} number(s), at least 0; got {cost}.",
            "compute it with `cost_of(event, budget)`.",
            measure=budget.measure.value,
            n_limit=len(budget.limit),
            cost=cost,
        )


def _words(cost: Cost) -> str:
    """The numbers of a cost, readable."""
    return " and ".join(f"{float(part):.6g}" for part in cost)
