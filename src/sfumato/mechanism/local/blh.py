"""Binary local hashing: one noisy bit of a random hash of the value."""

from __future__ import annotations

from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.mechanism.local.hashing import Hashing, Records
from sfumato.mechanism.local.oracle import FrequencyOracle


@dataclass(frozen=True, slots=True)
class BLH(FrequencyOracle[Records]):
    """A random hash puts the value in one of two buckets, and the bucket goes through randomized response.

    A report supports the values that its hash puts in the reported bucket: p = e^ε/(e^ε+1), q = 1/2.

    Proof of ε: the hash function is drawn without looking at the value, and given it the report is
    randomized response over two buckets, whose exact ratio is 1 + 2(1-s)/s with the noise s sampled.

    Source:
        R. Bassily and A. Smith, "Local, Private, Efficient Protocols for Succinct Histograms", STOC 2015;
        T. Wang et al., USENIX Security 2017, section 4.4.

    Example:
        >>> round(BLH(1.0, 100).support.p, 4), BLH(1.0, 100).support.q
        (0.7311, 0.5)
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = BLH(700.0, 4)
        >>> int(oracle.count_support(oracle.randomize(np.array([2, 2, 2]), bits=SystemBits()))[2])
        3
    """

    name: ClassVar[str] = "BLH"
    place: ClassVar[int] = 40

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Hashing:
        """A bucket of a random hash."""
        del epsilon
        return Hashing(domain_size, 2)
