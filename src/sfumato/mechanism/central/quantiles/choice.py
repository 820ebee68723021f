"""The exact choice of one of many intervals of the grid, with weight width · e^(-rate · score).

Doubles only propose. A proposal is kept with an exact coin that makes up for all that they rounded.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import bernoulli, digits_of, toss
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.enclosure import exp_bound

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound
    from sfumato.types import IntArray

_TOTAL_BITS = 61
"""Proposals are drawn by integer weights that add up to less than 2⁶²."""
_MARGIN = 1 + 2.0**-30
"""Far more than the doubles below can be wrong: exponents up to 200 are right within 2⁻⁴³."""


def choose_interval(widths: IntArray, scores: IntArray, rate: Fraction, *, bits: Bits) -> int:
    """Interval i with probability exactly proportional to w_i · e^(-rate · score_i).

    Let t_i = 2ʲ w_i e^(-rate (score_i - least score)), j such that the largest is near 2⁴⁰ or more. A proposal i is
    drawn with the integer weight h_i = ⌊t_i (1 + 2⁻³⁰)⌋ + 1 >= t_i, t_i computed in doubles, and kept with probability
    t_i / h_i, decided exactly; else another is drawn. Nearly every proposal is kept.

    With rate = ε/(2Δ), Δ the sensitivity of every place's score, this is the exponential mechanism on places.

    Args:
        widths: (k,) int64 in [0, 2⁶²), not all 0: places in each interval.
        scores: (k,) int64, |score| < 2⁶², the smaller the better.
        rate: > 0.
        bits: source of chance.

    Returns:
        The chosen interval.

    Source:
        J. von Neumann, "Various techniques used in connection with random digits", 1951 (rejection); F. McSherry and
        K. Talwar, "Mechanism design via differential privacy", FOCS 2007.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> choose_interval(np.array([5, 0, 1]), np.array([10**6, 0, 3]), Fraction(1), bits=SystemBits())
        2
    """
    able = np.flatnonzero(widths > 0)
    widths, scores = widths[able], scores[able]
    least = int(scores.min())
    logs = np.log(widths) - float(rate) * (scores - least)
    shift = math.floor(_TOTAL_BITS - len(able).bit_length() - logs.max() / math.log(2))
    sums = np.cumsum((np.exp(logs + shift * math.log(2)) * _MARGIN).astype(np.int64) + 1)
    while True:
        i = int(np.searchsorted(sums, uniform_integers(1, int(sums[-1]), bits=bits)[0], "right"))
        height = int(sums[i]) - (int(sums[i - 1]) if i else 0)
        factor = int(widths[i]) * Fraction(2) ** shift / height
        if _coin(factor, rate * (int(scores[i]) - least), bits):
            return int(able[i])


def choose_place(lows: IntArray, widths: IntArray, scores: IntArray, rate: Fraction, *, bits: Bits) -> tuple[int, int]:
    """A place with probability exactly proportional to e^(-rate · score), and its interval.

    Args:
        lows: (k,) first place of each interval.
        widths: (k,) number of its places.
        scores: (k,) of each of its places.
        rate: > 0.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> choose_place(np.array([4]), np.array([1]), np.array([0]), Fraction(1), bits=SystemBits())
        (4, 0)
    """
    i = choose_interval(widths, scores, rate, bits=bits)
    return int(lows[i]) + int(uniform_integers(1, int(widths[i]), bits=bits)[0]), i


def _coin(factor: Fraction, x: Fraction, bits: Bits) -> bool:
    """True with probability exactly factor · e⁻ˣ, which is at most 1."""
    if x == 0:
        return bool(bernoulli(1, factor, bits=bits)[0])
    return bool(toss(1, digits_of(lambda w: [_scaled_bound(factor, x, w)]), bits=bits)[0])


def _scaled_bound(factor: Fraction, x: Fraction, w: int) -> Bound:
    """Integers with low <= 2ʷ factor e⁻ˣ < high."""
    extra = max(0, factor.numerator.bit_length() - factor.denominator.bit_length()) + 8
    low, high = exp_bound(x, w + extra)
    bottom = factor.denominator << extra
    return low * factor.numerator // bottom, min(-(-high * factor.numerator // bottom), 1 << w)
