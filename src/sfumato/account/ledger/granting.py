"""Accounts of data sets and analysts: opened, and changed with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.ledger.entry import (
    AnalystOpened,
    BudgetChanged,
    DatasetOpened,
    ImmutableDeclared,
    name_of,
    text_of,
)
from sfumato.account.ledger.statement import budget_words
from sfumato.errors import LedgerError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection

    from sfumato.account.budget import Budget
    from sfumato.account.ledger.transactions import Transactions
    from sfumato.table.unit import Unit


class Grants:
    """The part of a `Ledger` that belongs to whoever grants budgets."""

    __slots__ = ("_transactions",)

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def open_dataset(
        self,
        dataset: str,
        unit: Unit,
        budget: Budget,
        *,
        create: bool = False,
        immutable: Collection[str] | None = None,
        at: str = "",
    ) -> None:
        """Open the account of a data set; opening it again with the same declarations changes nothing.

        Args:
            dataset: its name in this ledger.
            unit: whom it protects.
            budget: what all analysts together may spend.
            create: whether to make the account if there is none: once, by whoever grants the budget. A misspelt name
                would otherwise be a full budget for data whose budget is spent.
            immutable: columns in which no person ever changes key, in no version of the data; None: none, or those
                that the ledger knows.
            at: when, if the caller has a clock.

        Raises:
            LedgerError: the ledger does not know the data set (the message tells the nearest name), it was opened with
                another unit, or has another budget or other immutable columns now. Remedy: the right name, `create`,
                `change_budget`, `declare_immutable`.
        """
        columns = tuple(sorted({name_of("a column", column) for column in immutable or ()}))
        entry = DatasetOpened(name_of("a data set", dataset), unit, budget, text_of("at", at), columns)
        with self._transactions.writing() as transaction:
            known = transaction.state.accounts.get((dataset, None))
            if known is None:
                if not create:
                    raise transaction.state.unknown(dataset)
                transaction.append(entry)
            elif known.unit != unit:
                raise LedgerError(
                    "Data set {dataset!r} protects {sentence} in this ledger; it was opened for another unit.",
                    "use the unit it has, or a new data set (its answers and those given before add up).",
                    dataset=dataset,
                    sentence=known.unit.sentence,
                )
            else:
                _same_budget(f"Data set {dataset!r}", known.budget, budget)
                if immutable is not None and known.immutable != frozenset(columns):
                    raise LedgerError(
                        "The immutable columns of data set {dataset!r} are {immutable} in this ledger; it "
                        "was opened with {columns}.",
                        "open it with those it has, or call `declare_immutable` with a reason.",
                        dataset=dataset,
                        immutable=sorted(known.immutable),
                        columns=list(columns),
                    )

    def open_analyst(self, dataset: str, analyst: str, budget: Budget, *, at: str = "") -> None:
        """Open the account of an analyst; opening it again with the same budget changes nothing.

        Raises:
            LedgerError: the data set was not opened, or the account has another budget now. Remedy: `change_budget`.
        """
        entry = AnalystOpened(dataset, name_of("an analyst", analyst), budget, text_of("at", at))
        with self._transactions.writing() as transaction:
            transaction.state.account(dataset)
            known = transaction.state.accounts.get((dataset, analyst))
            if known is None:
                transaction.append(entry)
            else:
                _same_budget(f"Analyst {analyst!r}", known.budget, budget)

    def change_budget(self, dataset: str, analyst: str | None, budget: Budget, *, reason: str, at: str = "") -> None:
        """Another limit from here on, recorded with its reason. What was spent stays spent.

        Raising a limit breaks the promise that the old one made: the promise is then the new limit, for all
        answers together. In another measure all events so far are counted again.

        Args:
            dataset: which data set.
            analyst: whose account; None: the data set's.
            budget: the new limit; it may be lower than what was spent, then nothing more is admitted.
            reason: for those who read the statement; not empty.
            at: when, if the caller has a clock.

        Raises:
            LedgerError: no such account.
            ParameterError: no reason, or an event that has no cost in the new measure.
        """
        _reason("A change of a budget", reason)
        with self._transactions.writing(recounts=True) as transaction:
            account = transaction.state.account(dataset, analyst)
            account.recounted(budget, account.immutable)
            transaction.append(BudgetChanged(dataset, analyst, budget, reason, text_of("at", at)))

    def declare_immutable(self, dataset: str, columns: Collection[str], *, reason: str, at: str = "") -> None:
        """From here on, these are the columns in which no person ever changes key; recorded with its reason.

        All charges are counted again: those of a column that is declared now share the price across versions of the data,
        those of a column that no longer is add up, except within one version.

        Args:
            dataset: which data set.
            columns: all immutable columns; those that are left out are so no more.
            reason: why that is known; not empty.
            at: when, if the caller has a clock.

        Raises:
            LedgerError: no such data set.
            ParameterError: no reason, or a name that is none.
        """
        _reason("A declaration", reason)
        named = tuple(sorted({name_of("a column", column) for column in columns}))
        with self._transactions.writing(recounts=True) as transaction:
            transaction.state.account(dataset)
            transaction.append(ImmutableDeclared(dataset, named, reason, text_of("at", at)))


def _same_budget(who: str, has: Budget, asked: Budget) -> None:
    """Refuse to open an account with another budget than it has."""
    if has != asked:
        raise LedgerError(
            "{who} has a budget of {budget_words} in this ledger; it was opened with {budget_words2}.",
            "open it with the budget it has, or call `change_budget` with a reason.",
            who=who,
            budget_words=budget_words(has),
            budget_words2=budget_words(asked),
        )


def _reason(what: str, reason: str) -> None:
    """Refuse a change that nobody gives a reason for."""
    if not text_of("reason", reason).strip():
        raise ParameterError("{what} must have a reason; it has none.", "say why.", what=what)
