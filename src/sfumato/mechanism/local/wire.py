"""The wire form of reports: as few bytes, with the name and the parameters of the oracle that made them.

Layout: version (1 byte), length of the name (1), name (ASCII), digest of the parameters (8), number of
reports (7 bits a byte, lowest first, the top bit says that more follow), payload. The payload is bits
packed from the lowest one up. A server whose oracle has another name, version or parameter refuses the
bytes: it would count nonsense otherwise.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError

if TYPE_CHECKING:
    from sfumato.types import IntArray

VERSION = 1
"""Version of this layout."""

DIGEST_BYTES = 8
_MOST_COUNT_BYTES = 9
_MORE = 128
_CHUNK = 1 << 16
"""Integers packed at a time, so that their single bits stay in the cache."""

_ASK = "use the same oracle with the same parameters and version on the devices and on the server."


def digest(name: str, *parameters: object) -> bytes:
    """Eight bytes that differ when the parameters of two oracles do.

    Floats enter with all their bits. The digest finds mistakes; it is no protection against forgery.

    Example:
        >>> digest("GRR", 16, 0.25) == digest("GRR", 16, 0.25), digest("GRR", 16, 0.25) == digest("GRR", 17, 0.25)
        (True, False)
    """
    words = [float(p).hex() if isinstance(p, float) else str(p) for p in parameters]
    return hashlib.sha256("\x1f".join((name, str(VERSION), *words)).encode()).digest()[:DIGEST_BYTES]


def overhead(name: str, n: int) -> int:
    """Bytes before the payload of n reports.

    Example:
        >>> overhead("GRR", 1), overhead("GRR", 1000)
        (14, 15)
    """
    return 2 + len(name) + DIGEST_BYTES + len(_count_bytes(n))


def seal(name: str, parameters: bytes, n: int, payload: bytes) -> bytes:
    """The payload of n reports behind its header.

    Args:
        name: of the oracle, ASCII, at most 255 characters.
        parameters: their `digest`.
        n: number of reports.
        payload: packed reports.
    """
    label = name.encode("ascii")
    return bytes((VERSION, len(label))) + label + parameters + _count_bytes(n) + payload


def unseal(name: str, parameters: bytes, data: bytes, bits_per_report: int) -> tuple[int, bytes]:
    """Number of reports and payload of a wire form, checked.

    Args:
        name: of the server's oracle.
        parameters: the digest of its parameters.
        data: the bytes that came.
        bits_per_report: size of one report.

    Returns:
        n and the payload of exactly ceil(n bits_per_report / 8) bytes.

    Raises:
        ReportError: another version, oracle or parameter, or bytes missing or left over. Remedy: the
            same oracle on both sides.

    Example:
        >>> unseal("GRR", bytes(8), seal("GRR", bytes(8), 2, b"x"), 4)
        (2, b'x')
    """
    after_name = 2 + len(name)
    if len(data) < 2 or data[0] != VERSION:
        raise ReportError("Reports must have the wire version {version}.", _ASK, version=VERSION)
    if data[1] != len(name) or data[2:after_name] != name.encode("ascii"):
        raise ReportError("Reports must come from {name}; these come from another oracle.", _ASK, name=name)
    if data[after_name : after_name + DIGEST_BYTES] != parameters:
        raise ReportError(
            "Reports of {name} must be made with the server's parameters; these are not.", _ASK, name=name
        )
    n, payload = _read_count(data[after_name + DIGEST_BYTES :])
    if n < 0 or len(payload) != -(-n * bits_per_report // 8):
        raise ReportError(
            "The bytes of {name} are too few or too many for the number of reports.", "send them again.", name=name
        )
    return n, payload


_IN_BYTES = {width: np.arange(0, 8, width, dtype=np.uint8) for width in (1, 2, 4)}
"""Where the integers of a byte begin, for widths that divide it."""


def _count_bytes(n: int) -> bytes:
    """A whole number in as few bytes of seven bits as it needs."""
    out, rest = bytearray(), n
    while rest >= _MORE:
        out.append(rest % _MORE + _MORE)
        rest //= _MORE
    out.append(rest)
    return bytes(out)


def _read_count(data: bytes) -> tuple[int, bytes]:
    """The number that `_count_bytes` wrote, and what follows; -1 if it is not written in that way."""
    for length in range(1, min(len(data), _MOST_COUNT_BYTES) + 1):
        if data[length - 1] < _MORE:
            n = sum((byte % _MORE) * _MORE**i for i, byte in enumerate(data[:length]))
            return (n if _count_bytes(n) == data[:length] else -1), data[length:]
    return -1, b""


def pack_integers(values: IntArray, width: int) -> bytes:
    """Integers 0 … 2^width-1, each in `width` bits, lowest bit first.

    Example:
        >>> pack_integers(np.array([1, 2, 3]), 2)
        b'9'
    """
    if width in {8, 16, 32, 64}:
        return values.astype(f"<u{width // 8}").tobytes()
    shifts = np.arange(width, dtype=np.int64)
    parts = [
        np.packbits(
            ((values[start : start + _CHUNK, None] >> shifts) & 1).astype(np.uint8), bitorder="little"
        ).tobytes()
        for start in range(0, len(values), _CHUNK)
    ]
    return b"".join(parts)


def unpack_integers(payload: bytes, n: int, width: int) -> IntArray:
    """What `pack_integers` packed.

    Raises:
        ReportError: bits beyond the last integer are not zero. Remedy: send the reports again.

    Example:
        >>> unpack_integers(b"9", 3, 2).tolist()
        [1, 2, 3]
    """
    if width in {8, 16, 32, 64}:
        return np.frombuffer(payload, f"<u{width // 8}").astype(np.int64)
    flat = np.frombuffer(payload, np.uint8)
    if n * width % 8 and n and flat[-1] >> (n * width % 8):
        raise ReportError("Bits beyond the last report must be zero.", "send the reports again.")
    if width in _IN_BYTES:  # whole integers in each byte
        parts = flat[:, None] >> _IN_BYTES[width]
        parts &= np.uint8(2**width - 1)
        return parts.ravel()[:n].astype(np.int64)
    powers = np.int64(1) << np.arange(width, dtype=np.int64)
    out = np.empty(n, np.int64)
    for start in range(0, n, _CHUNK):
        m = min(_CHUNK, n - start)
        piece = flat[start * width // 8 : -(-(start + m) * width // 8)]
        out[start : start + m] = np.unpackbits(piece, count=m * width, bitorder="little").reshape(m, width) @ powers
    return out
