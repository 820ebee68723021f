"""Optimized local hashing: a random hash into e^ε+1 buckets, and randomized response over them."""

from __future__ import annotations

import math
from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.mechanism.local.hashing import MOST_BUCKETS, Hashing, Records
from sfumato.mechanism.local.oracle import FrequencyOracle


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
class OLH(FrequencyOracle[Records]):
    """A random hash puts the value in one of g buckets, and the bucket goes through randomized response.

    A report supports the values that its hash puts in the reported bucket: p = e^ε/(e^ε+g-1), q = 1/g
    (exactly: q of the hash's own law, see `hashing`). g is the better whole number around e^ε+1,
    at most 65,536.

    Proof of ε: the hash function is drawn without looking at the value, and given it the report is
    randomized response over g buckets, whose exact ratio is 1 + g(1-s)/s with the noise s sampled.

    Source:
        T. Wang et al., "Locally Differentially Private Protocols for Frequency Estimation", USENIX
        Security 2017, section 4.4.

    Example:
        >>> OLH(1.0, 100).encoding.n_buckets, round(OLH(1.0, 100).support.p, 4)
        (4, 0.4754)
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = OLH(700.0, 4)
        >>> int(oracle.count_support(oracle.randomize(np.array([2, 2, 2]), bits=SystemBits()))[2])
        3
    """

    name: ClassVar[str] = "OLH"
    place: ClassVar[int] = 50

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Hashing:
        """A bucket of a random hash."""
        return Hashing(domain_size, best_buckets(epsilon))
