"""Messages: every one has a version, names the sum it belongs to and its sender, and is signed by the sender."""

from __future__ import annotations

import struct
from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING

from sfumato.errors import ProtocolError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.keys import LENGTH, SEAL, SIGNATURE, is_signed, signature_of
from sfumato.mechanism.secure_sum.shamir import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.mechanism.secure_sum.terms import Terms

MAGIC = b"sfumato.secure-sum/1\n"
PUBLISHER = 0xFFFF
"""What stands where a holder's place would stand."""
_HEAD = struct.Struct(f">{len(MAGIC)}sB32sHQ")
SHARE = 4 * width_of(LENGTH)
"""Bytes of a share of a key."""
BOX = 2 * SHARE + SEAL
"""Bytes of the sealed shares of two keys."""
KEYS = 3 * LENGTH


class Kind(IntEnum):
    """What a message is: odd ones come from holders, even ones from the publisher."""

    KEYS = 1
    ALL_KEYS = 2
    SHARES = 3
    PARCEL = 4
    MASKED = 5
    SURVIVORS = 6
    AGREED = 7
    ALL_AGREED = 8
    OPENED = 9


@dataclass(frozen=True, slots=True)
class Message:
    """A message whose signature was checked.

    Args:
        kind: what it is.
        sender: place of the holder, or `PUBLISHER`.
        body: what it says.
        signature: of all before it.
    """

    kind: Kind
    sender: int
    body: bytes = field(repr=False)
    signature: bytes = field(repr=False)


def head(kind: Kind, terms: Terms, sender: int, length: int) -> bytes:
    """What stands before a body of so many bytes, signed together with it."""
    return _HEAD.pack(MAGIC, kind, terms.digest, sender, length)


def signed(kind: Kind, terms: Terms, sender: int, body: bytes, key: bytes) -> bytes:
    """A message as it is sent."""
    told = head(kind, terms, sender, len(body)) + body
    return told + signature_of(key, told)


def sent(message: Message, terms: Terms) -> bytes:
    """A message as it came."""
    return head(message.kind, terms, message.sender, len(message.body)) + message.body + message.signature


def length_of(body: int) -> int:
    """Bytes of a message with a body of so many."""
    return _HEAD.size + body + SIGNATURE


def opened(raw: bytes, kind: Kind, terms: Terms) -> Message:
    """A message, if it is of this kind and for this sum, and signed by whom it names.

    Args:
        raw: as it came.
        kind: what is expected now.
        terms: of the sum.

    Raises:
        ProtocolError: something else. Remedy: names what to do.

    Example:
        >>> from sfumato.mechanism.secure_sum.keys import identity_of
        >>> from sfumato.mechanism.secure_sum.terms import Terms
        >>> secrets = [bytes([i]) * 32 for i in range(4)]
        >>> publisher, *holders = (identity_of(secret) for secret in secrets)
        >>> terms = Terms(bytes(32), bytes(32), publisher, tuple(holders), threshold=2, colluding=0, cells=1, greatest=1)
        >>> raw = signed(Kind.SURVIVORS, terms, PUBLISHER, packed([0, 2]), secrets[0])
        >>> places_of(opened(raw, Kind.SURVIVORS, terms).body, terms)
        (0, 2)
        >>> opened(raw[:-1] + b"x", Kind.SURVIVORS, terms)
        Traceback (most recent call last):
        sfumato.errors.ProtocolError: A message must be signed by its sender; this one of the publisher is not. Remedy: its sender must send it again; what came may be forged.
    """
    _check_head(raw)
    _, given, digest, sender, length = _HEAD.unpack_from(raw)
    if digest != terms.digest:
        raise ProtocolError("A message must belong to this sum; this one belongs to another.", "send it nowhere else.")
    if given != kind:
        raise ProtocolError(
            "A message of kind {wanted} must come now; one of kind {given} came.",
            "keep the order of the rounds; a message of an earlier one is not read again.",
            wanted=int(kind),
            given=given,
        )
    public = _key_of(sender, kind, terms)
    if len(raw) != length_of(length):
        raise ProtocolError("A message must have the length that it tells; this one has not.", "send it again.")
    told, signature = raw[:-SIGNATURE], raw[-SIGNATURE:]
    if not is_signed(public, signature, told):
        raise _not_signed(sender)
    return Message(kind, sender, told[_HEAD.size :], signature)


def _not_signed(sender: int) -> ProtocolError:
    """The refusal of what its sender did not sign."""
    remedy = "its sender must send it again; what came may be forged."
    if sender == PUBLISHER:
        return ProtocolError("A message must be signed by its sender; this one of the publisher is not.", remedy)
    return ProtocolError(
        "A message must be signed by its sender; this one of holder {holder} is not.", remedy, holder=sender
    )


def _check_head(raw: bytes) -> None:
    """Whether it can be a message of this version."""
    if len(raw) < length_of(0) or not raw.startswith(MAGIC):
        raise ProtocolError(
            "A message of a secure sum must start with {version!r}; this one does not.",
            "use the same version of Sfumato on both sides.",
            version=MAGIC.decode().strip(),
        )


def _key_of(sender: int, kind: Kind, terms: Terms) -> bytes:
    """The public key of a sender who may send such a message."""
    if kind % 2 == 0 and sender == PUBLISHER:
        return terms.publisher
    if kind % 2 and sender < len(terms.holders):
        return terms.holders[sender]
    raise ProtocolError("A message must come from a party of the sum that sends such ones.", "give it to nobody.")


def packed(places: Iterable[int]) -> bytes:
    """Places of holders, ascending.

    Example:
        >>> packed({2, 1}).hex()
        '00010002'
    """
    return b"".join(place.to_bytes(2, "big") for place in sorted(places))


def places_of(body: bytes, terms: Terms) -> tuple[int, ...]:
    """Places of holders: ascending, each once, all of the sum.

    Raises:
        ProtocolError: other bytes. Remedy: the publisher sends what it must not send.
    """
    if len(body) % 2:
        raise _malformed()
    found = struct.unpack(f">{len(body) // 2}H", body)
    return _checked(found, terms)


def packed_items(items: Mapping[int, bytes]) -> bytes:
    """Something of equal length for each of several holders."""
    return b"".join(place.to_bytes(2, "big") + items[place] for place in sorted(items))


def items_of(body: bytes, length: int, terms: Terms) -> dict[int, bytes]:
    """What stands for each holder, so many bytes each.

    Raises:
        ProtocolError: other bytes. Remedy: their sender sends what it must not send.
    """
    step = 2 + length
    if len(body) % step:
        raise _malformed()
    parts = [body[at : at + step] for at in range(0, len(body), step)]
    places = _checked([int.from_bytes(part[:2], "big") for part in parts], terms)
    return {place: part[2:] for place, part in zip(places, parts, strict=True)}


def messages_of(body: bytes, length: int) -> list[bytes]:
    """Messages within a message, each with a body of so many bytes."""
    step = length_of(length)
    if len(body) % step:
        raise _malformed()
    return [body[at : at + step] for at in range(0, len(body), step)]


def _checked(places: Sequence[int], terms: Terms) -> tuple[int, ...]:
    """Places in their only order."""
    if list(places) != sorted(set(places)) or any(place >= len(terms.holders) for place in places):
        raise _malformed()
    return tuple(places)


def _malformed() -> ProtocolError:
    return ProtocolError(
        "A message must list holders of the sum once each, in order, and nothing else; this one does not.",
        "its sender sends what it must not send: find out why.",
    )
