"""Hadamard response: an index whose row of a Hadamard matrix agrees with the value more often than not."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Sided
from sfumato.mechanism.local.encoding import IntegerReports
from sfumato.mechanism.local.oracle import FrequencyOracle
from sfumato.noise.integers import uniform_integers
from sfumato.types import IntArray

if TYPE_CHECKING:
    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits

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
class HadamardRow(IntegerReports):
    """The report is an index, and supports the values whose column of Sylvester's matrix is 1 there."""

    @property
    def n_reports(self) -> int:
        """K, the least power of two above k."""
        return 1 << self.domain_size.bit_length()

    @property
    def law(self) -> Sided:
        """Half of all indices support a value, and two columns agree in half of the rows."""
        return Sided(Fraction(1), Fraction(1, 2), Fraction(1, 2))

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The coin, whose rarer side is always the noise."""
        return (coin.rare,)

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> IntArray:
        """(n,) int64 indices.

        A uniform index that lies on the wrong side has the lowest set bit of its column flipped, which
        maps one side onto the other.
        """
        columns = codes + 1
        index = uniform_integers(len(columns), self.n_reports, bits=bits)
        is_minus = (np.bitwise_count(index & columns) & 1).astype(bool)
        wrong = is_minus != coin.toss_noise(len(columns), bits=bits)
        return np.asarray(index ^ np.where(wrong, columns & -columns, 0), np.int64)

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports whose entry in each value's column is 1; half of (n + the transform)."""
        transformed = walsh_hadamard(self.hits(reports))
        return (len(reports) + transformed[1 : self.domain_size + 1]) // 2


@dataclass(frozen=True, slots=True)
class HadamardResponse(FrequencyOracle[IntArray]):
    """Report y out of K indices, K the power of two above k, with H[y, v+1] = 1 with probability e^ε/(e^ε+1).

    H is Sylvester's matrix, H[y, x] = (-1)^popcount(y & x); column 0 is constant and not used. Within its
    side of H all indices are equally likely. A report supports the values whose column is 1 at y: half of
    all values, so p = e^ε/(e^ε+1) and q = 1/2 exactly, since two columns agree in half of the rows. Any k
    and ε will do. Each report is one small integer and the server needs one transform, O(n + K log K).
    From ε of about 2 on, `ProjectiveGeometryResponse` is more accurate.

    Proof of ε: each index has probability 2(1-s)/K or 2s/K; the ratio is (1-s)/s, s the float sampled.

    Source:
        J. Acharya, Z. Sun and H. Zhang, "Hadamard Response: Estimating Distributions Privately,
        Efficiently, and with Little Communication", AISTATS 2019, section 3.

    Example:
        >>> oracle = HadamardResponse(700.0, 5)
        >>> oracle.encoding.n_reports, oracle.support.q
        (8, 0.5)
        >>> from sfumato.noise.bits import SystemBits
        >>> int(oracle.count_support(oracle.randomize(np.array([3, 3, 3]), bits=SystemBits()))[3])
        3
    """

    name: ClassVar[str] = "HadamardResponse"
    place: ClassVar[int] = 70

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> HadamardRow:
        """A row of the matrix.

        Raises:
            ParameterError: a domain whose transform does not fit. Remedy: another oracle.
        """
        del epsilon
        if domain_size >= LARGEST:
            raise ParameterError(
                "`domain_size` must be below {largest} here; got {size}.",
                "use OLH or GRR.",
                largest=LARGEST,
                size=domain_size,
            )
        return HadamardRow(domain_size)
