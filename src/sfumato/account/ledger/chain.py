"""The sealed list: each entry is sealed together with all entries before it.

digest = SHA-256(previous digest, newline, text). Whoever edits, removes or moves an entry must seal all later ones
anew, and then the last digest is another one: keep it elsewhere, and nobody can do so unseen.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from sfumato.errors import LedgerError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.values import Table

FORMAT = "sfumato.ledger/1"
"""Version of the tables that hold the entries; an entry says its own fields, and unknown ones are refused."""

_DAMAGED = "restore the ledger from a backup that verifies, or open a new data set; do not go on with this one."


@dataclass(frozen=True, slots=True)
class Head:
    """Where a ledger stands: how many entries it has, and the digest of the last one.

    Example:
        >>> Head.parse(str(Head(2, "ab" * 32))).entries
        2
    """

    entries: int
    digest: str

    def __str__(self) -> str:
        """One word that can be kept elsewhere."""
        return f"{self.entries}:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Head:
        """The head that `str` wrote.

        Raises:
            LedgerError: another text. Remedy: give what `head()` printed.
        """
        entries, _, digest = text.partition(":")
        if not (
            entries.isascii() and entries.isdigit() and len(digest) == 64 and set(digest) <= set("0123456789abcdef")
        ):
            raise LedgerError('A head is written as "entries:digest".', "give what `head()` printed.")
        return cls(int(entries), digest)


@dataclass(frozen=True, slots=True)
class Link:
    """One entry as it lies on disk.

    Args:
        sequence: 1, 2, 3, … without a gap.
        previous: digest of the entry before.
        body: the entry as canonical JSON.
        digest: seal of both.
    """

    sequence: int
    previous: str
    body: str
    digest: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What the list adds up to after one of its entries, as it lies on disk beside the list.

    Args:
        head: after which entry.
        state: the sums as canonical JSON.
        digest: seal of both.
    """

    head: Head
    state: str
    digest: str

    @classmethod
    def sealed(cls, head: Head, state: str) -> Checkpoint:
        """A checkpoint with its seal.

        Example:
            >>> Checkpoint.sealed(GENESIS, "{}").is_sealed
            True
        """
        return cls(head, state, _digest(str(head), state))

    @property
    def is_sealed(self) -> bool:
        """Whether the digest is that of this state after this entry."""
        return self.digest == _digest(str(self.head), self.state)


GENESIS = Head(0, hashlib.sha256(FORMAT.encode()).hexdigest())
"""The head of an empty ledger."""


def canonical(data: Table) -> str:
    """The one JSON text of plain data: sorted keys, no spaces, ASCII.

    Example:
        >>> canonical({"b": 1, "a": ["x"]})
        '{"a":["x"],"b":1}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def seal(head: Head, data: Table) -> Link:
    """The entry that follows a head.

    Example:
        >>> link = seal(GENESIS, {"kind": "none"})
        >>> follow(GENESIS, link) == Head(1, link.digest)
        True
    """
    body = canonical(data)
    return Link(head.entries + 1, head.digest, body, _digest(head.digest, body))


def follow(head: Head, link: Link) -> Head:
    """The head after one more entry.

    Raises:
        LedgerError: the entry does not follow: something was edited, removed, inserted or moved.
            Remedy: restore a backup that verifies.
    """
    fits = link.sequence == head.entries + 1 and link.previous == head.digest
    if not fits or not is_sealed(link):
        raise damaged(head.entries + 1)
    return Head(link.sequence, link.digest)


def is_sealed(link: Link) -> bool:
    """Whether the digest of an entry is that of its text."""
    return link.digest == _digest(link.previous, link.body)


def damaged(sequence: int) -> LedgerError:
    """What is raised when an entry is not the one that was written."""
    return LedgerError(
        "Entry {sequence} of the ledger must be as it was written; it is not.", _DAMAGED, sequence=sequence
    )


def _digest(previous: str, body: str) -> str:
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()
