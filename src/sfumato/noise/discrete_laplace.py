"""How is two-sided geometric noise drawn, the discrete form of Laplace noise?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import toss
from sfumato.noise.bernoulli_exp import digits_of
from sfumato.noise.geometric import checked_scale, geometric
from sfumato.noise.narrow import narrow
from sfumato.numbers.certified import exp_bound, ratio_bound
from sfumato.numbers.check import LARGEST, whole

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.numbers.certified import Bound
    from sfumato.types import IntArray


def discrete_laplace(n: int, scale: float | Fraction, *, bits: Bits) -> IntArray:
    """Independent integers x with probability exactly proportional to e^(-|x|/scale).

    With q = e^(-1/scale): x = 0 has probability (1 - q)/(1 + q), a coin with certified digits; otherwise |x| - 1 is
    geometric with factor q and the sign is even: 2q/(1 + q) · (1 - q) q^(|x|-1) / 2 = (1 - q)/(1 + q) · q^|x|.

    Adding it to an integer of sensitivity Δ is (Δ/scale)-differentially private.

    Args:
        n: number of draws, >= 0.
        scale: > 0, at most 2⁵², at its exact rational value.
        bits: source of chance.

    Returns:
        (n,) int64.

    Raises:
        ParameterError: n or scale outside its range. Remedy: use a coarser unit, so that the scale is smaller.

    Source:
        A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally utility-maximizing privacy mechanisms",
        STOC 2009.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> discrete_laplace(3, 1e-300, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), checked_scale(scale)
    is_zero = toss(n, digits_of(lambda w: [_zero_bound(1 / exact, w)]), bits=bits)
    out = geometric(n, exact, bits=bits)
    out += 1
    sign = np.unpackbits(narrow(-(-n // 8), np.uint8, bits=bits), count=n).view(np.int8)
    sign *= -2
    sign += 1
    sign[is_zero] = 0
    out *= sign
    return out


def _zero_bound(x: Fraction, w: int) -> Bound:
    """The bound of (1 - q)/(1 + q), q = e⁻ˣ."""
    low, high = exp_bound(x, w)
    one = 1 << w
    return ratio_bound((one - high, one - low), (one + low, one + high), w)
