"""Noise in shares: negative binomial numbers whose shapes add up, so that several parties draw one noise together."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.discrete_laplace import geometric
from sfumato.noise.integers import uniform_below
from sfumato.numbers.check import LARGEST, probability, whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_PARTIES = 1 << 20
"""Among so many a noise may be shared."""


def negative_binomial(n: int, scale: float | Fraction, shape: Fraction, *, bits: Bits) -> IntArray:
    """Independent numbers x = 0, 1, 2 … with probability exactly C(x + r - 1, x) (1 - q)ʳ qˣ, q = e^(-1/scale), r = shape.

    The sum of numbers of shapes r and s is one of shape r + s, and shape 1 is the geometric law.

    A geometric number is split into the cycles of a random permutation of so many things: the first cycle has uniform
    length 1 … x, the next one a uniform length of what is left, and so on. Each cycle is kept with probability r; the sum
    of what is kept is returned. Only the geometric number needs digits of e^(-1/scale); all else is in whole numbers.

    Args:
        n: number of draws, >= 0.
        scale: as `geometric` takes it; > 0, at most 2⁵².
        shape: r, above 0, at most 1.
        bits: source of chance.

    Returns:
        (n,) int64, >= 0.

    Raises:
        ParameterError: a number outside its range. Remedy: use a coarser unit, so that the scale is smaller.

    Proof:
        docs/proofs/secure-sums.md, "Shares of noise".

    Source:
        For cycles as Poisson numbers: R. Arratia, A. Barbour, S. Tavaré, "Logarithmic combinatorial structures", 2003,
        chapter 1; for negative binomials as shares of noise: S. Goryczka and L. Xiong, "A comprehensive comparison of
        multiparty secure additions with differential privacy", IEEE TDSC 2017.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> negative_binomial(3, 1e-300, Fraction(1, 3), bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    r = probability(shape)
    if r == 0:
        raise ParameterError("The shape of a share must be above 0.", "give 1 divided by the number of parties.")
    n = whole(n, "n", 0, LARGEST - 1)
    left, out, at = geometric(n, scale, bits=bits), np.zeros(n, np.int64), np.arange(n)
    while len(at):
        is_more = left > 0
        at, left = at[is_more], left[is_more]
        cycle = uniform_below(left, bits=bits) + 1
        out[at] += cycle * bernoulli(len(at), r, bits=bits)
        left = left - cycle
    return out


def laplace_share(n: int, scale: float | Fraction, among: int, *, bits: Bits) -> IntArray:
    """Independent shares of discrete Laplace noise: differences of two negative binomial numbers of shape 1/among.

    The sum of the shares of so many parties has exactly the law of `discrete_laplace` with this scale.

    Args:
        n: number of draws, >= 0.
        scale: of the sum; > 0, at most 2⁵².
        among: how many shares make the noise, 1 … 2²⁰.
        bits: source of chance.

    Returns:
        (n,) int64.

    Raises:
        ParameterError: a number outside its range. Remedy: use a coarser unit, so that the scale is smaller.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> laplace_share(3, 1e-300, 5, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    shape = Fraction(1, whole(among, "among", 1, MOST_PARTIES))
    more = negative_binomial(n, scale, shape, bits=bits)
    more -= negative_binomial(n, scale, shape, bits=bits)
    return more
