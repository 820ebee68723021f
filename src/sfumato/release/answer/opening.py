"""The ledger of a data document, or of the [account] of a plan: its one opening, and its statement."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.account.accountant import compare
from sfumato.account.event import to_data
from sfumato.account.ledger.ledger import Ledger
from sfumato.account.ledger.statement import event_words
from sfumato.document.header import PLAN, is_of
from sfumato.document.loading import load
from sfumato.document.result.budget import (
    AccountTold,
    BudgetResult,
    ChangeTold,
    ChargeTold,
    DeclaredTold,
    Limit,
    ReadingTold,
    ScopeTold,
)
from sfumato.errors import LedgerError, PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.account.accountant import Reading
    from sfumato.account.budget import Budget, Cost
    from sfumato.account.ledger.entry import BudgetChanged, ImmutableDeclared
    from sfumato.account.ledger.statement import Balance, Line, Statement
    from sfumato.table.unit import Unit
    from sfumato.table.values import Table


@dataclass(frozen=True, slots=True)
class Opening:
    """What a ledger must know before anything is charged.

    Args:
        ledger: its URL.
        dataset: name of the data set in it.
        unit: whom the data set protects.
        budget: what all analysts together may spend.
        analysts: what each may spend.
        immutable: columns in which no person ever changes category; None: nothing is said of them.
        password: of the server of the ledger, as somebody typed it; "": its client looks for it.
    """

    ledger: str
    dataset: str
    unit: Unit
    budget: Budget
    analysts: Mapping[str, Budget]
    immutable: tuple[str, ...] | None
    password: str = field(default="", repr=False, compare=False)


def opening_in(path: Path) -> Opening:
    """What a data document, or the [account] of a plan, says of its ledger.

    Raises:
        PlanError: the document cannot be read, or is a plan without [account].
    """
    return load(path, "data document", lambda tables: _opening(tables, path.parent))


def _opening(document: Table, folder: Path) -> Opening:
    """What the tables of either document say."""
    from sfumato.release.answer.document import data_document_from
    from sfumato.release.graph.declared import declared_graph_from
    from sfumato.release.method.registry import method_named
    from sfumato.release.plan_reader import plan_from

    if not is_of(document, PLAN) and "graph" in document:
        graph = declared_graph_from(document, folder=folder)
        return Opening(graph.ledger, graph.dataset, graph.unit, graph.budget, graph.analysts, None)
    if not is_of(document, PLAN):
        data = data_document_from(document, folder=folder)
        return Opening(data.ledger, data.dataset, data.unit, data.budget, data.analysts, data.immutable)
    plan = plan_from(document, folder=folder)
    account = plan.account
    if account is None:
        raise PlanError(
            "A plan must have [account] to have a ledger; it has none.", "give a data document, or add [account]."
        )
    analysts = {account.analyst: account.analyst_budget}
    unit = method_named(plan.method.name).unit(plan)
    return Opening(account.ledger, account.dataset, unit, account.budget, analysts, None)


def create(opening: Opening) -> None:
    """Open the data set's account and those of the listed analysts, once; make the ledger if there is none.

    Raises:
        LedgerError: the data set has an account: nothing is made, since what was spent stays spent.
    """
    with Ledger.open(opening.ledger, create=True, password=opening.password) as ledger:
        if opening.dataset in ledger.datasets():
            raise LedgerError(
                "The account of a data set is opened once; that of {dataset!r} is there already.",
                "leave `--create` out.",
                dataset=opening.dataset,
            )
        ledger.open_dataset(opening.dataset, opening.unit, opening.budget, create=True, immutable=opening.immutable)
        for analyst, budget in opening.analysts.items():
            ledger.open_analyst(opening.dataset, analyst, budget)


def budget_of(opening: Opening, delta: str | None) -> tuple[Statement, tuple[Reading, ...]]:
    """What was spent; with a delta, what each accountant says of all charges together.

    The readings take the charges as fixed in advance and over the same persons; the limit itself is kept in the
    measure of the budget, which holds for questions that depend on earlier answers too.

    Raises:
        LedgerError: there is no such ledger or data set yet.
    """
    with Ledger.open(opening.ledger, password=opening.password) as ledger:
        statement = ledger.statement(opening.dataset)
    if delta is None or not statement.charges:
        return statement, ()
    return statement, compare([line.charge.event for line in statement.charges], delta)


def told_of(statement: Statement, readings: Sequence[Reading], delta: str | None) -> BudgetResult:
    """The same as a document.

    Args:
        statement: what the ledger says.
        readings: what each accountant says.
        delta: at which delta; None: not asked.
    """
    said = [ReadingTold(accountant=one.accountant, epsilon=str(one.epsilon), note=one.note) for one in readings]
    return BudgetResult(
        dataset=_account(statement.dataset), unit=statement.unit, analysts=tuple(map(_account, statement.analysts)),
        charges=tuple(map(_charge, statement.charges)), changes=tuple(map(_change, statement.changes)),
        immutable=statement.immutable, declared=tuple(map(_declared, statement.declared)), head=str(statement.head),
        readings=tuple(said), at_delta=delta,
    )  # fmt: skip


def _account(balance: Balance) -> AccountTold:
    return AccountTold(
        name=balance.who, budget=_limit(balance.budget), spent=_texts(balance.spent), left=_texts(balance.left)
    )


def _limit(budget: Budget) -> Limit:
    order = None if budget.order is None else str(budget.order)
    return Limit(measure=budget.measure.value, limit=_texts(budget.limit), order=order)


def _charge(line: Line) -> ChargeTold:
    """A charge; one of version 0.1.0 has no question, and so no version either."""
    paid, scope = line.charge, line.charge.scope
    return ChargeTold(
        kind="charge", dataset=paid.dataset, analyst=paid.analyst, request=paid.request, event=to_data(paid.event),
        scope=None if scope is None else ScopeTold(column=scope.column, keys=scope.keys),
        costs=tuple(map(_texts, paid.costs)), left=tuple(map(_texts, paid.left)), note=paid.note, at=paid.at,
        sequence=line.sequence, words=event_words(paid.event), answered=line.answered, version=paid.version,
        question=paid.question,
    )  # fmt: skip


def _change(change: BudgetChanged) -> ChangeTold:
    return ChangeTold(
        kind="budget", dataset=change.dataset, analyst=change.analyst, budget=_limit(change.budget),
        reason=change.reason, at=change.at,
    )  # fmt: skip


def _declared(said: ImmutableDeclared) -> DeclaredTold:
    return DeclaredTold(kind="immutable", dataset=said.dataset, columns=said.columns, reason=said.reason, at=said.at)


def _texts(cost: Cost) -> tuple[str, ...]:
    """Exact fractions as texts "a/b"."""
    return tuple(map(str, cost))
