"""Draws of ranks from the chain, in which even the rarest has the right chance.

All choices are halved again and again, each time by an exact coin whose odds are two sums of weights. An error of
floating point then changes every probability by a tiny factor, the smallest ones too; that is what privacy needs.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf
from typing import TYPE_CHECKING

from sfumato.mechanism.central.quantiles.joint_exponential_sums import log_sum
from sfumato.noise.bernoulli import bernoulli, bernoulli_exp

if TYPE_CHECKING:
    from sfumato.mechanism.central.quantiles.joint_exponential_chain import Chain
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray

_TINY = 700.0
"""Nats beyond which 1 + e^(-x) is 1 in a float, and e^(-x) nearly leaves their range."""


def coin_of_odds(log_odds: float, *, bits: Bits) -> bool:
    """True with probability 1 / (1 + e^(-log_odds)), up to a factor of 1 ± 2⁻⁵⁰ for both sides of the coin.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> coin_of_odds(float("-inf"), bits=SystemBits())
        False
    """
    if log_odds > 0:
        return not coin_of_odds(-log_odds, bits=bits)
    if log_odds == -inf:
        return False
    if log_odds < -_TINY:
        return bool(bernoulli_exp(1, Fraction(-log_odds), bits=bits)[0])
    odds = exp(log_odds)
    scaled = odds / (1 + odds) * 2.0**64  # exact: a power of two
    word, cut = int(bits.words(1)[0]), int(scaled)
    return word < cut or (word == cut and bool(bernoulli(1, scaled - cut, bits=bits)[0]))


def draw_log(logs: FloatArray, *, bits: Bits) -> int:
    """Draw i with probability proportional to e^(l_i), each right up to a tiny factor.

    Args:
        logs: (n,) logarithms of weights, not all -∞.
        bits: source of chance.

    Returns:
        The place drawn.

    Example:
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> draw_log(np.array([-np.inf, -1e9, -np.inf]), bits=SystemBits())
        1
    """
    low, high = 0, len(logs)
    while high - low > 1:
        middle = (low + high) // 2
        left, right = log_sum(logs[low:middle]), log_sum(logs[middle:high])
        goes_left = right == -inf or coin_of_odds(left - right, bits=bits)
        low, high = (low, middle) if goes_left else (middle, high)
    return low


def draw_ranks(weights: Chain, *, bits: Bits) -> list[tuple[int, int]]:
    """(rank, how many quantiles take it), from the last quantile to the first."""
    j, found = len(weights.lows) - 1, list[tuple[int, int]]()
    rank = weights.lows[j] + draw_log(weights.ends, bits=bits)
    while True:
        size = 1 + draw_log(weights.runs(j, rank), bits=bits)
        found.append((rank, size))
        j -= size
        if j < 0:
            return found
        rank = weights.lows[j] + draw_log(weights.before(j, rank), bits=bits)
