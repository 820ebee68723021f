"""Secrets between holders: keys agreed on by X25519 and HKDF, boxes of AES-256-GCM, and pads that cancel.

Pads are keystreams of AES-256 in counter mode under a key that two holders share, one for each purpose: what one adds the
other takes away, so a sum over all holders is that of what they hold, and less than all of them say nothing.

Source: D. Chaum, J. Cryptology 1 (1988), for exclusive or; K. Bonawitz et al., CCS 2017, section 4, for sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.mechanism.secret import key_for
from sfumato.mechanism.secure_sum import keys
from sfumato.noise.bits import KeyedBits, SystemBits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.together.keys import Card, Identity
    from sfumato.types import IntArray

_STAMP = "sfumato.together/1"


def derived(secret: bytes, *context: str) -> bytes:
    """32 bytes for one purpose: HKDF-SHA-256 with the context, each part preceded by its length.

    Example:
        >>> derived(b"s" * 32, "pads", "x") == derived(b"s" * 32, "pad", "sx")
        False
    """
    return key_for(secret, _STAMP, *context)


def agreed(mine: Identity, other: Card, *context: str) -> bytes:
    """The key that two parties share for one purpose; both compute the same.

    Raises:
        ReportError: the other key is none that a party could have.
    """
    names = sorted((mine.card.fingerprint, other.fingerprint))
    try:
        shared = mine.exchange().exchange(other.agreeing())
    except ValueError:
        raise ReportError("The key of {name!r} must be one to agree with; it is not.", "ask for another card.",
                          name=other.name) from None  # fmt: skip
    return derived(shared, "agreed", *names, *context)


def sealed(key: bytes, plain: bytes, about: bytes) -> bytes:
    """A box that only those with the key can open and nobody else can make, behind a fresh nonce.

    Args:
        key: 32 bytes.
        plain: what it holds.
        about: what it is for; whoever opens it must say the same.
    """
    return keys.sealed(key, plain, about, bits=SystemBits())


def opened(key: bytes, box: bytes, about: bytes) -> bytes:
    """What a box holds.

    Raises:
        ReportError: it was made with another key or for something else, or was changed.

    Example:
        >>> opened(b"k" * 32, sealed(b"k" * 32, b"row", b"7"), b"7")
        b'row'
    """
    plain = keys.unsealed(key, box, about)
    if plain is None:
        raise ReportError(
            "A box must be made with its key and for its purpose; this one was not.", "somebody changed it on its way."
        )
    return plain


def pads(mine: Identity, others: Mapping[str, Card], *context: str) -> dict[str, KeyedBits]:
    """For each other holder the keystream that is shared with it, for one purpose."""
    return {name: KeyedBits(agreed(mine, card, "pad", *context), is_secure=True) for name, card in others.items()}


def masked(values: IntArray, me: str, shared: Mapping[str, KeyedBits]) -> np.ndarray:
    """(n,) uint32: whole numbers behind pads; over all holders the pads cancel modulo 2**32.

    Args:
        values: (n,) whole numbers in [0, 2**32).
        me: name of the holder.
        shared: keystreams by the other's name.

    Example:
        >>> key = lambda: KeyedBits(bytes(32), is_secure=False)
        >>> two = [masked(np.array([5, 7]), "a", {"b": key()}), masked(np.array([1, 2]), "b", {"a": key()})]
        >>> (two[0] + two[1]).tolist(), two[0].tolist() == [5, 7]
        ([6, 9], False)
    """
    out = values.astype(np.uint32)
    for name, stream in shared.items():
        pad = stream.words(-(-len(out) // 2)).view(np.uint32)[: len(out)]
        out = out + pad if me < name else out - pad
    return out


def added(parts: Sequence[np.ndarray]) -> IntArray:
    """(n,) int64: what the numbers of all holders behind pads (`masked`) are together, modulo 2³².

    Example:
        >>> added([np.array([2**32 - 1], np.uint32), np.array([5], np.uint32)]).tolist()
        [4]
    """
    total = np.zeros(len(parts[0]), np.uint32)
    for part in parts:
        total += part
    return total.astype(np.int64)
