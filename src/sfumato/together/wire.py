"""Messages of a joint publication: versioned, signed, each bound to its session and to what came before it.

An envelope is a line of JSON (the header), a body, and an Ed25519 signature of the header, which holds the digest of the
body. So an envelope is known by the digest of its header, and can be verified without its body.
"""

from __future__ import annotations

import hashlib
import json
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

FORMAT = "sfumato.together/1"
"""Version of all messages; another one is refused."""
SIGNATURE = 64
"""Bytes of a signature."""
_HEAD = 4
_MOST_HEAD = 4096
_MOST_PIECES = 1 << 20
_TYPES = ("<i4", "<i8", "<u4", "|u1", "|b1")
_STAMP = FORMAT.encode() + b"\0"
MALFORMED = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""What reading a message raises that is signed, and not of the form that its kind has."""


class Kind(Enum):
    """What a message is; holders send the first ones, the publisher the others."""

    ENROL = "enrol"
    TUPLES = "tuples"
    CONTRIBUTION = "contribution"
    ECHO = "echo"
    COUNTS = "counts"
    VERDICT = "verdict"
    SLOTS = "slots"
    APPROVAL = "approval"
    COMPLAINT = "complaint"
    ENTRIES = "entries"
    SANITIZED = "sanitized"
    SUM = "sum"
    INVITATION = "invitation"
    ROSTER = "roster"
    MANIFEST = "manifest"
    ECHOES = "echoes"
    CONSTRUCTION = "construction"
    ASSIGNMENT = "assignment"
    TALLIES = "tallies"
    VERDICTS = "verdicts"
    OPENED = "opened"
    OUTCOME = "outcome"
    PUBLISHED = "published"
    ABANDONED = "abandoned"
    LEDGER = "ledger"
    PARTITION = "partition"
    SUMMED = "summed"


@dataclass(frozen=True)
class Envelope:
    """One message, or one piece of a long one.

    Args:
        session: hexadecimal digest of the invitation; "" in the invitation itself.
        kind: what it is.
        sender: name of who signs.
        number: of the piece, from 0.
        pieces: how many there are.
        after: digest of the message of the publisher that it answers, or that came before it; "": of none.
        body: the content.
        signature: of the header.
    """

    session: str
    kind: Kind
    sender: str
    number: int
    pieces: int
    after: str
    body: bytes
    signature: bytes = b""

    def header(self) -> bytes:
        """The header as it is signed."""
        return self._header

    @cached_property
    def _header(self) -> bytes:
        said = {
            "after": self.after,
            "format": FORMAT,
            "kind": self.kind.value,
            "number": self.number,
            "pieces": self.pieces,
            "sender": self.sender,
            "session": self.session,
            "sha256": self._sha256,
        }
        return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()

    @cached_property
    def _sha256(self) -> str:
        """Of the body, which may be long and whose header is looked at several times."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def digest(self) -> str:
        """By which the message is known."""
        return hashlib.sha256(_STAMP + self.header()).hexdigest()

    def signed(self, key: Ed25519PrivateKey) -> Envelope:
        """The message with the signature of its sender."""
        return Envelope(
            self.session, self.kind, self.sender, self.number, self.pieces, self.after, self.body,
            key.sign(_STAMP + self.header()),
        )  # fmt: skip

    def is_by(self, key: Ed25519PublicKey) -> bool:
        """Whether the owner of a key signed it."""
        from cryptography.exceptions import InvalidSignature

        try:
            key.verify(self.signature, _STAMP + self.header())
        except InvalidSignature:
            return False
        return True

    def to_bytes(self) -> bytes:
        """As it is sent."""
        head = self.header()
        return len(head).to_bytes(_HEAD, "big") + head + self.signature + self.body


def envelope_from(raw: bytes) -> Envelope:
    """The message that was sent; its signature is not looked at.

    Raises:
        ReportError: it is none, or of another version.

    Example:
        >>> from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        >>> key = Ed25519PrivateKey.generate()
        >>> sent = Envelope("", Kind.ENROL, "North", 0, 1, "", b"card").signed(key)
        >>> envelope_from(sent.to_bytes()) == sent, sent.is_by(key.public_key())
        (True, True)
    """
    length = int.from_bytes(raw[:_HEAD], "big")
    start = _HEAD + length + SIGNATURE
    if not 0 < length <= _MOST_HEAD or len(raw) < start:
        raise _no_message()
    try:
        said = json.loads(raw[_HEAD : _HEAD + length])
        if said["format"] != FORMAT:
            raise _no_message()
        found = Envelope(
            *(said["session"], Kind(said["kind"]), said["sender"], said["number"], said["pieces"], said["after"]),
            body=raw[start:],
            signature=raw[_HEAD + length : start],
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _no_message() from None
    texts = all(isinstance(one, str) for one in (found.session, found.sender, found.after))
    numbers = type(found.number) is int and type(found.pieces) is int
    if not texts or not numbers or not 0 <= found.number < found.pieces <= _MOST_PIECES:
        raise _no_message()
    if found.header() != raw[_HEAD : _HEAD + length]:  # another spelling, or the digest of another body
        raise _no_message()
    return found


def packed(said: Mapping[str, Any], arrays: Mapping[str, np.ndarray] | None = None) -> bytes:
    """A body: plain data, and arrays of whole numbers behind them.

    Args:
        said: what JSON can hold.
        arrays: of bytes, truth values, or whole numbers of 32 or 64 bits, by name.

    Example:
        >>> said, arrays = unpacked(packed({"rows": 2}, {"codes": np.array([[1], [2]], np.int32)}))
        >>> said, arrays["codes"].tolist()
        ({'rows': 2}, [[1], [2]])
    """
    arrays = {} if arrays is None else arrays
    told = [[name, _type(array), list(array.shape)] for name, array in arrays.items()]
    head = json.dumps({"said": dict(said), "arrays": told}, separators=(",", ":")).encode()
    parts = (np.ascontiguousarray(array).astype(_type(array), copy=False).tobytes() for array in arrays.values())
    return len(head).to_bytes(_HEAD, "big") + head + b"".join(parts)


def unpacked(body: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The plain data and the arrays of a body.

    Raises:
        ReportError: it is none.
    """
    length, arrays = int.from_bytes(body[:_HEAD], "big"), {}
    try:
        told = json.loads(body[_HEAD : _HEAD + length])
        said, at = dict(told["said"]), _HEAD + length
        for name, kind, shape in told["arrays"]:
            if kind not in _TYPES or len(shape) > 2 or any(type(n) is not int or n < 0 for n in shape):
                raise _no_message()
            n = int(np.prod(shape, dtype=object)) if shape else 1
            if n * np.dtype(kind).itemsize > len(body) - at:
                raise _no_message()
            arrays[name] = np.frombuffer(body, kind, n, at).reshape(shape)
            at += n * np.dtype(kind).itemsize
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _no_message() from None
    if at != len(body):
        raise _no_message()
    return said, arrays


def in_pieces(body: bytes, most: int) -> list[bytes]:
    """A long body in pieces of at most so many bytes; at least one."""
    return [body[at : at + most] for at in range(0, max(1, len(body)), most)]


def _type(array: np.ndarray) -> str:
    return array.dtype.newbyteorder("<").str


def _no_message() -> ReportError:
    return ReportError(
        "A message must be of the form {format}; this one is not.",
        "use the same version of this program.",
        format=FORMAT,
    )
