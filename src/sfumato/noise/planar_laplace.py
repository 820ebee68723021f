"""Laplace noise of the plane on its whole numbers: two coordinates, by their Euclidean length."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import bernoulli_exp_enclosed, digits_of, toss
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import LARGEST, positive, whole
from sfumato.numbers.enclosure import exp_bound

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound, Bounds
    from sfumato.types import BoolArray, FloatArray, IntArray

LARGEST_LENGTH = 2**40
"""Steps over which the proposals may fall by e."""
PART = Fraction(408, 577)
"""A fraction just below 1/√2: |x| + |y| <= √2 √(x² + y²), so PART (|x| + |y|) never exceeds the length."""
_AT_A_TIME = 1 << 16
"""Proposals that stay in a processor's cache."""
TRUSTED = 2.0**12
"""Up to it, rate times length has an error below 2⁻³⁷ in float64; beyond it (once in e⁻⁴⁰⁰⁰) digits are certified."""


def planar_laplace(n: int, rate: float | Fraction, *, bits: Bits) -> IntArray:
    """Independent points (x, y) of ℤ² with probability exactly proportional to e^(-rate √(x² + y²)).

    Two independent discrete Laplace numbers of rate b = rate · 408/577 are kept with probability e^-γ,
    γ = rate √(x² + y²) - b (|x| + |y|) >= 0, an exact coin, so that what is kept has the asked law. Of the proposals
    78 % are kept for small rates (π/4), nearly all for large ones. γ is irrational: a coin that 32 bits do not decide
    is decided by integer roots and certified digits. No float is published, and none decides unless it is sure.

    Args:
        n: number of draws, >= 0.
        rate: fall of the logarithm for each step, > 0, at its exact rational value; at least 2⁻³⁹.
        bits: source of chance.

    Returns:
        (n, 2) int64.

    Raises:
        ParameterError: n or rate outside its range. Remedy: use a coarser grid, so that the rate is larger.

    Proof:
        docs/proofs/exact-draws.md, "Length".

    Source:
        The law: M. Andrés, N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Geo-indistinguishability", CCS 2013, here
        on the grid itself and without a largest radius.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> planar_laplace(2, 10**6, bits=SystemBits()).tolist()
        [[0, 0], [0, 0]]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), positive(rate, "rate")
    scale = checked_scale(1 / (exact * PART), "1 / (0.7 rate)", LARGEST_LENGTH)
    parts: list[IntArray] = [np.zeros((0, 2), np.int64)]
    missing = n
    while missing > 0:
        m = min(missing + missing // 3 + 16, _AT_A_TIME)
        proposed = np.stack([discrete_laplace(m, scale, bits=bits) for _ in range(2)], axis=1)
        parts.append(proposed[_kept(proposed, exact, bits)][:missing])
        missing -= len(parts[-1])
    return np.concatenate(parts)


def _kept(proposed: IntArray, rate: Fraction, bits: Bits) -> BoolArray:
    """Which proposals are kept."""
    gap, is_far = gaps(proposed, rate)
    coins, near = np.empty(len(proposed), bool), np.flatnonzero(~is_far)
    coins[near] = bernoulli_exp_enclosed(gap[near], lambda i: _bounds_at(proposed[near[i]], rate), bits=bits)
    for i in np.flatnonzero(is_far):
        at = _bounds_at(proposed[i], rate)
        coins[i] = at is None or toss(1, digits_of(at), bits=bits)[0]
    return coins


def _bounds_at(point: IntArray, rate: Fraction) -> Bounds | None:
    """The bounds of e^-γ at a point; None: it is 1."""
    x, y = point.tolist()
    return None if x == 0 == y else lambda w: [gap_bound(x, y, rate, w)]


def gaps(points: IntArray, rate: Fraction) -> tuple[FloatArray, BoolArray]:
    """γ in float64, and where it is not to be trusted.

    The relative error of rate · length is below 2⁻⁵⁰, and γ is at most that: up to 2¹² it errs by less than 2⁻³⁷.

    Args:
        points: (n, 2) int64.
        rate: of the law.

    Example:
        >>> gap, is_far = gaps(np.array([[3, 4], [0, 10**6]]), Fraction(1, 10))
        >>> round(float(gap[0]), 3), is_far.tolist()
        (0.005, [False, True])
    """
    size = np.abs(points.astype(np.float64))
    slope = float(min(rate, Fraction(2 * int(TRUSTED))))
    length = slope * np.hypot(size[:, 0], size[:, 1])
    part = float(PART) * slope * (size[:, 0] + size[:, 1])
    return np.maximum(length - part, 0.0), length > TRUSTED


def gap_bound(x: int, y: int, rate: Fraction, w: int) -> Bound:
    """Integers with low <= 2ʷ e^-γ < high, γ as in `planar_laplace`, for a point other than the origin.

    Example:
        >>> gap_bound(1, 1, Fraction(1), 20)[0] / 2**20 > 0.999
        True
    """
    least, most = (end - rate * PART * (abs(x) + abs(y)) for end in length_between(x, y, rate, w))
    low = exp_bound(most, w)[0]
    return low, (1 << w) if least <= 0 else exp_bound(least, w)[1]


def length_between(x: int, y: int, rate: Fraction, w: int) -> tuple[Fraction, Fraction]:
    """Fractions low <= rate √(x² + y²) < high, at most 2⁻ʷ⁻³ apart.

    Example:
        >>> low, high = length_between(1, 1, Fraction(1), 20)
        >>> low < high, round(float(high), 6)
        (True, 1.414214)
    """
    p = w + int(rate).bit_length() + 4
    root = isqrt((x * x + y * y) << 2 * p)
    return rate * Fraction(root, 1 << p), rate * Fraction(root + 1, 1 << p)
