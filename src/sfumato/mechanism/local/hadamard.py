"""Hadamard response: an index whose row of a Hadamard matrix agrees with the value more often than not."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
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

LARGEST = 2**26
"""Values for which the server's transform still fits in memory."""


def walsh_hadamard(counts: IntArray) -> IntArray:
    """The Walsh-Hadamard transform of whole numbers, exactly: out[i] = sum_j (-1)^popcount(i & j) counts[j].

    Args:
        counts: (K,) int64, K a power of two.

    Example:
        >>> walsh_hadamard(np.array([1, 2, 3, 4])).tolist()
        [10, -2, -4, 0]
    """
    out, step = counts.copy(), 1
    while step < len(out):
        pairs = out.reshape(-1, 2, step)
        out = np.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1).reshape(-1)
        step *= 2
    return out


@dataclass(frozen=True, slots=True)
class HadamardResponse:
    """Report y out of K indices, K the power of two above k, with H[y, v+1] = 1 with probability e^ε/(e^ε+1).

    H is Sylvester's matrix, H[y, x] = (-1)^popcount(y & x); column 0 is constant and not used. Within its
    side of H all indices are equally likely. A report supports the values whose column is 1 at y: half of
    all values, so p = e^ε/(e^ε+1) and q = 1/2 exactly, since two columns agree in half of the rows. Any k
    and ε will do. Each report is one small integer and the server needs one transform, O(n + K log K).
    From ε of about 2 on, `ProjectiveGeometryResponse` is more accurate.

    Proof of ε: each index has probability 2(1-s)/K or 2s/K; the ratio is (1-s)/s, s the float sampled.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: 2 <= k < 2²⁶.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

    Source:
        J. Acharya, Z. Sun and H. Zhang, "Hadamard Response: Estimating Distributions Privately,
        Efficiently, and with Little Communication", AISTATS 2019, section 3.

    Example:
        >>> oracle = HadamardResponse(700.0, 5)
        >>> oracle.n_indices, oracle.support.q
        (8, 0.5)
        >>> from sfumato.noise.bits import SystemBits
        >>> int(oracle.count_support(oracle.randomize(np.array([3, 3, 3]), bits=SystemBits()))[3])
        3
    """

    name: ClassVar[str] = "HadamardResponse"

    epsilon: float
    domain_size: int
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        if size >= LARGEST:
            raise ParameterError(
                "`domain_size` must be below {largest} here; got {size}.", "use OLH or GRR.", largest=LARGEST, size=size
            )
        coin = calibrate(asked, asked, lambda odds: odds)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds))

    @property
    def n_indices(self) -> int:
        """K, the least power of two above k."""
        return 1 << self.domain_size.bit_length()

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        return self.coin.truth, Fraction(1, 2)

    @property
    def support(self) -> Support:
        """Here p = e^ε/(e^ε+1) and q = 1/2."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """log2 K."""
        return self.domain_size.bit_length()

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 indices, the reports of n persons.

        A uniform index that lies on the wrong side has the lowest set bit of its column flipped, which
        maps one side onto the other.
        """
        columns = check_values(values, self.domain_size) + 1
        index = uniform_integers(len(columns), self.n_indices, bits=bits)
        is_minus = (np.bitwise_count(index & columns) & 1).astype(bool)
        wrong = is_minus != self.coin.toss_noise(len(columns), bits=bits)
        return np.asarray(index ^ np.where(wrong, columns & -columns, 0), np.int64)

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports whose entry in each value's column is 1; half of (n + the transform)."""
        index = check_reports(reports, self.n_indices, self.name)
        transformed = walsh_hadamard(np.bincount(index, minlength=self.n_indices).astype(np.int64))
        return (len(index) + transformed[1 : self.domain_size + 1]) // 2

    def to_bytes(self, reports: IntArray) -> bytes:
        """Log2 K bits a report behind a header."""
        index = check_reports(reports, self.n_indices, self.name)
        return seal(self.name, self._digest(), len(index), pack_integers(index, self.bits_per_report))

    def from_bytes(self, data: bytes) -> IntArray:
        """The reports of a wire form, checked."""
        n, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        return check_reports(unpack_integers(payload, n, self.bits_per_report), self.n_indices, self.name)

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.coin.rare)
