"""What hides a vector of counts: streams of uniform numbers that two holders have in common, and one of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.mechanism.secure_sum.keys import made_for, shared
from sfumato.noise.bits import KeyedBits, narrow

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from sfumato.mechanism.secure_sum.terms import Terms

Vector: TypeAlias = "npt.NDArray[np.unsignedinteger]"
"""Numbers modulo 2¹⁶, 2³² or 2⁶⁴: unsigned integers of so many bits, which wrap."""
KINDS: dict[int, type[np.unsignedinteger]] = {16: np.uint16, 32: np.uint32, 64: np.uint64}


def mask_of(key: bytes, cells: int, width: int) -> Vector:
    """(cells,) independent uniform numbers modulo 2^width: the keystream of AES-256-CTR.

    Args:
        key: 32 secret bytes.
        cells: how many.
        width: bits, 16, 32 or 64.

    Example:
        >>> bool((mask_of(bytes(32), 5, 32) == mask_of(bytes(32), 7, 32)[:5]).all())
        True
    """
    return narrow(cells, KINDS[width], bits=KeyedBits(key, is_secure=True))


def with_mask(vector: Vector, key: bytes, *, added: bool) -> None:
    """Add a mask to a vector in place, or take it off."""
    mask = mask_of(key, len(vector), vector.dtype.itemsize * 8)
    (np.add if added else np.subtract)(vector, mask, out=vector)


def pair_key(secret: bytes, public: bytes, terms: Terms, places: tuple[int, int]) -> bytes:
    """The key of the mask that two holders have in common."""
    return made_for(shared(secret, public), "mask", terms.digest, min(places), max(places))


def is_added(place: int, other: int) -> bool:
    """Whether a holder adds the mask that it shares with another one: the first of two adds it, the second takes it off."""
    return place < other


def masked(vector: Vector, place: int, seed: bytes, pairs: Iterable[tuple[int, bytes]]) -> Vector:
    """A holder's vector under its own mask and those it shares.

    Args:
        vector: counts, and noise, modulo 2^width.
        place: of the holder.
        seed: the key of its own mask.
        pairs: place of each other holder with the key that both have.

    Returns:
        A new vector. Without the seed, or without one of the keys, it is uniform.
    """
    out = vector.copy()
    with_mask(out, seed, added=True)
    for other, key in pairs:
        with_mask(out, key, added=is_added(place, other))
    return out
