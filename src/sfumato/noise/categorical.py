"""One of several values with given probabilities."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.discrete_laplace import invert
from sfumato.numbers.check import LARGEST, positive, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

Weights: TypeAlias = "IntArray | FloatArray | Sequence[Fraction | float]"
"""(d,) numbers >= 0, taken at their exact values."""


def categorical(n: int, weights: Weights, *, bits: Bits) -> IntArray:
    """Independent draws of i with probability exactly w_i / Σ w.

    Weights are taken at their exact rational value, brought to one denominator and added as integers;
    nothing is rounded, and they need not sum to 1. The law is then inverted (see `inversion`).

    Args:
        n: number of draws, >= 0.
        weights: (d,) floats or rationals, >= 0, not all 0.
        bits: source of chance.

    Returns:
        (n,) int64 in [0, d).

    Raises:
        ParameterError: a weight is negative or not finite, or all are 0. Remedy: give positive weights.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> categorical(3, [0.0, 0.2, 0.0], bits=SystemBits()).tolist()
        [1, 1, 1]
    """
    n = whole(n, "n", 0, LARGEST - 1)
    integers = whole_weights(weights)
    kept = [i for i, weight in enumerate(integers) if weight]
    sums = list(accumulate(integers[i] for i in kept))
    total = sums.pop()
    return np.array(kept, np.int64)[invert(n, lambda k: [(s << k) // total for s in sums], bits=bits)]


def whole_weights(weights: Weights) -> list[int]:
    """Integers in the same proportions.

    Raises:
        ParameterError: a weight is negative or not finite, or all are 0. Remedy: give positive weights.

    Example:
        >>> whole_weights([0.5, 0.25, Fraction(1, 3)])
        [6, 3, 4]
    """
    values = weights.tolist() if isinstance(weights, np.ndarray) else list(weights)
    try:
        exact = [Fraction(0) if value == 0 else positive(value, "weight") for value in values]
    except ParameterError:  # the message would show the weight, which may be private
        exact = []
    if not any(exact):
        raise ParameterError("Every weight must be finite and >= 0, and one positive.", "give such weights.") from None
    scale = lcm(*(value.denominator for value in exact))
    return [value.numerator * (scale // value.denominator) for value in exact]
