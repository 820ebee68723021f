"""The same chance from the same secret in programs of different languages: HMAC-SHA-256 in counter mode.

Block i of a stream is HMAC(key, i in 4 bytes, then each part of the context behind its length in 4 bytes), read as
eight 32-bit words, big end first. Coins are made of whole words by integer comparison alone, so no language rounds.
"""

from __future__ import annotations

from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import probability, whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from sfumato.types import BoolArray, IntArray

_WORDS = 8
"""32-bit words in a block."""
_RANGE = 2**32
_HASHED = 64
"""Bytes that SHA-256 takes at a time; a key is padded with zeros to that many."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
MOST_DENOMINATOR = 2**31
"""Largest denominator of a coin, so that a word decides it more often than not."""


def joined(*parts: bytes) -> bytes:
    """A context of several parts, each behind its length, so that ("ab", "c") and ("a", "bc") differ.

    Example:
        >>> joined(b"ab", b"").hex()
        '00000002616200000000'
    """
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


@dataclass(frozen=True, slots=True, repr=False)
class PortableKey:
    """A secret key, ready for many streams: the two padded forms in which HMAC hashes it are made once.

    Args:
        key: 16 to 64 secret bytes.

    Raises:
        ParameterError: another length or type. Remedy: draw 32 bytes from the system.

    Source:
        RFC 2104 (HMAC); NIST SP 800-108r1, section 4.1 (counter mode).
    """

    key: bytes
    _inner: bytes = field(init=False)
    _outer: bytes = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.key, bytes) or not 16 <= len(self.key) <= _HASHED:
            raise ParameterError("A secret key must be 16 to 64 bytes; got another length or type.", "draw 32 bytes.")
        padded = self.key.ljust(_HASHED, b"\0")
        object.__setattr__(self, "_inner", padded.translate(_INNER))
        object.__setattr__(self, "_outer", padded.translate(_OUTER))

    def stream(self, blocks: Iterable[int], context: bytes) -> bytes:
        """The blocks of these numbers, 32 bytes each, one after another.

        Args:
            blocks: numbers, 0 … 2³² - 1.
            context: what they are for, as `joined` writes it.

        Example:
            >>> import hmac
            >>> key, context = bytes(range(32)), joined(b"example")
            >>> PortableKey(key).stream([7], context) == hmac.digest(key, bytes([0, 0, 0, 7]) + context, "sha256")
            True
        """
        inner, outer = self._inner, self._outer
        return b"".join(
            [sha256(outer + sha256(inner + i.to_bytes(4, "big") + context).digest()).digest() for i in blocks]
        )

    def integers(self, n: int, high: int, context: bytes) -> IntArray:
        """(n,) int64 uniform in [0, high): words modulo high, without those of the last, incomplete round."""
        whole_rounds = _RANGE - _RANGE % high
        found, block = np.zeros(0, np.int64), 0
        while len(found) < n:
            more = -(-(n - len(found)) // _WORDS)
            words = np.frombuffer(self.stream(range(block, block + more), context), ">u4").astype(np.int64)
            found, block = np.concatenate((found, words[words < whole_rounds] % high)), block + more
        return found[:n]


def portable_integers(n: int, high: int, key: bytes, *context: bytes) -> IntArray:
    """Independent uniform integers below `high`.

    Whoever lacks the key cannot tell them from independent uniform ones, HMAC-SHA-256 being taken for a pseudorandom
    function.

    Args:
        n: how many, >= 0.
        high: 1 … 2³¹.
        key: 16 to 64 secret bytes.
        context: what they are for, so that no two uses share a stream.

    Returns:
        (n,) int64 in [0, high).

    Raises:
        ParameterError: a key, number or context outside its range. Remedy: draw 32 bytes from the system.

    Example:
        >>> key = bytes(range(32))
        >>> portable_integers(3, 10, key, b"example").tolist() == portable_integers(3, 10, key, b"example").tolist()
        True
    """
    n, high = whole(n, "n", 0, _RANGE), whole(high, "high", 1, MOST_DENOMINATOR)
    return PortableKey(key).integers(n, high, joined(*context))


@dataclass(frozen=True, slots=True)
class PortableCoin:
    """A coin that is True with probability exactly a/b: an integer below b, from a word, is below a.

    Where b divides 256, a word modulo b is its last byte modulo b: the coin of each byte is looked up.

    Args:
        p: a/b in [0, 1], with a denominator of at most 2³¹.

    Raises:
        ParameterError: no such probability. Remedy: round it to 9 digits.
    """

    p: Fraction
    _of_byte: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        exact = probability(self.p)
        if exact.denominator > MOST_DENOMINATOR:
            raise ParameterError(
                "A portable coin needs a denominator of at most 2^31; got {denominator}.",
                "round it to 9 digits.",
                denominator=exact.denominator,
            )
        a, b = exact.numerator, exact.denominator
        object.__setattr__(self, "p", exact)
        object.__setattr__(self, "_of_byte", bytes(byte % b < a for byte in range(256)) if 256 % b == 0 else b"")

    def tossed(self, n: int, key: PortableKey, context: bytes) -> BoolArray:
        """(n,) bool, independent coins that belong to the key and the context for ever; the array is the caller's.

        Args:
            n: how many, >= 0.
            key: secret.
            context: what they are for, as `joined` writes it.

        Example:
            >>> PortableCoin(1).tossed(2, PortableKey(bytes(32)), joined(b"example")).tolist()
            [True, True]
        """
        if not self._of_byte:
            return np.asarray(key.integers(n, self.p.denominator, context) < self.p.numerator)
        words = key.stream(range(-(-n // _WORDS)), context)
        return np.frombuffer(bytearray(words[3::4].translate(self._of_byte)), np.bool_)[:n]
