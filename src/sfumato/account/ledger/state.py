"""The state of a ledger: accounts, what each has spent, and which requests were paid and answered.

Nothing is believed that is not in the list: the state is kept in memory, read off the list from its first entry,
and brought up to date inside each transaction. Reading checks everything that writing promised: the chain, that
no request is charged twice or answered without a charge, that costs are not smaller than what the event costs, that
what was written as left is what is left, and that no charge went beyond a budget.

Version 0.1.0 gave discounts between versions of the data that nobody named. Its charges are believed and
counted in full: what it wrote as left may be more than is left now, never less, and no such charge may follow one of today.
"""

from __future__ import annotations

from dataclasses import field
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from sfumato.account.ledger.account import Account
from sfumato.account.ledger.chain import GENESIS, Head, damaged, follow, is_sealed
from sfumato.account.ledger.entry import (
    AnalystOpened,
    Answered,
    BudgetChanged,
    Charged,
    DatasetOpened,
    ImmutableDeclared,
    entry_from,
    named_as,
)
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.account.budget import Cost
    from sfumato.account.event import Event
    from sfumato.account.ledger.account import Asked, Trial
    from sfumato.account.ledger.chain import Link
    from sfumato.account.ledger.entry import Entry
    from sfumato.account.ledger.store import Pages

Key: TypeAlias = tuple[str, str | None]
"""Data set and analyst; None: the account of the data set, in which the charges of all analysts count."""

Pair: TypeAlias = "tuple[Cost, Cost]"
"""A number for the data set's account and one for the analyst's."""


@dataclass(slots=True)
class LedgerState:
    """The state of a ledger after its first entries.

    Args:
        head: after which entry.
        accounts: of data sets and analysts.
        charges: where each paid request stands.
        answers: where its answer stands.
        is_renewed: whether a charge was read that version 0.1.0 cannot have written.
        base: the entry of the checkpoint from which it was read on; charges and answers up to there are found in the list.
        kept: the entry of the newest checkpoint that is known; 0: none, or charges were counted again since.
        length: of that checkpoint, in characters.
    """

    head: Head = GENESIS
    accounts: dict[Key, Account] = field(default_factory=dict)
    charges: dict[str, Head] = field(default_factory=dict)
    answers: dict[str, Head] = field(default_factory=dict)
    is_renewed: bool = False
    base: int = 0
    kept: int = field(default=0, compare=False)
    length: int = field(default=0, compare=False)

    def read(self, link: Link, pages: Pages | None = None) -> Entry:
        """Enter the next entry, or, if that is refused, nothing.

        Args:
            link: the entry.
            pages: the list, where the state begins at a checkpoint.

        Raises:
            LedgerError: it does not follow, or says what cannot be. Remedy: restore a backup that verifies.
            HistoryNeeded: charges before the checkpoint are to be counted again.
        """
        head = follow(self.head, link)
        entry = entry_from(link.body)
        try:
            can_be = self._enter(entry, head, pages)
        except ParameterError:  # an event without a cost in the measure of a budget
            can_be = False
        if not can_be:
            raise damaged(head.entries)
        self.head = head
        return entry

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets that have an account, in the order in which they were opened."""
        return tuple(dataset for dataset, analyst in self.accounts if analyst is None)

    def charge_of(self, request: str, pages: Pages | None) -> Head | None:
        """Where a paid request stands; None: it was not paid."""
        return self.charges.get(request) or self._before(Charged, request, pages)

    def answer_to(self, request: str, pages: Pages | None) -> Head | None:
        """Where the answer to a request stands; None: there is none."""
        return self.answers.get(request) or self._before(Answered, request, pages)

    def _before(self, kind: type[Charged | Answered], request: str, pages: Pages | None) -> Head | None:
        """Where the list says so, up to the checkpoint; an entry that was changed is refused."""
        if not self.base or pages is None:
            return None
        for link in pages.named(named_as(request)):
            entry = entry_from(link.body) if link.sequence <= self.base else None
            if isinstance(entry, kind) and entry.request == request:
                if not stands(link, pages):
                    raise damaged(link.sequence)
                return Head(link.sequence, link.digest)
        return None

    def account(self, dataset: str, analyst: str | None = None) -> Account:
        """An account that was opened.

        Raises:
            LedgerError: there is none. Remedy: correct the name, or open it.
        """
        if (dataset, None) not in self.accounts:
            raise self.unknown(dataset)
        found = self.accounts.get((dataset, analyst))
        if found is None:
            who = f"Analyst {analyst!r} of data set {dataset!r}"
            raise LedgerError(
                "{who} must have an account in this ledger; there is none.", "call `open_analyst` first.", who=who
            )
        return found

    def unknown(self, dataset: str) -> LedgerError:
        """What is said of a data set that has no account: how many have one, and which is named nearly so.

        Example:
            >>> LedgerState().unknown("census").problem
            "Data set 'census' must have an account in this ledger; it knows no data set."
        """
        names = self.datasets
        near = get_close_matches(dataset, names, 1, cutoff=0.0)
        known = "no data set" if not near else f"{len(names)}, the nearest name is {near[0]!r}"
        return LedgerError(
            "Data set {dataset!r} must have an account in this ledger; it knows {known}.",
            "correct the name; or, if it is new and you grant its budget, open it by `sfumato budget DATA --create` or "
            "`create=True`.",
            dataset=dataset,
            known=known,
        )

    def afford(self, dataset: str, analyst: str, event: Event, asked: Asked) -> tuple[Pair, Pair]:
        """Costs of an event in both accounts, and what would be left of both budgets.

        Raises:
            BudgetExceeded: one of the budgets does not suffice.
            ParameterError: the event has no cost in the measure of a budget.
            LedgerError: an account was not opened.
        """
        whole, own = self.account(dataset), self.account(dataset, analyst)
        costs = whole.price(event), own.price(event)
        trials = whole.trial(costs[0], asked), own.trial(costs[1], asked)
        for account, cost, trial in zip((whole, own), costs, trials, strict=True):
            if not trial.fits:
                who, name = ("data set", dataset) if account is whole else ("analyst", analyst)
                raise BudgetExceeded(
                    "The answer must fit in the budget of {who} {name!r}: {words}.",
                    "ask for less (a smaller epsilon, fewer questions), ask the same question again for its stored "
                    "answer, or let the owner change the budget, which is recorded.",
                    who=who,
                    name=name,
                    words=account.words(cost),
                )
        return costs, (trials[0].left, trials[1].left)

    def _enter(self, entry: Entry, place: Head, pages: Pages | None) -> bool:
        """Whether the entry can be, and if so its effect."""
        match entry:
            case DatasetOpened():
                return self._open((entry.dataset, None), Account.start(entry.unit, entry.budget, entry.immutable))
            case AnalystOpened():
                whole = self.accounts.get((entry.dataset, None))
                return whole is not None and self._open(
                    (entry.dataset, entry.analyst), Account.start(whole.unit, entry.budget, whole.immutable)
                )
            case BudgetChanged():
                account = self.accounts.get((entry.dataset, entry.analyst))
                if account is not None:
                    again = account.recounted(entry.budget, account.immutable)
                    self.accounts[entry.dataset, entry.analyst] = again
                    self.kept = 0
                return account is not None
            case ImmutableDeclared():
                every = {
                    k: a.recounted(a.budget, entry.columns) for k, a in self.accounts.items() if k[0] == entry.dataset
                }
                self.accounts |= every
                self.kept = 0
                return bool(every)
            case Charged():
                return self._pay(entry, place, pages)
            case Answered():
                is_first = self.charge_of(entry.request, pages) and not self.answer_to(entry.request, pages)
                return bool(is_first) and self.answers.setdefault(entry.request, place) is place

    def _open(self, key: Key, account: Account) -> bool:
        """A new account, unless there is one."""
        return self.accounts.setdefault(key, account) is account

    def _pay(self, entry: Charged, place: Head, pages: Pages | None) -> bool:
        """Count a charge in both accounts, unless it cannot have been accepted."""
        whole, own = self.accounts.get((entry.dataset, None)), self.accounts.get((entry.dataset, entry.analyst))
        if whole is None or own is None or self.charge_of(entry.request, pages):
            return False
        is_old, trials = entry.question is None, []
        if is_old and self.is_renewed:
            return False
        for account, cost, left in zip((whole, own), entry.costs, entry.left, strict=True):
            if len(cost) != len(account.budget.limit) or not account.covers(cost, entry.event):
                return False
            trial = account.trial(cost, entry.asked)
            if not _is_left(trial, left) if is_old else not trial.fits or trial.left != left:
                return False
            trials.append(trial)
        whole.pay(entry.event, entry.asked, trials[0])
        own.pay(entry.event, entry.asked, trials[1])
        whole.last = own.last = 0 if is_old else place.entries
        self.charges[entry.request], self.is_renewed = place, not is_old
        return True


def stands(link: Link, pages: Pages) -> bool:
    """Whether an entry is whole and the one after it, if there is one, follows it."""
    after = pages.page(link.sequence + 1)
    return is_sealed(link) and (after is None or after.previous == link.digest)


def _is_left(trial: Trial, left: Cost) -> bool:
    """Whether so much can have been left by the count of version 0.1.0, which was never above that of today."""
    return len(left) == len(trial.left) and all(old >= new for old, new in zip(left, trial.left, strict=True))
