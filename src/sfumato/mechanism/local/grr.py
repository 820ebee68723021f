"""Generalized randomized response: the value itself, or any value by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Direct
from sfumato.mechanism.local.encoding import IntegerReports
from sfumato.mechanism.local.oracle import FrequencyOracle
from sfumato.noise.integers import uniform_integers
from sfumato.types import IntArray

if TYPE_CHECKING:
    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits


@dataclass(frozen=True, slots=True)
class Identity(IntegerReports):
    """The report is a value and supports it."""

    @property
    def law(self) -> Direct:
        """Noise is a uniform value."""
        return Direct(self.domain_size)

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> IntArray:
        """(n,) int64 codes."""
        noise = coin.toss_noise(len(codes), bits=bits)
        if coin.rare_is_noise:
            noisy, out = np.flatnonzero(noise), codes.copy()
            out[noisy] = uniform_integers(len(noisy), self.domain_size, bits=bits)
            return out
        true, out = np.flatnonzero(~noise), uniform_integers(len(codes), self.domain_size, bits=bits)
        out[true] = codes[true]
        return out

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: how many reports are each value."""
        return self.hits(reports)


@dataclass(frozen=True, slots=True)
class GRR(FrequencyOracle[IntArray]):
    """Keep the value with probability e^ε/(e^ε+k-1), else report another one, all equally likely.

    A report is a code and supports that code: p = e^ε/(e^ε+k-1), q = 1/(e^ε+k-1). Sampled as: with
    probability s = k/(e^ε+k-1) replace the value by a uniform one out of all k.

    Proof of ε: P[v|v]/P[u|v] = 1 + k(1-s)/s with the float s that is sampled; s is the least float (or
    1-s the largest) that keeps the exact logarithm of this ratio at most the asked ε.

    Source:
        P. Kairouz, S. Oh and P. Viswanath, "Extremal Mechanisms for Local Differential Privacy", JMLR
        17, 2016, section 4.1; S. Warner, JASA 60, 1965, for k = 2.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = GRR(epsilon=700.0, domain_size=3)
        >>> oracle.count_support(oracle.randomize(np.array([0, 2, 2]), bits=SystemBits())).tolist()
        [1, 0, 2]
        >>> round(GRR(1.0, 3).support.p, 4), GRR(1.0, 3).epsilon <= 1.0
        (0.5761, True)
    """

    name: ClassVar[str] = "GRR"
    place: ClassVar[int] = 10
    reports_values: ClassVar[bool] = True

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Identity:
        """The value itself."""
        del epsilon
        return Identity(domain_size)
