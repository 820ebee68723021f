"""Generalized randomized response: the value itself, or any value by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_reports, check_values
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.mechanism.local.oracle import Support
from sfumato.mechanism.local.wire import digest, pack_integers, seal, unpack_integers, unseal
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def mixing_coin(epsilon: float, n_values: int) -> Coin:
    """The coin that replaces a value by a uniform one, s = k / (e^ε + k - 1) and its exact float.

    Proof: with noise s, P[v|v] = 1 - s + s/k and P[u|v] = s/k, so the largest ratio is 1 + k (1-s)/s.

    Args:
        epsilon: asked, in nats.
        n_values: k >= 2.

    Example:
        >>> round(float(mixing_coin(1.0, 2).noise), 4)
        0.5379
    """
    log_expm1 = math.log(math.expm1(epsilon)) if epsilon < 1 else epsilon + math.log1p(-math.exp(-epsilon))
    return calibrate(epsilon, log_expm1 - math.log(n_values), lambda odds: 1 + n_values * odds)


@dataclass(frozen=True, slots=True)
class GRR:
    """Keep the value with probability e^ε/(e^ε+k-1), else report another one, all equally likely.

    A report is a code and supports that code: p = e^ε/(e^ε+k-1), q = 1/(e^ε+k-1). Sampled as: with
    probability s = k/(e^ε+k-1) replace the value by a uniform one out of all k.

    Proof of ε: P[v|v]/P[u|v] = 1 + k(1-s)/s with the float s that is sampled; s is the least float (or
    1-s the largest) that keeps the exact logarithm of this ratio at most the asked ε.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

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

    epsilon: float
    domain_size: int
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size = check_domain(self.domain_size)
        coin = mixing_coin(check_epsilon(self.epsilon), size)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(1 + size * coin.odds))

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        q = self.coin.noise / self.domain_size
        return self.coin.truth + q, q

    @property
    def support(self) -> Support:
        """Here p = 1 - s + s/k and q = s/k."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """ceil(log2 k)."""
        return (self.domain_size - 1).bit_length()

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 codes, the reports of n persons."""
        codes = check_values(values, self.domain_size)
        noise = self.coin.toss_noise(len(codes), bits=bits)
        if self.coin.rare_is_noise:
            noisy, out = np.flatnonzero(noise), codes.copy()
            out[noisy] = uniform_integers(len(noisy), self.domain_size, bits=bits)
            return out
        true, out = np.flatnonzero(~noise), uniform_integers(len(codes), self.domain_size, bits=bits)
        out[true] = codes[true]
        return out

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: how many reports are each value."""
        codes = check_reports(reports, self.domain_size, self.name)
        return np.bincount(codes, minlength=self.domain_size).astype(np.int64, copy=False)

    def to_bytes(self, reports: IntArray) -> bytes:
        """ceil(log2 k) bits a report behind a header."""
        codes = check_reports(reports, self.domain_size, self.name)
        return seal(self.name, self._digest(), len(codes), pack_integers(codes, self.bits_per_report))

    def from_bytes(self, data: bytes) -> IntArray:
        """The reports of a wire form, checked."""
        n, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        return check_reports(unpack_integers(payload, n, self.bits_per_report), self.domain_size, self.name)

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.coin.rare, self.coin.rare_is_noise)
