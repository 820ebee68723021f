"""What has one account spent, what is left, and does one more charge fit?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.budget import Measure
from sfumato.account.cost import cost_of
from sfumato.account.odometer import Odometer, admits
from sfumato.account.parallel import total_cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.budget import Budget, Cost
    from sfumato.account.event import Event
    from sfumato.account.ledger.scope import Scope
    from sfumato.table.unit import Unit

_SLACK = Fraction(1, 10**9)
"""Relative difference of two numbers that were rounded up from one irrational cost on two machines."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An account as it would be after one more charge.

    Args:
        paid: sums of the costs in each scope.
        spent: what all charges cost together.
        left: of each number of the budget, at least 0.
        fits: whether the budget admits the charge.
    """

    paid: dict[Scope | None, Cost]
    spent: Cost
    left: Cost
    fits: bool


@dataclass(slots=True)
class Account:
    """A budget and what was counted against it.

    Args:
        unit: whom the data set protects.
        budget: the limit in force.
        spent: what all charges cost together.
        paid: sums of the costs in each scope, from which `spent` follows.
        events: how often each event was charged in each scope, to be counted again in another measure.
        prices: costs that were computed before.
    """

    unit: Unit
    budget: Budget
    spent: Cost
    paid: dict[Scope | None, Cost] = field(default_factory=dict)
    events: Counter[tuple[Event, Scope | None]] = field(default_factory=Counter)
    prices: dict[Event, Cost] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def start(cls, unit: Unit, budget: Budget) -> Account:
        """Nothing is spent."""
        return cls(unit, budget, Odometer.start(budget).spent)

    @property
    def left(self) -> Cost:
        """What is left of each number of the budget, at least 0."""
        return Odometer(self.budget, self.spent).left

    def price(self, event: Event) -> Cost:
        """The cost of an event in the measure of this budget.

        Raises:
            ParameterError: it has none in this measure. Remedy: another mechanism, or a budget in another measure.
        """
        if event not in self.prices:
            self.prices[event] = cost_of(event, self.budget)
        return self.prices[event]

    def covers(self, cost: Cost, event: Event) -> bool:
        """Whether a recorded cost is at least what the event costs, up to the last digit of irrational ones."""
        slack = _SLACK if self.budget.measure is Measure.RENYI else Fraction(0)
        return all(had >= needed * (1 - slack) for had, needed in zip(cost, self.price(event), strict=True))

    def trial(self, cost: Cost, scope: Scope | None) -> Trial:
        """What one more charge would make of this account."""
        counted = self._counted(scope)
        paid = {**self.paid, counted: _add(self.paid.get(counted), cost)}
        after = self._total(paid)
        more = tuple(b - a for a, b in zip(self.spent, after, strict=True))
        return Trial(paid, after, Odometer(self.budget, after).left, admits(self.spent, more, self.budget))

    def pay(self, event: Event, scope: Scope | None, trial: Trial) -> None:
        """Count the charge that was tried."""
        self.paid, self.spent = trial.paid, trial.spent
        self.events[event, self._counted(scope)] += 1

    def recounted(self, budget: Budget) -> dict[Scope | None, Cost]:
        """The sums of costs under another budget.

        Raises:
            ParameterError: an event has no cost in its measure. Remedy: keep the measure.
        """
        if (budget.measure, budget.order) == (self.budget.measure, self.budget.order):
            return self.paid
        again: dict[Scope | None, Cost] = {}
        for (event, scope), count in self.events.items():
            cost = tuple(count * part for part in cost_of(event, budget))
            again[scope] = _add(again.get(scope), cost)
        return again

    def change(self, budget: Budget) -> None:
        """Another budget from here on; what was spent stays spent."""
        self.paid, self.budget, self.prices = self.recounted(budget), budget, {}
        self.spent = self._total(self.paid)

    def words(self, cost: Cost) -> str:
        """Budget, spent, asked and left in words."""
        numbers = {"budget": self.budget.limit, "spent": self.spent, "asked": cost, "left": self.left}
        return ", ".join(f"{name} {in_numbers(value)}" for name, value in numbers.items())

    def _counted(self, scope: Scope | None) -> Scope | None:
        """The scope that counts: none if one person may have rows in several."""
        return scope if self.unit.person is None else None

    def _total(self, paid: Mapping[Scope | None, Cost]) -> Cost:
        """Sums of disjoint scopes are not added but compared."""
        if not paid:
            return Odometer.start(self.budget).spent
        return total_cost([(cost, scope) for scope, cost in paid.items()], self.unit.neighbors)


def in_numbers(cost: Cost) -> str:
    """A cost as decimals and as exact fractions.

    Example:
        >>> from fractions import Fraction
        >>> in_numbers((Fraction(1, 3),)), in_numbers((Fraction(1, 2), Fraction(0)))
        ('0.333333 (1/3)', '0.5 (1/2) and 0')
    """
    return " and ".join(_number(part) for part in cost)


def _number(part: Fraction) -> str:
    """One number."""
    return str(part) if part.denominator == 1 else f"{float(part):.6g} ({part})"


def _add(before: Cost | None, cost: Cost) -> Cost:
    """Sums by component."""
    return cost if before is None else tuple(a + b for a, b in zip(before, cost, strict=True))
