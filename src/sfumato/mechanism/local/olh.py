"""Optimized local hashing: a random hash into e^ε+1 buckets, and randomized response over them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_values
from sfumato.mechanism.local.hashing import MOST_BUCKETS, Hashing, check_hashed, coin_of, count, randomize, support_of
from sfumato.mechanism.local.oracle import Support
from sfumato.mechanism.local.wire import digest, seal, unseal
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def best_buckets(epsilon: float) -> int:
    """The whole number of buckets with the least variance of rare values, near e^ε + 1.

    Formula: the variance is proportional to (e^ε-1+g)²/(g-1), least at g = e^ε+1 and convex, so one of
    the two whole numbers around it is best.

    Example:
        >>> best_buckets(1.0), best_buckets(0.01), best_buckets(100.0)
        (4, 2, 65536)
    """
    if epsilon >= math.log(MOST_BUCKETS - 1):
        return MOST_BUCKETS
    low = max(2, math.floor(math.exp(epsilon) + 1))
    return min((low, low + 1), key=lambda g: (math.exp(epsilon) - 1 + g) ** 2 / (g - 1))


@dataclass(frozen=True, slots=True)
class OLH:
    """A random hash puts the value in one of g buckets, and the bucket goes through randomized response.

    A report supports the values that its hash puts in the reported bucket: p = e^ε/(e^ε+g-1), q = 1/g
    (exactly: q of the hash's own law, see `hashing`). g is the better whole number around e^ε+1,
    at most 65,536.

    Proof of ε: the hash function is drawn without looking at the value, and given it the report is
    randomized response over g buckets, whose exact ratio is 1 + g(1-s)/s with the noise s sampled.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

    Source:
        T. Wang et al., "Locally Differentially Private Protocols for Frequency Estimation", USENIX
        Security 2017, section 4.4.

    Example:
        >>> OLH(1.0, 100).hashing.n_buckets, round(OLH(1.0, 100).support.p, 4)
        (4, 0.4754)
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = OLH(700.0, 4)
        >>> int(oracle.count_support(oracle.randomize(np.array([2, 2, 2]), bits=SystemBits()))[2])
        3
    """

    name: ClassVar[str] = "OLH"

    epsilon: float
    domain_size: int
    hashing: Hashing = field(init=False, repr=False)
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        hashing = Hashing(size, best_buckets(asked))
        coin = coin_of(asked, hashing)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "hashing", hashing)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(1 + hashing.n_buckets * coin.odds))

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        return support_of(self.coin, self.hashing)

    @property
    def support(self) -> Support:
        """Here p = e^ε/(e^ε+g-1) and q = 1/g, up to the hash's exact law."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """72 or 144: the seed's two words and the bucket."""
        return 8 * self.hashing.report_type.itemsize

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> npt.NDArray[np.void]:
        """(n,) records of `a`, `b` (the hash function) and `bucket`, the reports of n persons."""
        return randomize(check_values(values, self.domain_size), self.coin, self.hashing, bits=bits)

    def count_support(self, reports: npt.NDArray[np.void]) -> IntArray:
        """(k,) int64: reports whose bucket is that of each value."""
        return count(check_hashed(reports, self.hashing, self.name), self.hashing)

    def to_bytes(self, reports: npt.NDArray[np.void]) -> bytes:
        """9 or 18 bytes a report behind a header."""
        records = check_hashed(reports, self.hashing, self.name)
        return seal(self.name, self._digest(), len(records), records.tobytes())

    def from_bytes(self, data: bytes) -> npt.NDArray[np.void]:
        """The reports of a wire form, checked."""
        _, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        return check_hashed(np.frombuffer(payload, self.hashing.report_type), self.hashing, self.name)

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.hashing.n_buckets, self.coin.rare, self.coin.rare_is_noise)
