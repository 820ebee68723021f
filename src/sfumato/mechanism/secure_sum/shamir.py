"""Secrets in shares: any `threshold` of them give the secret, fewer tell nothing of it.

Secrets are cut into numbers below the prime 2³¹ - 1, each shared by a polynomial of its own; products of two such numbers
fit 64 bits, so that everything is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ProtocolError
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

PRIME = 2**31 - 1
_WIDTH = 30
"""Bits of a secret in one number: all of them are below the prime."""


def numbers_of(secret: bytes) -> IntArray:
    """A secret as numbers below the prime, the last bits first.

    Example:
        >>> numbers_of(bytes([0, 0, 0, 0, 7])).tolist()
        [7, 0]
    """
    whole, n = int.from_bytes(secret, "big"), width_of(len(secret))
    return np.array([whole >> _WIDTH * i & (1 << _WIDTH) - 1 for i in range(n)], np.int64)


def width_of(length: int) -> int:
    """How many numbers a secret of so many bytes makes."""
    return -(-8 * length // _WIDTH)


def secret_of(numbers: IntArray, length: int) -> bytes:
    """The secret that numbers say; None of those that shares of one secret give is too large.

    Raises:
        ProtocolError: no secret of so many bytes. Remedy: somebody sent wrong shares.

    Example:
        >>> secret_of(numbers_of(b"secret"), 6)
        b'secret'
    """
    whole = sum(int(number) << _WIDTH * i for i, number in enumerate(numbers))
    if numbers.max(initial=0) >> _WIDTH or whole >> 8 * length:
        raise ProtocolError("Shares must give a secret; these do not.", "somebody sent wrong shares: start again.")
    return whole.to_bytes(length, "big")


def shares_of(secrets: IntArray, threshold: int, n: int, *, bits: Bits) -> IntArray:
    """Shares of numbers: the values at 1 … n of polynomials of degree threshold - 1, uniform but for their value at 0.

    Args:
        secrets: (k,) int64, below the prime.
        threshold: how many shares give the secrets, 1 … n.
        n: how many shares there are, below the prime.
        bits: secure chance.

    Returns:
        (n, k) int64, row i the share of holder i (at i + 1).

    Source:
        A. Shamir, "How to share a secret", CACM 1979.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> shares = shares_of(np.array([5, 6]), 2, 3, bits=SystemBits())
        >>> joined(weights_of([0, 2]), shares[[0, 2]]).tolist()
        [5, 6]
    """
    drawn = uniform_integers((threshold - 1) * len(secrets), PRIME, bits=bits).reshape(threshold - 1, len(secrets))
    at = np.arange(1, n + 1, dtype=np.int64)[:, np.newaxis]
    out = np.zeros((n, len(secrets)), np.int64)
    for coefficients in (*drawn, secrets):
        out *= at
        out += coefficients
        out %= PRIME
    return out


def weights_of(places: Sequence[int]) -> IntArray:
    """What shares of these holders are multiplied with to give the value at 0: Π x_j / (x_j - x_i), modulo the prime.

    Args:
        places: distinct numbers of holders, from 0.

    Returns:
        (t,) int64.

    Example:
        >>> weights_of([0, 1]).tolist() == [2, PRIME - 1]
        True
    """
    at = np.array(places, np.int64) + 1
    above, below = np.ones(len(at), np.int64), np.ones(len(at), np.int64)
    for i, x in enumerate(at):
        factor = (x - at) % PRIME
        factor[i] = 1
        below = below * factor % PRIME
        above = above * np.where(np.arange(len(at)) == i, 1, x) % PRIME
    inverse = np.array([pow(int(one), -1, PRIME) for one in below], np.int64)
    return np.asarray(above * inverse % PRIME)


def joined(weights: IntArray, shares: IntArray) -> IntArray:
    """The secrets of shares.

    Args:
        weights: (t,) of the holders whose shares they are.
        shares: (t, …) below the prime.

    Returns:
        (…) int64.
    """
    total = np.zeros(shares.shape[1:], np.int64)
    for weight, share in zip(weights, shares, strict=True):
        total += weight * share % PRIME
    return np.asarray(total % PRIME)
