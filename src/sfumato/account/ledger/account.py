"""One account: what was spent, what is left, and whether one more charge fits; and the rows that a charge can concern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.account.budget import Measure
from sfumato.account.cost import Odometer, admits, cost_of
from sfumato.account.parallel import PartSums
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH
from sfumato.numbers.enclosure import kept
from sfumato.table.domain import canonical

if TYPE_CHECKING:
    from sfumato.account.budget import Budget, Cost
    from sfumato.account.event import Event
    from sfumato.language.words import Words
    from sfumato.table.unit import Unit

_SLACK = Fraction(1, 10**9)
"""Relative difference of two numbers that were rounded up from one irrational cost on two machines."""


class HistoryNeeded(Exception):
    """Charges are to be counted again, and only the list knows them all."""


Group: TypeAlias = tuple[str, str | None]
"""A column, and the version of the data in which each person has one key of it; None: in all, the column is immutable."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows whose `column` holds one of `keys`; answers over disjoint keys concern different rows.

    Keys are canonical values: texts that write one number are one key, whatever type the column has, since `5` and
    `5.0` are one cell in a column of floats. Two keys that are one can only raise what is counted.

    Args:
        column: a column with declared categories.
        keys: distinct declared categories, at least one; their order does not matter and is sorted.

    Raises:
        ParameterError: no column, no key, or a key twice. Remedy: name each key once.

    Example:
        >>> Scope("region", ("south", "north")) == Scope("region", ("north", "south"))
        True
        >>> Scope("size", ("5.0", "05", "1e3", "x")).keys
        ('1000', '5', 'x')
    """

    column: str
    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        texts = isinstance(self.column, str) and self.column and all(isinstance(key, str) for key in self.keys)
        if not texts or not self.keys or len(set(self.keys)) != len(self.keys):
            raise ParameterError(
                "A scope must name a column and at least one key, none of them twice.", "name each key once."
            )
        object.__setattr__(self, "keys", tuple(sorted({canonical(key) for key in self.keys})))


@dataclass(frozen=True, slots=True)
class Asked:
    """What decides how a charge is counted, apart from its cost.

    Args:
        scope: which rows it can concern; None: all.
        version: public name of the version of the data that is read; None: none was given.
    """

    scope: Scope | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """An account as it would be after one more charge.

    Args:
        cost: of the charge.
        worst: what a person may lose in the parts with which its scope is compared; () where nothing is compared.
        spent: what all charges cost together.
        left: of each number of the budget, at least 0.
        fits: whether the budget admits the charge.
    """

    cost: Cost
    worst: Cost
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
        immutable: columns in which no person ever changes key, by the steward's declaration.
        sums: of charges with a scope, for each number of the budget, in each column and version.
        events: how often each event was charged for each kind of question, to be counted again; None: only the list knows.
        last: the entry of the last charge, whose `left` is that of now; 0: none, or the budget was changed since.
        prices: costs that were computed before.
    """

    unit: Unit
    budget: Budget
    spent: Cost
    immutable: frozenset[str] = frozenset()
    sums: dict[Group, tuple[PartSums, ...]] = field(default_factory=dict)
    events: Counter[tuple[Event, Asked]] | None = field(default_factory=Counter)
    last: int = 0
    prices: dict[Event, Cost] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def start(cls, unit: Unit, budget: Budget, immutable: Collection[str] = ()) -> Account:
        """Nothing is spent."""
        return cls(unit, budget, Odometer.start(budget).spent, frozenset(immutable))

    @property
    def left(self) -> Cost:
        """What is left of each number of the budget, at least 0."""
        return Odometer(self.budget, self.spent).left

    def price(self, event: Event) -> Cost:
        """The cost of an event in the measure of this budget, rounded up to what sums keep.

        Raises:
            ParameterError: it has none in this measure. Remedy: another mechanism, or a budget in another measure.
        """
        return tuple(map(kept, self._exact(event)))

    def covers(self, cost: Cost, event: Event) -> bool:
        """Whether a recorded cost is at least what the event costs, up to the last digit of irrational ones."""
        slack = _SLACK if self.budget.measure is Measure.RENYI else Fraction(0)
        return all(had >= part * (1 - slack) for had, part in zip(cost, self._exact(event), strict=True))

    def trial(self, cost: Cost, asked: Asked) -> Trial:
        """What one more charge would make of this account: as many steps as its scope has keys.

        Charges whose parts are no lasting property of a person add up; of one column, in one version of the data or
        if it is immutable, the worst part counts.
        """
        group = self._group(asked)
        more, worst = cost, tuple[Fraction, ...]()
        if group is not None and asked.scope is not None:
            sums = self.sums.get(group) or self._fresh()
            worst = tuple(s.after(asked.scope.keys, c) for s, c in zip(sums, cost, strict=True))
            more = tuple(after - s.worst for s, after in zip(sums, worst, strict=True))
        after = tuple(kept(a + b) for a, b in zip(self.spent, more, strict=True))
        fits = admits(Odometer.start(self.budget).spent, after, self.budget)
        return Trial(cost, worst, after, Odometer(self.budget, after).left, fits)

    def pay(self, event: Event, asked: Asked, trial: Trial) -> None:
        """Count the charge that was tried."""
        group = self._group(asked)
        if group is not None and asked.scope is not None:
            if group not in self.sums:
                self.sums[group] = self._fresh()
            for sums, number, worst in zip(self.sums[group], trial.cost, trial.worst, strict=True):
                sums.add(asked.scope.keys, number, worst)
        self.spent = trial.spent
        if self.events is not None:
            self.events[event, asked] += 1

    def recounted(self, budget: Budget, immutable: Collection[str]) -> Account:
        """The account under another budget, or with other immutable columns; what was spent stays spent.

        Raises:
            ParameterError: an event has no cost in its measure. Remedy: keep the measure.
            HistoryNeeded: the charges are to be counted again, and this account does not know them.
        """
        same = (self.budget.measure, self.budget.order) == (budget.measure, budget.order)
        if same and self.immutable == frozenset(immutable):
            return Account(self.unit, budget, self.spent, self.immutable, self.sums, self.events)
        if self.events is None:
            raise HistoryNeeded
        again = Account.start(self.unit, budget, immutable)
        for (event, asked), count in self.events.items():
            cost = tuple(kept(count * part) for part in again.price(event))
            again.pay(event, asked, again.trial(cost, asked))
        again.events = self.events.copy()
        return again

    def words(self, cost: Cost) -> str:
        """Budget, spent, asked and left in words."""
        numbers = {"budget": self.budget.limit, "spent": self.spent, "asked": cost, "left": self.left}
        return ", ".join(f"{name} {in_numbers(value)}" for name, value in numbers.items())

    def _exact(self, event: Event) -> Cost:
        """The cost of an event, worked out once."""
        if event not in self.prices:
            self.prices[event] = cost_of(event, self.budget)
        return self.prices[event]

    def _fresh(self) -> tuple[PartSums, ...]:
        """Sums of no charges."""
        return tuple(PartSums(self.unit.neighbors.sides) for _ in self.budget.limit)

    def _group(self, asked: Asked) -> Group | None:
        """With which charges a scope is compared; None if it gives no discount.

        Where a person may have rows in several parts, and between versions of the data that nobody named, the parts say
        nothing about persons.
        """
        if asked.scope is None or not self.unit.is_one_row:
            return None
        if asked.scope.column in self.immutable:
            return asked.scope.column, None
        return None if asked.version is None else (asked.scope.column, asked.version)


def in_numbers(cost: Cost, words: Words = ENGLISH) -> str:
    """A cost as decimals and as exact fractions.

    Args:
        cost: one number or two.
        words: of the language.

    Example:
        >>> from fractions import Fraction
        >>> in_numbers((Fraction(1, 3),)), in_numbers((Fraction(1, 2), Fraction(0)))
        ('0.333333 (1/3)', '0.5 (1/2) and 0')
    """
    return f" {words.gettext('and')} ".join(_number(part, words) for part in cost)


def _number(part: Fraction, words: Words) -> str:
    return str(part) if part.denominator == 1 else f"{words.spelled(f'{float(part):.6g}')} ({part})"
