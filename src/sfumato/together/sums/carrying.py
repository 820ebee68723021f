"""Messages of secure sums within those of a joint publication: numbered by sum, kind and piece or place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.secure_sum.wire import Kind as SumKind
from sfumato.mechanism.secure_sum.wire import length_of
from sfumato.together.phases import PIECE
from sfumato.together.wire import in_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.secure_sum.terms import Terms

PIECES = 1 << 18
"""More than any number here: the pieces of an envelope do not count those of a sum."""
_KINDS, _MOST_PIECES, _MOST_PLACES = 16, 64, 512
MARK = _MOST_PLACES - 1
"""The place of the list of those whom a round heard; holders have those below."""
_HEAD = 2


def of_holder(number: int, kind: SumKind, piece: int) -> int:
    """The number of a piece of what a holder says in a sum.

    Example:
        >>> said_by(of_holder(2, SumKind.MASKED, 3)) == (2, SumKind.MASKED, 3)
        True
    """
    return (number * _KINDS + kind) * _MOST_PIECES + piece


def said_by(number: int) -> tuple[int, SumKind, int]:
    """Sum, kind and piece of a number.

    Raises:
        ValueError: no kind.
    """
    both, piece = divmod(number, _MOST_PIECES)
    which, kind = divmod(both, _KINDS)
    return which, SumKind(kind), piece


def of_publisher(number: int, kind: SumKind, place: int) -> int:
    """The number of what the publisher says to the holder at a place."""
    return (number * _KINDS + kind) * _MOST_PLACES + place


def parts_of(raw: bytes) -> list[bytes]:
    """A message in pieces, each told how many there are."""
    parts = in_pieces(raw, PIECE)
    return [len(parts).to_bytes(_HEAD, "big") + part for part in parts]


def joined(parts: Sequence[bytes | None]) -> bytes | None:
    """The message of pieces; None: some are not there yet.

    Example:
        >>> joined(parts_of(b"told")), joined([b""])
        (b'told', None)
    """
    found = [part for part in parts if part]
    if not found or len(found) != int.from_bytes(found[0][:_HEAD], "big"):
        return None
    return b"".join(part[_HEAD:] for part in found)


def most_pieces(kind: SumKind, terms: Terms) -> int:
    """Most pieces of what a holder says: a vector may be long."""
    return -(-length_of(terms.cells * terms.width // 8) // PIECE) if kind is SumKind.MASKED else 1
