"""The joint between the ledger and a database that keeps its list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from sfumato.errors import LedgerError

if TYPE_CHECKING:
    from sfumato.account.ledger.chain import Checkpoint, Link

ENTRIES = "sfumato_ledger_entries"
"""Name of the table that holds the list."""

LEDGER = "sfumato_ledger"
"""Name of the table of one row that holds the format; writers lock it where a database locks rows."""

CHECKPOINT = "sfumato_ledger_checkpoint"
"""Name of the table of one row that holds the newest checkpoint, made with the first; without it, the list is read whole."""

REQUESTS = "sfumato_ledger_requests"
"""Name of the index by which a request is found, made with that table."""

MARK = '"request":"'
"""Where the request stands in the text of an entry: no text inside an entry holds quotes without a backslash."""

INDEXED = 96
"""So many characters from there on are in the index."""

GUARDS = frozenset({"sfumato_ledger_no_update", "sfumato_ledger_no_delete", "sfumato_ledger_in_order"})
"""Names of the triggers that keep the list append-only in every database."""


class Pages(Protocol):
    """The list and its checkpoint, inside one transaction."""

    def since(self, sequence: int) -> Iterator[Link]:
        """The entries from this one on, in order."""
        ...

    def page(self, sequence: int) -> Link | None:
        """One entry, or None if there is none."""
        ...

    def append(self, link: Link) -> None:
        """Add one entry at the end."""
        ...

    def guarded(self) -> bool:
        """Whether the triggers that keep the list append-only are in force."""
        ...

    def named(self, start: str) -> Iterator[Link]:
        """The entries that name a request, in any order: those whose text goes on like this at `MARK`.

        Args:
            start: of `MARK`, the request as JSON and its closing quote, at most `INDEXED` characters.
        """
        ...

    def checkpoint(self) -> Checkpoint | None:
        """The one that is kept; None: there is none, or the user of the database may not read it."""
        ...

    def keep(self, checkpoint: Checkpoint) -> bool:
        """Keep a checkpoint in place of the one before; False: the user may not, and nothing is changed."""
        ...


class Store(Protocol):
    """A database.

    What every store promises: between entering and leaving `writing` no other process writes; leaving it
    without an exception returns only after the entries are on disk; leaving it with one adds nothing. All of a
    database's own errors are raised as LedgerError.
    """

    def writing(self) -> AbstractContextManager[Pages]:
        """One transaction that may add entries."""
        ...

    def reading(self) -> AbstractContextManager[Pages]:
        """One transaction that sees the list at one moment."""
        ...

    def close(self) -> None:
        """Give connections back."""
        ...


def after(start: str) -> str:
    """The least text that is greater than all that begin with this one.

    Example:
        >>> after("ab")
        'ac'
    """
    return start[:-1] + chr(ord(start[-1]) + 1)


def unknown_format() -> LedgerError:
    """What is raised for a database whose tables this version cannot read."""
    return LedgerError(
        "The database must hold a ledger of a format that this version knows; it holds another one, or other tables.",
        "correct the url, or read it with the version of Sfumato that wrote it.",
    )


def no_ledger(where: str) -> LedgerError:
    """What is raised where there is no ledger and none may be made."""
    return LedgerError(
        "{where} must hold a ledger; there is none. A ledger that vanished is not a full budget.",
        "correct the url; if the ledger was lost, restore the newest backup that verifies; if there never was one, make it "
        "once, with `sfumato budget --create` or `create=True`.",
        where=where,
    )


def unsure(state: str) -> LedgerError:
    """What is raised when a database failed while it was asked to make entries durable."""
    return LedgerError(
        "The ledger must confirm that it wrote the entry; it failed ({state}).",
        "ask again under the same request: it is counted once, whether or not it was written.",
        state=state,
    )
