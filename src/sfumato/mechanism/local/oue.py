"""Optimized unary encoding: a fair coin for the true bit, rare ones elsewhere."""

from __future__ import annotations

from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Asymmetric
from sfumato.mechanism.local.oracle import FrequencyOracle
from sfumato.mechanism.local.unary import Rows, Unary


@dataclass(frozen=True, slots=True)
class OUE(FrequencyOracle[Rows]):
    """One bit for each value: the true one is a fair coin, every other is 1 with probability 1/(e^ε+1).

    A report supports the values whose bit is 1: p = 1/2, q = 1/(e^ε+1).

    Proof of ε: two values change two bits, and the ratio is largest where the report holds a 1 at the
    one and a 0 at the other: (1/2)(1-q) / (q (1/2)) = (1-q)/q. The float q that is sampled is the least
    one whose exact log-odds are at most the asked ε.

    Source:
        T. Wang et al., "Locally Differentially Private Protocols for Frequency Estimation", USENIX
        Security 2017, section 4.3.

    Example:
        >>> OUE(1.0, 4).support.p, round(OUE(1.0, 4).support.q, 4)
        (0.5, 0.2689)
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> OUE(1.0, 12).randomize(np.array([3, 11]), bits=SystemBits()).shape
        (2, 2)
    """

    name: ClassVar[str] = "OUE"
    place: ClassVar[int] = 30

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Unary:
        """One bit for each value."""
        del epsilon
        return Unary(domain_size, Asymmetric())
