"""Where does chance that protects people come from? AES-256 in counter mode, keyed by the system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from sfumato.noise.keyed import KeyedBits

if TYPE_CHECKING:
    import numpy as np
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
