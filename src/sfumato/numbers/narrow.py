"""Small whole numbers in few bytes: what is read in any order should fit into the processor's cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import IntArray


def narrow(values: IntArray, size: int) -> IntArray:
    """The same numbers in as few bytes as hold them; sums and shifts of them must be made in wider ones.

    Args:
        values: (n,) int64, each >= 0.
        size: above all values.

    Example:
        >>> narrow(np.array([0, 255]), 256).dtype, narrow(np.array([0, 255]), 257).dtype
        (dtype('uint8'), dtype('uint16'))
    """
    out: IntArray = values.astype(np.min_scalar_type(max(size - 1, 0)), copy=False)
    return out
