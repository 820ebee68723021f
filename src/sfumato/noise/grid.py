"""Numbers between 0 and 1 without float artefacts, drawn on a fixed-point grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.numbers.check import LARGEST, whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray


def uniform_grid(n: int, *, bits: Bits, digits: int = 53) -> FloatArray:
    """Independent numbers j/2^digits, every j = 0 … 2^digits - 1 equally likely.

    Every number of the grid is a float64, so nothing is rounded and no number betrays what it was computed
    from. The mean is ½ - 2^(-digits-1).

    Args:
        n: how many, >= 0.
        bits: source of chance.
        digits: binary digits after the point, 1 … 53.

    Returns:
        (n,) float64 in [0, 1).

    Raises:
        ParameterError: n or digits outside its range. Remedy: give them inside.

    Source:
        I. Mironov, "On significance of the least significant bits for differential privacy", CCS 2012
        (what goes wrong without a grid).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bool((uniform_grid(9, bits=SystemBits(), digits=1) % 0.5 == 0).all())
        True
    """
    n, digits = whole(n, "n", 0, LARGEST - 1), whole(digits, "digits", 1, 53)
    return (bits.words(n) >> np.uint64(64 - digits)).astype(np.float64) * 2.0**-digits
