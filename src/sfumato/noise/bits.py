"""Chance that protects people: secure words, words that a secret key repeats, and words cut into smaller integers.

AES-256 in counter mode, keyed by the system or by a secret key and the name of the occasion.
"""

from __future__ import annotations

import hashlib
import os
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    import numpy.typing as npt


class Bits(Protocol):
    """A source of independent uniform words."""

    @property
    def is_secure(self) -> bool:
        """Whether an adversary cannot predict the words (False for a seeded source)."""
        ...

    def words(self, n: int) -> npt.NDArray[np.uint64]:
        """(n,) uint64, independent and uniform."""
        ...


class SystemBits:
    """Secure words: the keystream of AES-256-CTR under a key from the operating system.

    The key is drawn anew in a child process, so a fork never repeats its parent's words.

    Source: NIST SP 800-38A, section 6.5.
    """

    is_secure = True

    def __init__(self) -> None:
        self._pid = -1

    def words(self, n: int) -> npt.NDArray[np.uint64]:
        """(n,) uint64, independent and uniform."""
        if self._pid != os.getpid():
            self._stream, self._pid = KeyedBits(os.urandom(32), is_secure=True), os.getpid()
        return self._stream.words(n)


_ZEROS = bytes(1 << 16)
"""What is encrypted at a time; the keystream of zeros is the output."""
_SHORTEST, _LONGEST = 16, 64
"""Bytes of a key: 128 bits at least, what BLAKE2b takes at most."""
_PERSON = b"sfumato.keyed/1"


class KeyedBits:
    """The keystream of AES-256-CTR under one key: the same key gives the same words.

    Threads may share a source; each word goes to one of them.

    Args:
        key: 32 bytes, used for this stream only (the counter starts at 0).
        is_secure: whether the key is secret.

    Source: NIST SP 800-38A, section 6.5.
    """

    def __init__(self, key: bytes, *, is_secure: bool) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        self._is_secure, self._lock = is_secure, Lock()

    @property
    def is_secure(self) -> bool:
        """Whether an adversary without the key cannot predict the words."""
        return self._is_secure

    def words(self, n: int) -> npt.NDArray[np.uint64]:
        """(n,) uint64, the next words of the stream."""
        out = bytearray(8 * n)
        view = memoryview(out)
        with self._lock:
            for start in range(0, len(out), len(_ZEROS)):
                part = view[start : start + len(_ZEROS)]
                self._encryptor.update_into(_ZEROS[: len(part)], part)
        return np.frombuffer(out, np.uint64)


def keyed_bits(key: bytes, *context: bytes) -> KeyedBits:
    """The stream of words that belongs to a secret key and a context.

    Whoever lacks the key cannot tell the streams of different contexts from independent uniform
    words: the stream key is BLAKE2b, keyed, of the context, and BLAKE2b is taken to be a
    pseudorandom function. Each part of the context is preceded by its length, so that ("ab", "c") and
    ("a", "bc") differ. A memoised answer is drawn from such a stream, and need not be stored.

    Args:
        key: 16 to 64 secret bytes, drawn by the operating system.
        context: what the stream is for: purpose, attribute, value.

    Returns:
        A source of words, secure as long as the key is secret.

    Raises:
        ParameterError: the key is too short or too long, or something is not bytes. Remedy: draw 32 bytes.

    Source:
        RFC 7693, section 2.9 (keyed BLAKE2b); NIST SP 800-38A, section 6.5 (counter mode).

    Example:
        >>> key = bytes(range(32))
        >>> first, again = keyed_bits(key, b"color", b"7"), keyed_bits(key, b"color", b"7")
        >>> bool((first.words(3) == again.words(3)).all())
        True
    """
    if not isinstance(key, bytes) or not _SHORTEST <= len(key) <= _LONGEST:
        raise ParameterError(
            "A secret key must be {shortest} to {longest} bytes; got another length or type.",
            "draw 32 bytes from the operating system and keep them secret.",
            shortest=_SHORTEST,
            longest=_LONGEST,
        )
    if not all(isinstance(part, bytes) for part in context):
        raise ParameterError("Every part of a context must be bytes.", "encode it, the same way every time.")
    digest = hashlib.blake2b(key=key, digest_size=32, person=_PERSON)
    for part in context:
        digest.update(len(part).to_bytes(8, "big") + part)
    return KeyedBits(digest.digest(), is_secure=True)


T = TypeVar("T", np.uint8, np.uint16, np.uint32, np.uint64)


def narrow(n: int, kind: type[T], *, bits: Bits) -> npt.NDArray[T]:
    """(n,) independent uniform unsigned integers of 1, 2, 4 or 8 bytes.

    A uniform word is 8 independent uniform bytes, so its parts are independent and uniform. Parts of
    the last word that are left over are thrown away.

    Args:
        n: how many, >= 0.
        kind: numpy.uint8, uint16, uint32 or uint64.
        bits: the source of words.

    Returns:
        (n,) of that type.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> narrow(5, np.uint8, bits=SystemBits()).shape
        (5,)
    """
    width = np.dtype(kind).itemsize
    return bits.words(-(-n * width // 8)).view(kind)[:n]
