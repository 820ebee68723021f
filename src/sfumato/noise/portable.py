"""The same chance from the same secret in programs of different languages: HMAC-SHA-256 in counter mode.

Block i of a stream is HMAC(key, i in 4 bytes, then each part of the context behind its length in 4 bytes), read as
eight 32-bit words, big end first. Coins are made of whole words by integer comparison alone, so no language rounds.
"""

from __future__ import annotations

import hmac
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.numbers.check import probability, whole

if TYPE_CHECKING:
    from sfumato.types import BoolArray, IntArray

_WORDS = 8
"""32-bit words in a block."""
_RANGE = 2**32
MOST_DENOMINATOR = 2**31
"""Largest denominator of a coin, so that a word decides it more often than not."""


def portable_integers(n: int, high: int, key: bytes, *context: bytes) -> IntArray:
    """Independent uniform integers below `high`: words modulo high, without those of the last, incomplete round.

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

    Source:
        RFC 2104 (HMAC); NIST SP 800-108r1, section 4.1 (counter mode).

    Example:
        >>> key = bytes(range(32))
        >>> portable_integers(3, 10, key, b"example").tolist() == portable_integers(3, 10, key, b"example").tolist()
        True
    """
    n, high = whole(n, "n", 0, _RANGE), whole(high, "high", 1, MOST_DENOMINATOR)
    if not isinstance(key, bytes) or not 16 <= len(key) <= 64:
        raise ParameterError("A secret key must be 16 to 64 bytes; got another length or type.", "draw 32 bytes.")
    suffix = b"".join(len(part).to_bytes(4, "big") + part for part in context)
    whole_rounds = _RANGE - _RANGE % high
    found, block = np.zeros(0, np.int64), 0
    while len(found) < n:
        more = -(-(n - len(found)) // _WORDS)
        digests = (hmac.digest(key, i.to_bytes(4, "big") + suffix, "sha256") for i in range(block, block + more))
        words = np.frombuffer(b"".join(digests), ">u4").astype(np.int64)
        found, block = np.concatenate((found, words[words < whole_rounds] % high)), block + more
    return found[:n]


def portable_coins(n: int, p: float | Fraction, key: bytes, *context: bytes) -> BoolArray:
    """Independent coins that are True with probability exactly p = a/b: an integer below b is below a.

    Args:
        n: how many, >= 0.
        p: in [0, 1], with a denominator of at most 2³¹.
        key: 16 to 64 secret bytes.
        context: what they are for.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: as `portable_integers`, or a finer probability. Remedy: round it to fewer digits.

    Example:
        >>> portable_coins(2, 1, bytes(32), b"example").tolist()
        [True, True]
    """
    exact = probability(p)
    if exact.denominator > MOST_DENOMINATOR:
        raise ParameterError(
            "A portable coin needs a denominator of at most 2^31; got {denominator}.",
            "round it to 9 digits.",
            denominator=exact.denominator,
        )
    return np.asarray(portable_integers(n, exact.denominator, key, *context) < exact.numerator)
