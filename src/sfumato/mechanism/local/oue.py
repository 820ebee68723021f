"""Optimized unary encoding: a fair coin for the true bit, rare ones elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_values
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.mechanism.local.oracle import Support
from sfumato.mechanism.local.unary import bytes_per_row, check_rows, count_ones, noisy_rows, set_bits, to_rows
from sfumato.mechanism.local.wire import digest, seal, unseal
from sfumato.noise.bernoulli import bernoulli
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class OUE:
    """One bit for each value: the true one is a fair coin, every other is 1 with probability 1/(e^ε+1).

    A report supports the values whose bit is 1: p = 1/2, q = 1/(e^ε+1).

    Proof of ε: two values change two bits, and the ratio is largest where the report holds a 1 at the
    one and a 0 at the other: (1/2)(1-q) / (q (1/2)) = (1-q)/q. The float q that is sampled is the least
    one whose exact log-odds are at most the asked ε.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

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

    epsilon: float
    domain_size: int
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        coin = calibrate(asked, asked, lambda odds: odds)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds))

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        return Fraction(1, 2), self.coin.noise

    @property
    def support(self) -> Support:
        """Here p = 1/2 and q = 1/(e^ε+1)."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """One for each value, in whole bytes."""
        return 8 * bytes_per_row(self.domain_size)

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> npt.NDArray[np.uint8]:
        """(n, ceil(k/8)) uint8 packed bits, the reports of n persons."""
        codes = check_values(values, self.domain_size)
        rows = self.randomize_nothing(len(codes), bits=bits)
        set_bits(rows, codes, bernoulli(len(codes), 0.5, bits=bits))
        return rows

    def randomize_nothing(self, n: int, *, bits: Bits) -> npt.NDArray[np.uint8]:
        """Reports of n persons who hold no value at all: noise in every bit (fake data start here)."""
        return noisy_rows(n, self.domain_size, self.coin.rare, bits=bits)

    def count_support(self, reports: npt.NDArray[np.uint8]) -> IntArray:
        """(k,) int64: reports whose bit of each value is 1."""
        return count_ones(check_rows(reports, self.domain_size, self.name), self.domain_size)

    def to_bytes(self, reports: npt.NDArray[np.uint8]) -> bytes:
        """The packed bits behind a header."""
        rows = check_rows(reports, self.domain_size, self.name)
        return seal(self.name, self._digest(), len(rows), rows.tobytes())

    def from_bytes(self, data: bytes) -> npt.NDArray[np.uint8]:
        """The reports of a wire form, checked."""
        n, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        return to_rows(payload, n, self.domain_size, self.name)

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.coin.rare)
