"""Symmetric unary encoding: every bit keeps its side with the same probability."""

from __future__ import annotations

from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Symmetric
from sfumato.mechanism.local.oracle import FrequencyOracle
from sfumato.mechanism.local.unary import Rows, Unary


@dataclass(frozen=True, slots=True)
class SUE(FrequencyOracle[Rows]):
    """One bit for each value, 1 at the true one; each is flipped with probability 1/(e^{ε/2}+1).

    Basic one-time RAPPOR. A report supports the values whose bit is 1: p = e^{ε/2}/(e^{ε/2}+1), q = 1-p.

    Proof of ε: two values change two bits, and the ratio is largest where the report holds a 1 at the
    one and a 0 at the other: ((1-q)/q)². The float q that is sampled is the least one for which the exact
    logarithm of this ratio is at most the asked ε.

    Source:
        U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3; T. Wang et al., USENIX
        Security 2017, section 4.3.

    Example:
        >>> round(SUE(1.0, 4).support.p, 4), round(SUE(1.0, 4).support.q, 4)
        (0.6225, 0.3775)
        >>> import numpy as np
        >>> from sfumato.noise.bits import SystemBits
        >>> SUE(1.0, 12).randomize(np.array([3, 11]), bits=SystemBits()).shape
        (2, 2)
    """

    name: ClassVar[str] = "SUE"
    place: ClassVar[int] = 20

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Unary:
        """One bit for each value."""
        del epsilon
        return Unary(domain_size, Symmetric())
