"""Statements for the owner of a data set, or an analyst: budgets, what is spent and left, and all charges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.account.budget import Budget, Measure
from sfumato.account.event import ApproxDP, Composed, DiscreteGaussianNoise, DiscreteLaplaceNoise, PureDP
from sfumato.account.ledger.account import in_numbers
from sfumato.account.ledger.entry import AnalystOpened, BudgetChanged, Charged, ImmutableDeclared
from sfumato.frozen import dataclass
from sfumato.language.asked import asked, parts_of
from sfumato.language.words import ENGLISH

if TYPE_CHECKING:
    from sfumato.account.budget import Cost
    from sfumato.account.event import Event
    from sfumato.account.ledger.chain import Head
    from sfumato.account.ledger.entry import Entry
    from sfumato.account.ledger.state import LedgerState
    from sfumato.language.words import Words

_NO_BREAK = "\u00a0\u202f"
"""Spaces of French at which no line breaks."""


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

    def text(self, words: Words = ENGLISH) -> str:
        """As plain text.

        Args:
            words: of the language; names, reasons and requests stay as they were written.
        """
        _ = words.gettext
        top = [_("Data set {who}: {balance}").format(who=self.dataset.who, balance=_balance(self.dataset, words)),
               _("Protected: {unit}.").format(unit=words.say(self.unit))]  # fmt: skip
        top += [_("Immutable: {columns}.").format(columns=", ".join(self.immutable))] if self.immutable else []
        analysts = [f"  {balance.who}: {_balance(balance, words)}" for balance in self.analysts]
        lines = [_line(line, words) for line in self.charges]
        changes = [f"  {c.analyst or self.dataset.who}: {_now(budget_words(c.budget, words), c.reason, words)}"
                   for c in self.changes]  # fmt: skip
        declared = [f"  {_now(', '.join(c.columns) or _('none'), c.reason, words)}" for c in self.declared]
        parts = [(_("Analysts:"), analysts), (_("Charges:"), lines), (_("Changes of budgets:"), changes),
                 (_("Changes of immutable columns:"), declared)]  # fmt: skip
        shown = [line for title, found in parts if found for line in ("", title, *found)]
        last = _("Head: {head}").format(head=self.head)
        return "\n".join(_on_one_line(line) for line in [*top, *shown, "", last])


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


def budget_words(budget: Budget, words: Words = ENGLISH) -> str:
    """A budget in words.

    Args:
        budget: any.
        words: of the language.

    Example:
        >>> budget_words(Budget.approx(1, "1e-6")), budget_words(Budget.renyi(8, 2))
        ('epsilon 1, delta 1e-06 (1/1000000)', 'Rényi epsilon 2 at order 8')
    """
    first = in_numbers(budget.limit[:1], words)
    match budget.measure:
        case Measure.PURE:
            return f"epsilon {first}"
        case Measure.APPROX:
            return f"epsilon {first}, delta {in_numbers(budget.limit[1:], words)}"
        case Measure.ZCDP:
            return f"rho {first}"
        case Measure.RENYI:
            return words.gettext("Rényi epsilon {epsilon} at order {order}").format(epsilon=first, order=budget.order)


def event_words(event: Event, words: Words = ENGLISH) -> str:
    """An event in words.

    Args:
        event: any.
        words: of the language.

    Example:
        >>> from fractions import Fraction
        >>> event_words(DiscreteLaplaceNoise(Fraction(10), Fraction(1)))
        'discrete Laplace noise of scale 10 for sensitivity 1'
    """
    match event:
        case PureDP():
            return f"epsilon {in_numbers((event.epsilon,), words)}"
        case ApproxDP():
            return f"epsilon {in_numbers((event.epsilon,), words)}, delta {in_numbers((event.delta,), words)}"
        case DiscreteLaplaceNoise():
            return words.say(f"discrete Laplace noise of scale {event.scale} for sensitivity {event.sensitivity}")
        case DiscreteGaussianNoise():
            return words.say(
                f"discrete Gaussian noise of squared scale {event.squared_scale} for squared sensitivity "
                f"{event.squared_sensitivity}"
            )
        case Composed():
            return " + ".join(event_words(part, words) for part in event.events)
    return f"rho {in_numbers((event.rho,), words)}"


def _balance_of(dataset: str, state: LedgerState, analyst: str | None, who: str) -> Balance:
    account = state.account(dataset, analyst)
    return Balance(who, account.budget, account.spent, account.left)


def _balance(balance: Balance, words: Words) -> str:
    return words.gettext("budget {budget}; spent {spent}; left {left}").format(
        budget=budget_words(balance.budget, words),
        spent=in_numbers(balance.spent, words),
        left=in_numbers(balance.left, words),
    )


def _now(what: str, reason: str, words: Words) -> str:
    """What was changed, and why."""
    return words.gettext("now {what} ({reason})").format(what=what, reason=reason)


def _line(line: Line, words: Words) -> str:
    """One charge."""
    charge, _ = line.charge, words.gettext
    parts = [event_words(charge.event, words), _("cost {cost}").format(cost=in_numbers(charge.costs[0], words))]
    if charge.scope is not None:
        parts.append(_("only {column} in {keys}").format(column=charge.scope.column, keys=", ".join(charge.scope.keys)))
    if charge.version is not None:
        parts.append(_("data {version}").format(version=charge.version))
    parts += [text for text in (_note(charge.note, words), charge.at) if text]
    parts += [] if line.answered else [_("answer not stored")]
    return f"  {line.sequence}. {charge.analyst}: {charge.request}: {_('; ').join(parts)}"


def _note(note: str, words: Words) -> str:
    """What was noted: a question and its price, or anything else."""
    question, price = parts_of(note)
    if not price:
        return asked(note, words)
    return words.gettext("{question} for {price}").format(question=asked(question, words), price=price)


def _on_one_line(text: str) -> str:
    """A line in which nothing can pass for another line or steer a terminal."""
    return "".join(c if c.isprintable() or c in _NO_BREAK else c.encode("unicode_escape").decode() for c in text)
