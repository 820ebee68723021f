"""How do the losses of several attributes become one number?"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray


class Aggregate(Enum):
    """The aggregate functions of ARX. v: losses, w: weights, d: attributes."""

    GEOMETRIC_MEAN = "geometric mean"
    """prod (v w + 1)^(1/d) - 1: keeps one bad attribute from hiding behind good ones."""
    ARITHMETIC_MEAN = "arithmetic mean"
    """sum v w / d."""
    SUM = "sum"
    """sum v w."""
    MAXIMUM = "maximum"
    """max v w."""
    RANK = "rank"
    """v w sorted descending, compared entry by entry."""


def weights_of(attributes: Sequence[Attribute]) -> FloatArray:
    """(m,) float64: declared weights over the largest one; all 1 where every weight is 0."""
    weights = np.array([a.column.weight for a in attributes], dtype=np.float64)
    largest = weights.max(initial=0.0)
    return np.ones(len(weights)) if largest == 0 else weights / largest


def combine(losses: FloatArray, weights: FloatArray, aggregate: Aggregate) -> FloatArray:
    """Combine losses (n, m) of m attributes into (n,), or (n, m) for RANK.

    Every aggregate grows with every loss, so bounds of the parts bound the whole.

    Example:
        >>> combine(np.array([[0.0, 1.0]]), np.ones(2), Aggregate.ARITHMETIC_MEAN).tolist()
        [0.5]
    """
    weighted = losses * weights
    d = losses.shape[1]
    match aggregate:
        case Aggregate.GEOMETRIC_MEAN:
            out: FloatArray = np.prod((weighted + 1.0) ** (1.0 / d), axis=1) - 1.0
        case Aggregate.ARITHMETIC_MEAN:
            out = weighted.sum(axis=1) / d
        case Aggregate.SUM:
            out = weighted.sum(axis=1)
        case Aggregate.MAXIMUM:
            out = weighted.max(axis=1, initial=0.0)
        case Aggregate.RANK:
            out = -np.sort(-weighted, axis=1)
        case _:
            assert_never(aggregate)
    return out


def one(losses: FloatArray, weights: FloatArray, aggregate: Aggregate) -> float | tuple[float, ...]:
    """Combine the losses (m,) of one node; a tuple for RANK."""
    combined = combine(losses[None, :], weights, aggregate)[0]
    return tuple(combined.tolist()) if aggregate is Aggregate.RANK else float(combined)


DIGITS = 1e10
"""ARX cuts losses to ten decimals, so that equal losses compare equal."""


def cut(losses: FloatArray) -> FloatArray:
    """Losses >= 0 cut down to ten decimals.

    Example:
        >>> cut(np.array([0.12345678909])).tolist()
        [0.123456789]
    """
    return np.floor(losses * DIGITS) / DIGITS


def shaved(losses: FloatArray) -> FloatArray:
    """`cut`, made safe against rounding: 1e-12 less first, except at the ends 0 and 1, which are exact."""
    out: FloatArray = np.where(losses == 1.0, 1.0, np.maximum(cut(losses - 1e-12), 0.0))
    return out


def safe(bounds: FloatArray) -> FloatArray:
    """Bounds >= 0 of values that are not cut, made safe against rounding: a part in 10^11 less.

    Example:
        >>> safe(np.array([0.0])).tolist()
        [0.0]
    """
    out: FloatArray = bounds * (1 - 1e-11)
    return out
