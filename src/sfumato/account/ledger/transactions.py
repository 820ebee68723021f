"""Transactions: one reader or writer at a time in this process, with the state up to date inside."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sfumato.account.ledger.chain import damaged, is_sealed, seal
from sfumato.account.ledger.entry import Answered, Charged, entry_from
from sfumato.account.ledger.state import LedgerState
from sfumato.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.account.ledger.chain import Head
    from sfumato.account.ledger.entry import Entry
    from sfumato.account.ledger.store import Pages, Store

_Kind = TypeVar("_Kind", Charged, Answered)


@dataclass(frozen=True, slots=True)
class Transaction:
    """One transaction: the list on disk, and the state after all of it."""

    pages: Pages
    state: LedgerState

    def append(self, entry: Entry) -> Head:
        """Add an entry and enter it as it will be read."""
        link = seal(self.state.head, entry.data())
        if self.state.read(link) != entry:
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
    """

    __slots__ = ("_lock", "_pid", "_state", "store")

    def __init__(self, store: Store) -> None:
        self.store = store
        self._begin()

    def _begin(self) -> None:
        """An empty state and a lock for this process."""
        self._pid, self._lock, self._state = os.getpid(), threading.Lock(), LedgerState()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """One that may add entries; they are durable when it ends without an exception."""
        if os.getpid() != self._pid:
            self._begin()
        with self._lock:
            known = self._state.head
            try:
                with self.store.writing() as pages:
                    self._catch_up(pages)
                    known = self._state.head
                    yield Transaction(pages, self._state)
            except BaseException:
                if self._state.head != known:
                    self._state = LedgerState()
                raise

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """One that sees one moment."""
        if os.getpid() != self._pid:
            self._begin()
        with self._lock, self.store.reading() as pages:
            self._catch_up(pages)
            yield Transaction(pages, self._state)

    def _catch_up(self, pages: Pages) -> None:
        """Enter what was added since; the last entry known must still be there."""
        here, links = self._state.head, pages.since(self._state.head.entries)
        if here.entries:
            last = next(links, None)
            if last is None or last.digest != here.digest:
                raise damaged(here.entries)
        for link in links:
            self._state.read(link)
