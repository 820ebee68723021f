"""Statements for the owner of a data set, or an analyst: budgets, what is spent and left, and all charges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.account.budget import Budget, Measure
from sfumato.account.event import ApproxDP, Composed, DiscreteGaussianNoise, DiscreteLaplaceNoise, PureDP
from sfumato.account.ledger.account import in_numbers
from sfumato.account.ledger.entry import AnalystOpened, BudgetChanged, Charged, ImmutableDeclared
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.account.budget import Cost
    from sfumato.account.event import Event
    from sfumato.account.ledger.chain import Head
    from sfumato.account.ledger.entry import Entry
    from sfumato.account.ledger.state import LedgerState


@dataclass(frozen=True, slots=True)
class Balance:
    """One account.

    Args:
        who: name of the data set or of the analyst.
        budget: the limit in force.
        spent: by all charges so far, in its measure.
        left: of each number.
    """

    who: str
    budget: Budget
    spent: Cost
    left: Cost


@dataclass(frozen=True, slots=True)
class Line:
    """One charge.

    Args:
        sequence: its number in the ledger.
        charge: what was charged.
        answered: whether its answer is stored; if not, it can be finished at no cost.
    """

    sequence: int
    charge: Charged
    answered: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """What the ledger says of one data set.

    Args:
        dataset: its account.
        unit: who is protected against what, in words.
        analysts: their accounts, in the order of opening.
        charges: all charges, in order.
        changes: all changes of budgets, in order.
        immutable: columns in which no person ever changes key.
        declared: all changes of them, in order.
        head: where the ledger stood.
    """

    dataset: Balance
    unit: str
    analysts: tuple[Balance, ...]
    charges: tuple[Line, ...]
    changes: tuple[BudgetChanged, ...]
    head: Head
    immutable: tuple[str, ...] = ()
    declared: tuple[ImmutableDeclared, ...] = ()

    def text(self) -> str:
        """As plain text."""
        top = [f"Data set {self.dataset.who}: {_balance(self.dataset)}", f"Protected: {self.unit}."]
        top += [f"Immutable: {', '.join(self.immutable)}."] if self.immutable else []
        analysts = [f"  {balance.who}: {_balance(balance)}" for balance in self.analysts]
        lines = [_line(line) for line in self.charges]
        changes = [
            f"  {c.analyst or self.dataset.who}: now {budget_words(c.budget)} ({c.reason})" for c in self.changes
        ]
        declared = [f"  now {', '.join(c.columns) or 'none'} ({c.reason})" for c in self.declared]
        parts = [("Analysts", analysts), ("Charges", lines), ("Changes of budgets", changes),
                 ("Changes of immutable columns", declared)]  # fmt: skip
        shown = [line for title, found in parts if found for line in ("", f"{title}:", *found)]
        return "\n".join(_on_one_line(line) for line in [*top, *shown, "", f"Head: {self.head}"])


def statement_of(dataset: str, state: LedgerState, entries: Sequence[tuple[Entry, Head]]) -> Statement:
    """The statement of a data set.

    Args:
        dataset: its name.
        state: the state after all entries.
        entries: all entries, each with its place.

    Raises:
        LedgerError: the data set has no account.
    """
    whole = state.account(dataset)
    ours = [(entry, place) for entry, place in entries if getattr(entry, "dataset", None) == dataset]
    analysts = [entry.analyst for entry, _ in ours if isinstance(entry, AnalystOpened)]
    return Statement(
        dataset=_balance_of(dataset, state, None, dataset),
        unit=whole.unit.sentence,
        analysts=tuple(_balance_of(dataset, state, name, name) for name in analysts),
        charges=tuple(
            Line(place.entries, entry, entry.request in state.answers)
            for entry, place in ours
            if isinstance(entry, Charged)
        ),
        changes=tuple(entry for entry, _ in ours if isinstance(entry, BudgetChanged)),
        head=state.head,
        immutable=tuple(sorted(whole.immutable)),
        declared=tuple(entry for entry, _ in ours if isinstance(entry, ImmutableDeclared)),
    )


def budget_words(budget: Budget) -> str:
    """A budget in words.

    Example:
        >>> budget_words(Budget.approx(1, "1e-6")), budget_words(Budget.renyi(8, 2))
        ('epsilon 1, delta 1e-06 (1/1000000)', 'Rényi epsilon 2 at order 8')
    """
    first = in_numbers(budget.limit[:1])
    match budget.measure:
        case Measure.PURE:
            return f"epsilon {first}"
        case Measure.APPROX:
            return f"epsilon {first}, delta {in_numbers(budget.limit[1:])}"
        case Measure.ZCDP:
            return f"rho {first}"
        case Measure.RENYI:
            return f"Rényi epsilon {first} at order {budget.order}"


def event_words(event: Event) -> str:
    """An event in words.

    Example:
        >>> from fractions import Fraction
        >>> event_words(DiscreteLaplaceNoise(Fraction(10), Fraction(1)))
        'discrete Laplace noise of scale 10 for sensitivity 1'
    """
    match event:
        case PureDP():
            return f"epsilon {in_numbers((event.epsilon,))}"
        case ApproxDP():
            return f"epsilon {in_numbers((event.epsilon,))}, delta {in_numbers((event.delta,))}"
        case DiscreteLaplaceNoise():
            return f"discrete Laplace noise of scale {event.scale} for sensitivity {event.sensitivity}"
        case DiscreteGaussianNoise():
            return (
                f"discrete Gaussian noise of squared scale {event.squared_scale} for squared sensitivity "
                f"{event.squared_sensitivity}"
            )
        case Composed():
            return " + ".join(event_words(part) for part in event.events)
    return f"rho {in_numbers((event.rho,))}"


def _balance_of(dataset: str, state: LedgerState, analyst: str | None, who: str) -> Balance:
    account = state.account(dataset, analyst)
    return Balance(who, account.budget, account.spent, account.left)


def _balance(balance: Balance) -> str:
    return f"budget {budget_words(balance.budget)}; spent {in_numbers(balance.spent)}; left {in_numbers(balance.left)}"


def _line(line: Line) -> str:
    charge = line.charge
    scope = "" if charge.scope is None else f"; only {charge.scope.column} in {', '.join(charge.scope.keys)}"
    scope += "" if charge.version is None else f"; data {charge.version}"
    state = "" if line.answered else "; answer not stored"
    rest = "".join(f"; {text}" for text in (charge.note, charge.at) if text)
    return (
        f"  {line.sequence}. {charge.analyst}: {charge.request}: {event_words(charge.event)}; cost "
        f"{in_numbers(charge.costs[0])}{scope}{rest}{state}"
    )


def _on_one_line(text: str) -> str:
    """A line in which nothing can pass for another line or steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
