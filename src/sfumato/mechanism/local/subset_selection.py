"""Subset selection: a random set of values that holds the true one more often than not."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ReportError
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_values
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.mechanism.local.oracle import Support, variance
from sfumato.mechanism.local.wire import digest, pack_integers, seal, unpack_integers, unseal
from sfumato.noise.subsets import subsets
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def best_subset_size(epsilon: float, domain_size: int) -> int:
    """The whole subset size with the least variance of rare values, near k/(e^ε+1).

    Example:
        >>> best_subset_size(1.0, 100), best_subset_size(50.0, 100)
        (27, 1)
    """
    near = math.floor(domain_size / (math.exp(epsilon) + 1))
    sizes = {min(max(size, 1), domain_size - 1) for size in (near, near + 1)}
    return min(sorted(sizes), key=lambda size: _rare_variance(epsilon, domain_size, size))


def _rare_variance(epsilon: float, domain_size: int, size: int) -> float:
    """Variance of a value that nobody has, for one report."""
    holds = size / (size + (domain_size - size) * math.exp(-epsilon))
    other = (holds * (size - 1) + (1 - holds) * size) / (domain_size - 1)
    if other >= holds:
        return math.inf
    return float(variance(np.zeros(1), 1, Support(holds, other))[0])


@dataclass(frozen=True, slots=True)
class SubsetSelection:
    """Report w values out of k; the set holds the true one with probability w e^ε/(w e^ε+k-w).

    All sets that hold the value are equally likely, and so are all that do not. A report supports its
    members: p = w e^ε/(w e^ε+k-w), q = (p(w-1) + (1-p)w)/(k-1). Members are sorted, so their order
    tells nothing.

    Proof of ε: a set that holds v has probability p/C(k-1,w-1) with v, and (1-p)/C(k-1,w) with a value
    outside it; the ratio is (p/(1-p))·(k-w)/w with the float p or 1-p that is sampled.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

    Source:
        M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation under Locally
        Differential Privacy", IEEE Trans. Inf. Theory 64(8), 2018; S. Wang et al., "Mutual Information
        Optimally Local Private Discrete Distribution Estimation", arXiv:1607.08025.

    Example:
        >>> oracle = SubsetSelection(1.0, 100)
        >>> oracle.size, round(oracle.support.p, 4)
        (27, 0.5013)
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle.randomize(np.array([5, 7]), bits=SystemBits()).shape
        (2, 27)
    """

    name: ClassVar[str] = "SubsetSelection"

    epsilon: float
    domain_size: int
    size: int = field(init=False, repr=False)
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        k, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        size = best_subset_size(asked, k)
        spread = Fraction(k - size, size)
        coin = calibrate(asked, asked - math.log(spread), lambda odds: odds * spread)
        object.__setattr__(self, "domain_size", k)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds * spread))

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        p = self.coin.truth
        return p, (p * (self.size - 1) + (1 - p) * self.size) / (self.domain_size - 1)

    @property
    def support(self) -> Support:
        """Here p = w e^ε/(w e^ε+k-w) and q = (p(w-1) + (1-p)w)/(k-1)."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """The members' codes, or one bit for each value where that is shorter."""
        return min(self.domain_size, self.size * self._width())

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> IntArray:
        """(n, w) int64, every row strictly increasing: the reports of n persons."""
        codes = check_values(values, self.domain_size)
        is_out = self.coin.toss_noise(len(codes), bits=bits)
        out = np.empty((len(codes), self.size), np.int64)
        out[is_out] = self._others(codes[is_out], self.size, bits=bits)
        held = codes[~is_out]
        out[~is_out] = np.sort(np.column_stack((held, self._others(held, self.size - 1, bits=bits))), axis=1)
        return out

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports that hold each value."""
        rows = self._check(reports)
        return np.bincount(rows.ravel(), minlength=self.domain_size).astype(np.int64, copy=False)

    def to_bytes(self, reports: IntArray) -> bytes:
        """Codes or bits, whichever is shorter, behind a header."""
        rows = self._check(reports)
        if not self._is_bitmap():
            return seal(self.name, self._digest(), len(rows), pack_integers(rows.ravel(), self._width()))
        holds = np.zeros((len(rows), self.domain_size), bool)
        np.put_along_axis(holds, rows, values=True, axis=1)
        return seal(self.name, self._digest(), len(rows), np.packbits(holds, bitorder="little").tobytes())

    def from_bytes(self, data: bytes) -> IntArray:
        """The reports of a wire form, checked."""
        n, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        if not self._is_bitmap():
            return self._check(unpack_integers(payload, n * self.size, self._width()).reshape(n, self.size))
        holds = unpack_integers(payload, n * self.domain_size, 1).reshape(n, self.domain_size)
        if np.any(holds.sum(axis=1) != self.size):
            raise self._refusal()
        return np.nonzero(holds)[1].reshape(n, self.size).astype(np.int64, copy=False)

    def _others(self, codes: IntArray, size: int, *, bits: Bits) -> IntArray:
        """Uniform sorted subsets of the values other than each code."""
        chosen = subsets(len(codes), self.domain_size - 1, size, bits=bits)
        return np.asarray(chosen + (chosen >= codes[:, None]), np.int64)

    def _check(self, reports: IntArray) -> IntArray:
        """Rows of w strictly increasing codes, or a refusal."""
        rows = np.asarray(reports)
        if rows.ndim != 2 or rows.shape[1] != self.size or not np.issubdtype(rows.dtype, np.integer):
            raise self._refusal()
        inside = not rows.size or (rows[:, 0].min() >= 0 and rows[:, -1].max() < self.domain_size)
        if not inside or np.any(rows[:, 1:] <= rows[:, :-1]):
            raise self._refusal()
        return rows.astype(np.int64, copy=False)

    def _refusal(self) -> ReportError:
        """What a report must be."""
        return ReportError(
            "A report of {name} must hold {size} increasing codes from 0 to {domain_size}.",
            "use the same oracle with the same parameters on the devices and on the server.",
            name=self.name,
            size=self.size,
            domain_size=self.domain_size - 1,
        )

    def _width(self) -> int:
        """Bits of one code."""
        return (self.domain_size - 1).bit_length()

    def _is_bitmap(self) -> bool:
        """Whether a bit for each value is shorter than the members' codes."""
        return self.domain_size < self.size * self._width()

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.size, self.coin.rare, self.coin.rare_is_noise)
