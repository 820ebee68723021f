"""Gaussian noise on the integers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import bernoulli_exp_many
from sfumato.noise.discrete_laplace import LARGEST_SCALE, checked_scale, discrete_laplace
from sfumato.numbers.check import LARGEST, whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_LARGEST_SIGMA = LARGEST_SCALE // 2
_AT_A_TIME = 1 << 17
"""Proposals that stay in a processor's cache."""
_TINY = Fraction(1, 2**400)
"""A float below would overflow when it divides; the exponent is astronomic either way."""


def discrete_gaussian(n: int, sigma: float | Fraction, *, bits: Bits) -> IntArray:
    """Independent integers x with probability exactly proportional to e^(-x²/(2σ²)).

    Discrete Laplace numbers y of scale t = ⌊σ⌋ + 1 are kept with probability e^(-(|y| - σ²/t)²/(2σ²)), an exact
    coin, so that what is kept has the asked law: -|y|/t - (|y| - σ²/t)²/(2σ²) = -y²/(2σ²) + constant. The
    first n that are kept are returned.

    Args:
        n: number of draws, >= 0.
        sigma: parameter σ (nearly the standard deviation), > 0, at most 2⁵¹, at its exact rational value.
        bits: source of chance.

    Returns:
        (n,) int64.

    Raises:
        ParameterError: n or sigma outside its range. Remedy: use a coarser unit.

    Source:
        C. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential privacy", NeurIPS
        2020, algorithm 3.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> discrete_gaussian(3, 1e-9, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), checked_scale(sigma, "sigma", _LARGEST_SIGMA)
    parts: list[IntArray] = []
    missing = n
    while missing > 0:
        kept = _kept(min(missing + missing // 2 + 16, _AT_A_TIME), exact, bits)
        parts.append(kept[:missing])
        missing -= len(parts[-1])
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _kept(m: int, sigma: Fraction, bits: Bits) -> IntArray:
    """The numbers that are kept of m proposed ones."""
    proposed = discrete_laplace(m, proposal_scale(sigma), bits=bits)

    def exact(i: int) -> Fraction:
        return exponent(int(proposed[i]), sigma)

    return proposed[bernoulli_exp_many(_exponents(proposed, sigma), exact, bits=bits)]


def proposal_scale(sigma: Fraction) -> Fraction:
    """The scale t = ⌊σ⌋ + 1 of the proposals.

    Example:
        >>> proposal_scale(Fraction(5, 2))
        Fraction(3, 1)
    """
    return Fraction(int(sigma) + 1)


def exponent(y: int, sigma: Fraction) -> Fraction:
    """(|y| - σ²/t)²/(2σ²), exactly.

    Example:
        >>> exponent(2, Fraction(1))
        Fraction(9, 8)
    """
    return ((abs(y) - sigma * sigma / proposal_scale(sigma)) / sigma) ** 2 / 2


def _exponents(y: IntArray, sigma: Fraction) -> FloatArray:
    """As `exponent` in float64.

    With d the root that is squared, |y|/σ <= d + 1, so d errs by less than 2⁻⁵⁰(d + 1), and e^(-d²/2) by less than 2⁻⁴⁹.
    """
    distance = (np.abs(y) - float(sigma * sigma / proposal_scale(sigma))) / float(max(sigma, _TINY))
    half: FloatArray = distance**2 / 2
    return half
