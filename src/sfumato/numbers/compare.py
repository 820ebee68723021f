"""Exact comparisons at a threshold: quotients of integers against fractions, without rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import IntArray

_LARGEST = 2**62
"""Integers below this multiply and add once without overflow of int64."""

_CLEAR = 1e-12
"""Relative difference of two quotients beyond which floating point has decided rightly."""


def product(left: IntArray, right: IntArray | int) -> IntArray:
    """Products of integers >= 0; Python integers in an object array where int64 could overflow.

    Example:
        >>> product(np.array([2**40]), np.array([2**40])).tolist() == [2**80]
        True
    """
    if left.dtype == object or _largest_of(left) * _largest_of(np.asarray(right)) >= _LARGEST:
        return np.asarray(left.astype(object) * right)
    return np.asarray(left * right)


def compare(numerator: IntArray, denominator: IntArray, limit: Fraction) -> IntArray:
    """Signs of numerator/denominator - limit, exactly: -1, 0 or 1.

    Products that fit in 63 bits are compared as integers. Others are compared as floats, and the
    quotients too close to the limit for that as Python integers.

    Args:
        numerator: (n,) int64 or Python integers, >= 0.
        denominator: (n,) int64 or Python integers, > 0.
        limit: >= 0.

    Returns:
        (n,) int64.

    Example:
        >>> compare(np.array([1, 2, 3]), np.array([10, 10, 10]), Fraction("0.2")).tolist()
        [-1, 0, 1]
    """
    top, bottom = limit.numerator, limit.denominator
    fits = max(_largest_of(numerator) * bottom, _largest_of(denominator) * top) < _LARGEST
    if fits and object not in (numerator.dtype, denominator.dtype):
        return np.asarray(np.sign(numerator * bottom - denominator * top))
    difference = numerator.astype(np.float64) / denominator.astype(np.float64) - float(limit)
    out = np.sign(difference).astype(np.int64)
    for i in np.flatnonzero(np.abs(difference) <= _CLEAR * float(limit)):
        exact = int(numerator[i]) * bottom - int(denominator[i]) * top
        out[i] = (exact > 0) - (exact < 0)
    return out


def largest_quotient(numerator: IntArray, denominator: IntArray) -> Fraction:
    """The largest of numerator/denominator, exactly; 0 when there is none.

    Example:
        >>> largest_quotient(np.array([1, 2]), np.array([3, 5]))
        Fraction(2, 5)
    """
    if len(numerator) == 0:
        return Fraction(0)
    quotient = numerator.astype(np.float64) / denominator.astype(np.float64)
    close = quotient >= quotient.max() * (1 - _CLEAR)
    pairs = set(zip(numerator[close].tolist(), denominator[close].tolist(), strict=True))
    best = Fraction(0)
    for top, bottom in pairs:
        if top * best.denominator > best.numerator * bottom:
            best = Fraction(top, bottom)
    return best


def _largest_of(values: IntArray) -> int:
    """The largest of integers >= 0; 0 when there is none."""
    return int(values.max()) if values.size else 0
