"""Words that a test can repeat. They protect nobody."""

from __future__ import annotations

import hashlib

from sfumato.noise.bits import KeyedBits


class SeededBits(KeyedBits):
    """Deterministic words: the keystream of AES-256-CTR under a key made of a public seed.

    Args:
        seed: an integer >= 0.

    Example:
        >>> SeededBits(7).words(2).tolist() == SeededBits(7).words(2).tolist()
        True
        >>> SeededBits(7).is_secure
        False
    """

    def __init__(self, seed: int) -> None:
        key = hashlib.blake2b(str(int(seed)).encode(), digest_size=32, person=b"sfumato.seeded").digest()
        super().__init__(key, is_secure=False)
