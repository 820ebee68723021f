"""Where does chance that protects people come from? AES-256 in counter mode, keyed by the system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_BLOCK = 1 << 16
"""Bytes encrypted at a time; the keystream of zeros is the output."""


class Bits(Protocol):
    """A source of independent uniform words."""

    @property
    def is_secure(self) -> bool:
        """Whether an adversary can predict the words (False for a seeded source)."""
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
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        if self._pid != os.getpid():
            cipher = Cipher(algorithms.AES(os.urandom(32)), modes.CTR(os.urandom(16)))
            self._encryptor, self._pid = cipher.encryptor(), os.getpid()
        out = bytearray(8 * n)
        zeros, view = bytes(_BLOCK), memoryview(out)
        for start in range(0, len(out), _BLOCK):
            part = view[start : start + _BLOCK]
            self._encryptor.update_into(zeros[: len(part)], part)
        return np.frombuffer(out, np.uint64)
