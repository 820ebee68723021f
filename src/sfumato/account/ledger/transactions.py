"""Whose turn is it? One reader or writer at a time in this process, with the books up to date inside its transaction."""

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
class Turn:
    """One transaction: the list on disk, and the books that have read all of it."""

    pages: Pages
    books: LedgerState

    def append(self, entry: Entry) -> Head:
        """Add an entry and enter it as it will be read."""
        link = seal(self.books.head, entry.data())
        if self.books.read(link) != entry:
            raise InternalError("An entry of the ledger would not be read as it was meant; nothing was written.")
        self.pages.append(link)
        return self.books.head

    def entry_at(self, place: Head, kind: type[_Kind]) -> _Kind:
        """An entry that the books know, still as it was when they read it.

        Raises:
            LedgerError: it was changed since.
        """
        link = self.pages.page(place.entries)
        entry = None if link is None or link.digest != place.digest or not is_sealed(link) else entry_from(link.body)
        if not isinstance(entry, kind):
            raise damaged(place.entries)
        return entry


class Transactions:
    """The books of this process, shared by its threads.

    What was read stays read, but the last entry must still be there when the next turn begins. If a turn adds an
    entry and fails, perhaps while committing, the books are read anew from disk. A forked process starts with empty
    books and a lock of its own.
    """

    __slots__ = ("_books", "_lock", "_pid", "store")

    def __init__(self, store: Store) -> None:
        self.store = store
        self._begin()

    def _begin(self) -> None:
        """Empty books and a lock for this process."""
        self._pid, self._lock, self._books = os.getpid(), threading.Lock(), LedgerState()

    @contextmanager
    def writing(self) -> Iterator[Turn]:
        """A turn that may add entries; they are durable when it ends without an exception."""
        if os.getpid() != self._pid:
            self._begin()
        with self._lock:
            known = self._books.head
            try:
                with self.store.writing() as pages:
                    self._catch_up(pages)
                    known = self._books.head
                    yield Turn(pages, self._books)
            except BaseException:
                if self._books.head != known:
                    self._books = LedgerState()
                raise

    @contextmanager
    def reading(self) -> Iterator[Turn]:
        """A turn that sees one moment."""
        if os.getpid() != self._pid:
            self._begin()
        with self._lock, self.store.reading() as pages:
            self._catch_up(pages)
            yield Turn(pages, self._books)

    def _catch_up(self, pages: Pages) -> None:
        """Enter what was added since; the last entry known must still be there."""
        here, links = self._books.head, pages.since(self._books.head.entries)
        if here.entries:
            last = next(links, None)
            if last is None or last.digest != here.digest:
                raise damaged(here.entries)
        for link in links:
            self._books.read(link)
