"""How are words cut into smaller uniform integers?"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.noise.bits import Bits

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
