"""Transactions, one reader or writer at a time in this process, with the state up to date inside; and what is charged in one."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from sfumato.account.event import Event, numbers_of
from sfumato.account.ledger.account import Asked, HistoryNeeded
from sfumato.account.ledger.chain import damaged, is_sealed, seal
from sfumato.account.ledger.checkpoint import checkpoint_of, resumed
from sfumato.account.ledger.entry import Answered, Charged, entry_from, name_of, text_of
from sfumato.account.ledger.state import LedgerState
from sfumato.errors import InternalError, LedgerError, ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.exact import MOST_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.account.budget import Cost
    from sfumato.account.ledger.account import Scope
    from sfumato.account.ledger.chain import Head
    from sfumato.account.ledger.entry import Entry
    from sfumato.account.ledger.store import Pages, Store

APART = 128
"""Entries between two checkpoints at least."""

_LETTERS = 16_384
"""Of a checkpoint, for each entry between it and the next one: they take less time to write than the entry."""

_LONGEST = 10_000
"""Most characters of the name of a request."""

_MOST = 10 ** (10 * MOST_DIGITS)
"""An event holds numbers that are computed from prices and declared bounds: more digits than those have, but not any."""


@dataclass(frozen=True, slots=True)
class Order:
    """One answer to be charged.

    Args:
        request: name of the question; the same name with the same meaning is counted once in a ledger.
        event: what the mechanism does to privacy.
        scope: which rows it can concern; None: all.
        question: digest of all that the question means; a name that was used for another one is refused. "" says nothing.
        version: public name of the version of the data that is read; None: none was given.
        note: a line for readers of the statement: public text, never data.

    Raises:
        ParameterError: a name that is none, a text that cannot be written, or an event of endless numbers.
    """

    request: str
    event: Event
    scope: Scope | None = None
    question: str = ""
    version: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(text_of("request", self.request)) <= _LONGEST:
            raise ParameterError(
                "A request must be a text of 1 to {longest} characters.", "name it by a digest.", longest=_LONGEST
            )
        text_of("question", self.question)
        text_of("note", self.note)
        if self.version is not None:
            name_of("a version of the data", self.version)
        if not isinstance(self.event, Event):
            raise ParameterError("A charge must have an event; it has something else.", "give such as PureDP.")
        if any(max(abs(n.numerator), n.denominator) > _MOST for n in numbers_of(self.event)):
            raise ParameterError(
                "The numbers of an event must have at most {most_digits} digits; some have more.",
                "give prices of fewer digits, rounded up.",
                most_digits=10 * MOST_DIGITS,
            )

    def is_of(self, known: Charged) -> bool:
        """Whether a charge on record is the one for this question."""
        return (known.event, known.scope, known.version, known.question) == (
            self.event, self.scope, self.version, self.question,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof that a request was charged.

    Args:
        sequence: number of the entry.
        digest: its seal, which depends on all entries before it.
        dataset: which data set.
        analyst: who asked.
        request: name of the question.
        cost: in the measure of the data set's budget.
        analyst_cost: in the measure of the analyst's budget.
        left: of the data set's budget after this charge.
        analyst_left: of the analyst's budget after this charge.
    """

    sequence: int
    digest: str
    dataset: str
    analyst: str
    request: str
    cost: Cost
    analyst_cost: Cost
    left: Cost
    analyst_left: Cost


def receipt_of(entry: Charged, place: Head) -> Receipt:
    """The receipt of a charge."""
    return Receipt(place.entries, place.digest, entry.dataset, entry.analyst, entry.request, *entry.costs, *entry.left)


def charged(transaction: Transaction, dataset: str, analyst: str, order: Order, at: str) -> Receipt:
    """The receipt of one order, which is counted unless it was before."""
    place = transaction.state.charge_of(order.request, transaction.pages)
    if place is not None:
        known = transaction.entry_at(place, Charged)
        if (known.dataset, known.analyst) != (dataset, analyst) or not order.is_of(known):
            raise _not_the_same(known)
        return receipt_of(known, place)
    costs, left = transaction.state.afford(dataset, analyst, order.event, Asked(order.scope, order.version))
    entry = Charged(
        dataset, analyst, order.request, order.event, order.scope, costs, left, order.note, at, order.version,
        order.question,
    )  # fmt: skip
    return receipt_of(entry, transaction.append(entry))


def _not_the_same(known: Charged) -> LedgerError:
    """What is raised when one name is used for two questions."""
    if known.question is None:
        return LedgerError(
            "A request must name one question; this one was charged by version 0.1.0, which did not record all that a "
            "question means. Its charge counts, its answer is not given again.",
            "give the question a name of its own.",
        )
    return LedgerError(
        "A request must name one question; this one was charged for another one: another data set, analyst, event, scope, "
        "version of the data, bounds, domains or conditions.",
        "give the new question a name of its own, or none.",
    )


_Kind = TypeVar("_Kind", Charged, Answered)


@dataclass(frozen=True, slots=True)
class Transaction:
    """One transaction: the list on disk, and the state after all of it."""

    pages: Pages
    state: LedgerState

    def append(self, entry: Entry) -> Head:
        """Add an entry and enter it as it will be read."""
        link = seal(self.state.head, entry.data())
        if self.state.read(link, self.pages) != entry:
            raise InternalError("An entry of the ledger would not be read as it was meant; nothing was written.")
        self.pages.append(link)
        return self.state.head

    def entry_at(self, place: Head, kind: type[_Kind]) -> _Kind:
        """An entry that the state knows, still as it was when it was read.

        Raises:
            LedgerError: it was changed since.
        """
        link = self.pages.page(place.entries)
        entry = None if link is None or link.digest != place.digest or not is_sealed(link) else entry_from(link.body)
        if not isinstance(entry, kind):
            raise damaged(place.entries)
        return entry


class Transactions:
    """The state of this process, shared by its threads.

    What was read stays read, but the last entry must still be there when the next transaction begins. If one adds an
    entry and fails, perhaps while committing, the state is read anew from disk. A forked process starts with an empty
    state and a lock of its own.

    Args:
        store: the database.
        apart: entries between two checkpoints at least.
    """

    __slots__ = ("_lock", "_pid", "_state", "apart", "store")

    def __init__(self, store: Store, apart: int = APART) -> None:
        self.store, self.apart = store, apart
        self._begin()

    def _begin(self) -> None:
        """An empty state and a lock for this process."""
        self._pid, self._lock, self._state = os.getpid(), threading.Lock(), LedgerState()

    @contextmanager
    def writing(self, *, recounts: bool = False) -> Iterator[Transaction]:
        """One that may add entries; they are durable when it ends without an exception.

        Args:
            recounts: whether charges may be counted again in it, for which all of them must be known.
        """
        if os.getpid() != self._pid:
            self._begin()
        with self._lock:
            known = None
            try:
                with self.store.writing() as pages:
                    self._catch_up(pages, recounts=recounts)
                    known = self._state.head
                    yield Transaction(pages, self._state)
                    if self._state.head != known:
                        self._keep(pages)
            except BaseException as error:
                if known != self._state.head and (known is not None or not isinstance(error, LedgerError)):
                    self._state = LedgerState()  # but what was read of a list that turned out damaged stays known
                raise

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """One that sees one moment."""
        if os.getpid() != self._pid:
            self._begin()
        with self._lock, self.store.reading() as pages:
            self._catch_up(pages)
            yield Transaction(pages, self._state)

    def _catch_up(self, pages: Pages, *, recounts: bool = False) -> None:
        """Enter what was added since; the last entry known must still be there."""
        if recounts and self._state.base:
            self._read_on(pages, most=0)
            self._state = LedgerState()
        elif not self._state.head.entries:
            self._state = resumed(pages)
        try:
            self._read_on(pages)
        except HistoryNeeded:
            self._state = resumed(pages, self._state.head.entries + 1)
            self._read_on(pages)

    def _read_on(self, pages: Pages, most: int | None = None) -> None:
        """Enter what comes after the entry that is known, which must be there; at most so many, None: all."""
        here, links = self._state.head, pages.since(self._state.head.entries)
        if here.entries:
            last = next(links, None)
            if last is None or last.digest != here.digest or not is_sealed(last):
                raise damaged(here.entries)
        for link in islice(links, most):
            self._state.read(link, pages)

    def _keep(self, pages: Pages) -> None:
        """A checkpoint in the transaction of the entry after which it stands, unless the last one stands near."""
        state = self._state
        if state.head.entries - state.kept >= max(self.apart, state.length // _LETTERS):
            checkpoint = checkpoint_of(state)
            state.kept = state.head.entries if pages.keep(checkpoint) else sys.maxsize
            state.length = len(checkpoint.state)
