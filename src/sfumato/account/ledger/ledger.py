"""The ledger: the one object that remembers what was paid and answered, for all processes and for good.

Order of an answer: `charge` (durable before anything is read), read and decide, `store_answer`, show what that
returned. See the page "The ledger that never lies" for why a crash at any point neither pays twice nor shows two
answers for one charge.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.account.ledger.account import Scope
from sfumato.account.ledger.chain import Head
from sfumato.account.ledger.checkpoint import checkpoint_of, is_true, lies
from sfumato.account.ledger.entry import Answered, text_of
from sfumato.account.ledger.granting import Grants
from sfumato.account.ledger.postgresql import PostgresStore
from sfumato.account.ledger.sqlite import SqliteStore
from sfumato.account.ledger.state import LedgerState
from sfumato.account.ledger.statement import Statement, statement_of
from sfumato.account.ledger.transactions import Order, Receipt, Transactions, charged
from sfumato.errors import LedgerError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from sfumato.account.budget import Cost
    from sfumato.account.event import Event
    from sfumato.account.ledger.store import Store

__all__ = ["Head", "Ledger", "Order", "Receipt", "Scope", "Statement"]


class Ledger(Grants):
    """An append-only list of charges and answers that several processes and machines share.

    Threads may share one ledger; a forked process reads the list anew.

    Example:
        >>> from fractions import Fraction
        >>> from tempfile import TemporaryDirectory
        >>> from sfumato.account.budget import Budget
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> with TemporaryDirectory() as folder:
        ...     ledger = Ledger.open(f"sqlite:///{folder}/ledger.db", create=True)
        ...     ledger.open_dataset("census", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), create=True)
        ...     ledger.open_analyst("census", "ada", Budget.pure("1/2"))
        ...     receipt = ledger.charge("census", "ada", "mean age", PureDP(Fraction(1, 10)))
        ...     again = ledger.charge("census", "ada", "mean age", PureDP(Fraction(1, 10)))
        ...     shown = ledger.store_answer("mean age", "38.6")
        >>> receipt.left, receipt.analyst_left, again == receipt, shown
        ((Fraction(9, 10),), (Fraction(2, 5),), True, '38.6')
    """

    __slots__ = ()

    def __init__(self, store: Store) -> None:
        super().__init__(Transactions(store))
        with self._transactions.reading():
            pass

    @classmethod
    def open(cls, url: str, *, create: bool = False, patience: float = 30.0, password: str = "") -> Ledger:
        """Open the ledger at a url, and read and check what stands after its newest checkpoint, or the whole list.

        Args:
            url: `sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://user@host/database`. Passwords come
                from the environment, a password file or a service file.
            create: whether to make the ledger if there is none: once, by whoever grants the budget. A ledger that
                vanished would otherwise come back as a full budget.
            patience: seconds to wait for another process, > 0.
            password: of a PostgreSQL server, as somebody typed it; it is kept in memory alone.

        Raises:
            LedgerError: another kind of url, no ledger there, no folder, server or right, a format that this version
                does not know, or a list that was changed. The message names the remedy.
        """
        if not patience > 0:
            raise ParameterError(
                "`patience` must be above 0 seconds; got {patience}.", "give such as 30.", patience=patience
            )
        scheme, _, rest = url.partition("://")
        if scheme in {"postgresql", "postgres"}:
            return cls(PostgresStore.open(url, create=create, patience=patience, password=password))
        if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1 and not {"?", ":memory:"} & {*rest, rest[1:]}:
            return cls(SqliteStore.open(Path(rest[1:]), create=create, patience=patience))
        raise LedgerError(
            "The url of a ledger must be sqlite:///file or postgresql://…; it is another one.", "correct the url."
        )

    def charge(  # noqa: PLR0913 - one call says all that is charged
        self,
        dataset: str,
        analyst: str,
        request: str,
        event: Event,
        *,
        scope: Scope | None = None,
        question: str = "",
        version: str | None = None,
        note: str = "",
        at: str = "",
    ) -> Receipt:
        """Count an event against the data set's and the analyst's budget, durably, before anything is read.

        Args:
            dataset: an open data set.
            analyst: an open analyst of it.
            request: name of the question; the same name with the same meaning is counted once in this ledger.
            event: what the mechanism does to privacy.
            scope: which rows it can concern; None: all. It is recorded, and gives a discount within one version of
                the data, or if its column is immutable; none where persons have several rows.
            question: digest of all that the question means; "" says nothing of it.
            version: public name of the version of the data that is read; None: nobody named it.
            note: a line for readers of the statement: public text, never data.
            at: when, if the caller has a clock.

        Returns:
            The receipt; for a request that was charged before, the receipt it got then.

        Raises:
            BudgetExceeded: one of the two budgets does not suffice; nothing is recorded.
            LedgerError: the request was charged for something else, an account was not opened, or the ledger is
                locked, damaged or not writable.
            ParameterError: the event has no cost in the measure of a budget, or a name is no name.
        """
        return self.charge_all(dataset, analyst, [Order(request, event, scope, question, version, note)], at=at)[0]

    def charge_all(self, dataset: str, analyst: str, orders: Sequence[Order], *, at: str = "") -> tuple[Receipt, ...]:
        """Charge several answers in one transaction: all of them, or none.

        Args:
            dataset: an open data set.
            analyst: an open analyst of it.
            orders: one for each answer, see `charge`.
            at: when, if the caller has a clock.

        Returns:
            Their receipts, in order.

        Raises:
            BudgetExceeded, LedgerError, ParameterError: as `charge` does, for the first that fails; nothing is recorded.
        """
        text_of("at", at)
        with self._transactions.writing() as transaction:
            return tuple(charged(transaction, dataset, analyst, order, at) for order in orders)

    def answer(self, request: str) -> str | None:
        """The stored answer to a request; None if there is none yet."""
        with self._transactions.reading() as transaction:
            place = transaction.state.answer_to(request, transaction.pages)
            return None if place is None else transaction.entry_at(place, Answered).text

    def store_answer(self, request: str, text: str) -> str:
        """Store the answer to a charged request, and return the one that is stored: the first.

        Only what this returns may be shown. If another process was faster, the text given here is forgotten.

        Args:
            request: a request that was charged.
            text: the released answer; noisy and public, never data.

        Raises:
            LedgerError: the request was not charged. Remedy: charge it before reading anything.
        """
        with self._transactions.writing() as transaction:
            place = transaction.state.answer_to(request, transaction.pages)
            if place is not None:
                return transaction.entry_at(place, Answered).text
            if transaction.state.charge_of(request, transaction.pages) is None:
                raise LedgerError("An answer must belong to a charged request; this one does not.", "charge it first.")
            transaction.append(Answered(request, text_of("text", text)))
            return text

    def statement(self, dataset: str) -> Statement:
        """Budgets, what is spent and left, and every charge of a data set.

        Raises:
            LedgerError: no such data set.
        """
        state = LedgerState()
        with self._transactions.reading() as transaction:
            entries = [(state.read(link), state.head) for link in transaction.pages.since(1)]
        return statement_of(dataset, state, entries)

    def left(self, dataset: str) -> Cost:
        """What the data set's budget still holds, number by number; `statement` tells on what it was spent.

        Raises:
            LedgerError: no such data set.
        """
        with self._transactions.reading() as transaction:
            return transaction.state.account(dataset).left

    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets that have an account, in the order in which they were opened."""
        with self._transactions.reading() as transaction:
            return transaction.state.datasets

    def head(self) -> Head:
        """Where the ledger stands; keep it elsewhere to notice later that entries were removed or rewritten."""
        with self._transactions.reading() as transaction:
            return transaction.state.head

    def verify(self, kept: Head | None = None) -> Head:
        """Read the whole list from disk and check it, and its checkpoint by it.

        Args:
            kept: a head that was kept elsewhere; None: none was.

        Returns:
            Where the ledger stands.

        Raises:
            LedgerError: an entry was edited, removed, inserted or moved, the guards of the tables are gone, the
                list does not go through the kept head (it was cut, or rewritten as a whole), or the checkpoint is not
                what the list up to it adds up to.
        """
        state, met = LedgerState(), kept is None or kept == LedgerState().head
        with self._transactions.reading() as transaction:
            point, again = transaction.pages.checkpoint(), None
            for link in transaction.pages.since(1):
                state.read(link)
                if point is not None and state.head.entries == point.head.entries:
                    again = checkpoint_of(state)
                met = met or state.head == kept
            guarded = transaction.pages.guarded()
        if not guarded:
            raise LedgerError(
                "The tables of the ledger must refuse changes; their triggers are gone.",
                "find out who removed them; restore a backup that verifies.",
            )
        if not met:
            raise LedgerError(
                "The ledger must go through the head that was kept; it was cut, replaced or rewritten.",
                "restore the newest backup; charges after it are lost, so open no more of its budget.",
            )
        if point is not None and not is_true(point, again):
            raise lies(point.head.entries)
        return state.head

    def close(self) -> None:
        """Give connections back; a ledger that is used again connects again."""
        self._transactions.store.close()

    def __enter__(self) -> Self:
        """The ledger itself, closed at the end of a `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
