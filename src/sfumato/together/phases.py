"""The order of a joint publication: who says what after what, what everybody may fetch, and where messages are kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

from sfumato.together.wire import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.together.wire import Envelope

ROUNDS = (
    (Kind.ENROL, Kind.ROSTER),
    (Kind.CONTRIBUTION, Kind.MANIFEST),
    (Kind.ECHO, Kind.ECHOES),
    (Kind.COUNTS, Kind.TALLIES),
    (Kind.VERDICT, Kind.VERDICTS),
    (Kind.SLOTS, Kind.OPENED),
    (Kind.APPROVAL, Kind.PUBLISHED),
)
"""What all holders say, and the list by which the publisher closes the round."""
HIDDEN = frozenset((Kind.TUPLES, Kind.SLOTS, Kind.ENTRIES, Kind.SUM))
"""What of the holders' messages is for the publisher alone; everybody may fetch the others."""
SHORT = frozenset((Kind.ENROL, Kind.COMPLAINT, Kind.APPROVAL))
"""What holders say in one piece."""
AFTER = {
    Kind.ENROL: Kind.INVITATION, Kind.TUPLES: Kind.ROSTER, Kind.CONTRIBUTION: Kind.ROSTER, Kind.ECHO: Kind.MANIFEST,
    Kind.COUNTS: Kind.CONSTRUCTION, Kind.VERDICT: Kind.TALLIES, Kind.SLOTS: Kind.VERDICTS, Kind.APPROVAL: Kind.OUTCOME,
}  # fmt: skip
"""The message of the publisher that each message of a holder answers."""
ORDER = (Kind.INVITATION, Kind.ROSTER, Kind.MANIFEST, Kind.ECHOES, Kind.CONSTRUCTION, Kind.TALLIES, Kind.VERDICTS, Kind.OUTCOME,
         Kind.PUBLISHED)  # fmt: skip
"""What the publisher says, one after the other."""
PIECE = 3_000_000
"""Bytes of a piece of a long message."""


class Store(Protocol):
    """Messages by kind, sender and number, each written once."""

    def put(self, messages: Sequence[Envelope]) -> bool:
        """Write some messages durably, all or none; False: another one stands in the place of one of them."""

    def get(self, kind: Kind, sender: str, number: int) -> Envelope | None:
        """One message."""

    def listed(self, kind: Kind) -> list[tuple[str, int, int, str]]:
        """Sender, number, pieces and digest of all messages of a kind, in order."""

    def costs(self) -> dict[str, tuple[int, int]]:
        """Messages and bytes of each sender."""

    def probe(self) -> None:
        """Write something that means nothing."""

    def close(self) -> None:
        """Close it."""


def digest_of(parts: Sequence[str]) -> str:
    """Of a message in pieces, from the digests of these."""
    return parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()
