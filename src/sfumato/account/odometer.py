"""How much has been spent, and may the next answer be given? A privacy odometer and filter.

The next question may depend on all answers so far, and so may its price. The filter says yes only if the prices so
far and the next one add up to at most the limit, which was fixed before the first answer. Then everything together
keeps the limit:

- pure and approx: the sums of ε and δ (Rogers et al. 2016, theorem 3.6, basic composition);
- zCDP: the sum of ρ (Feldman and Zrnic 2021; Whitehouse et al. 2023, theorem 1);
- Rényi: the sum at one order that was fixed before (Feldman and Zrnic 2021, theorem 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.budget import Budget, Measure
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.event import ApproxDP
from sfumato.account.renyi import epsilon_at_order
from sfumato.errors import BudgetExceeded, ParameterError
from sfumato.numbers.check import checked_delta

if TYPE_CHECKING:
    from sfumato.account.budget import Cost


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
