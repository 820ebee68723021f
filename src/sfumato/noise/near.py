"""Whether points of the plane are near, beside a limit with Laplace noise."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import bernoulli, bernoulli_exp_enclosed, digits_of, toss
from sfumato.noise.planar_laplace import TRUSTED, length_between
from sfumato.numbers.check import positive
from sfumato.numbers.enclosure import exp_bound

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound, Bounds
    from sfumato.types import BoolArray, FloatArray, IntArray

_LARGEST = 2**31
"""Steps along an axis, so that squares add up in 64 bits."""
_SURE = 1e-9
"""Relative distance from the limit beyond which float64 knows on which side a length lies."""


def near(points: IntArray, rate: float | Fraction, limit: float | Fraction, *, bits: Bits) -> BoolArray:
    """Independent coins that are True with probability exactly Pr[√(x² + y²) <= limit + L], L of density ∝ e^(-rate |t|).

    L is a real Laplace number and is never drawn: with γ = rate |√(x² + y²) - limit|, the probability is e^-γ / 2 for a
    point beyond the limit and 1 - e^-γ / 2 for one within, a fair coin and a coin of an enclosed exponential. Which side
    a point is on is decided in whole numbers.

    Points whose lengths differ by d make no outcome more than e^(rate d) times likelier.

    Args:
        points: (n, 2) int64, coordinates below 2³¹.
        rate: for each step, > 0, at its exact rational value.
        limit: in steps, >= 0, likewise.
        bits: source of chance.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: a number outside its range. Remedy: larger cells.

    Proof:
        docs/proofs/exact-draws.md, "Near".

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> near(np.array([[0, 0], [3000, 4000]]), 1, 1000, bits=SystemBits()).tolist()
        [True, False]
    """
    slope, bound = positive(rate, "rate"), Fraction(0) if limit == 0 else positive(limit, "limit")
    if len(points) and np.abs(points).max() >= _LARGEST:
        raise ParameterError("Points must be at most 2^31 steps apart.", "use larger cells.")
    squares = points[:, 0] ** 2 + points[:, 1] ** 2
    is_beyond = _beyond(squares, bound)
    gap, is_far = _gaps(squares, slope, bound)

    def bounds(i: int) -> Bounds | None:
        x, y = points[i].tolist()
        return None if x * x + y * y == bound * bound else lambda w: [_gap_bound((x, y), slope, bound, w)]

    coins, sure = np.empty(len(points), bool), np.flatnonzero(~is_far)
    coins[sure] = bernoulli_exp_enclosed(gap[sure], lambda i: bounds(int(sure[i])), bits=bits)
    for i in np.flatnonzero(is_far).tolist():
        at = bounds(i)
        coins[i] = at is None or toss(1, digits_of(at), bits=bits)[0]
    return np.equal(coins & bernoulli(len(points), Fraction(1, 2), bits=bits), is_beyond)


def _beyond(squares: IntArray, limit: Fraction) -> BoolArray:
    """Where a length is at least the limit."""
    length, at = np.sqrt(squares.astype(np.float64)), float(limit)
    out: BoolArray = length >= at
    for i in np.flatnonzero(np.abs(length - at) <= _SURE * (length + at)):
        out[i] = int(squares[i]) >= limit * limit
    return out


def _gaps(squares: IntArray, rate: Fraction, limit: Fraction) -> tuple[FloatArray, BoolArray]:
    """γ in float64, and where it is not to be trusted: below 2¹² both of its terms err by less than 2⁻³⁸."""
    length = float(rate) * np.sqrt(squares.astype(np.float64))
    at = float(rate * limit)
    return np.abs(length - at), np.maximum(length, at) > TRUSTED


def _gap_bound(point: tuple[int, int], rate: Fraction, limit: Fraction, w: int) -> Bound:
    """Integers with low <= 2ʷ e^-γ < high, γ not 0."""
    ends = [end - rate * limit for end in length_between(*point, rate, w)]
    least, most = ends if point[0] ** 2 + point[1] ** 2 > limit * limit else (-ends[1], -ends[0])
    return exp_bound(most, w)[0], (1 << w) if least <= 0 else exp_bound(least, w)[1]
