"""Subset selection: a random set of values that holds the true one more often than not."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Sided
from sfumato.mechanism.local.oracle import FrequencyOracle, rare_variance
from sfumato.mechanism.local.wire import pack_integers, unpack_integers
from sfumato.noise.subsets import subsets
from sfumato.types import IntArray

if TYPE_CHECKING:
    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits


def best_subset_size(epsilon: float, domain_size: int) -> int:
    """The whole subset size with the least variance of rare values, near k/(e^ε+1).

    Example:
        >>> best_subset_size(1.0, 100), best_subset_size(50.0, 100)
        (27, 1)
    """
    near = math.floor(domain_size / (math.exp(epsilon) + 1))
    sizes = {min(max(size, 1), domain_size - 1) for size in (near, near + 1)}
    return min(sorted(sizes), key=lambda size: rare_variance(epsilon, Subset(domain_size, size).law))


@dataclass(frozen=True, slots=True)
class Subset:
    """The report is a set of w values, sorted, so that their order tells nothing; it supports its members.

    Args:
        domain_size: k >= 2.
        size: w, 1 … k-1.
    """

    domain_size: int
    size: int

    @property
    def law(self) -> Sided:
        """Of the sets that hold a value, (w-1)/(k-1) hold another one too; of those that do not, w/(k-1) do."""
        k, w = self.domain_size, self.size
        return Sided(Fraction(k - w, w), Fraction(w - 1, k - 1), Fraction(w, k - 1))

    @property
    def bits_per_report(self) -> int:
        """The members' codes, or one bit for each value where that is shorter."""
        return min(self.domain_size, self.size * self._width)

    @property
    def costs(self) -> tuple[int, int]:
        """A coin and the members; one step for each member."""
        return 1 + self.size, self.size

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The size of a set, and the coin."""
        return self.size, coin.rare, coin.rare_is_noise

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> IntArray:
        """(n, w) int64, every row strictly increasing."""
        is_out = coin.toss_noise(len(codes), bits=bits)
        out = np.empty((len(codes), self.size), np.int64)
        out[is_out] = self._others(codes[is_out], self.size, bits=bits)
        held = codes[~is_out]
        out[~is_out] = np.sort(np.column_stack((held, self._others(held, self.size - 1, bits=bits))), axis=1)
        return out

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports that hold each value."""
        return np.bincount(reports.ravel(), minlength=self.domain_size).astype(np.int64, copy=False)

    def checked(self, reports: IntArray, what: str) -> IntArray:
        """Rows of w strictly increasing codes."""
        rows = np.asarray(reports)
        if rows.ndim != 2 or rows.shape[1] != self.size or not np.issubdtype(rows.dtype, np.integer):
            raise self._refusal(what)
        inside = not rows.size or (rows[:, 0].min() >= 0 and rows[:, -1].max() < self.domain_size)
        if not inside or np.any(rows[:, 1:] <= rows[:, :-1]):
            raise self._refusal(what)
        return rows.astype(np.int64, copy=False)

    def pack(self, reports: IntArray) -> bytes:
        """Codes or bits, whichever is shorter."""
        if not self._is_bitmap:
            return pack_integers(reports.ravel(), self._width)
        holds = np.zeros((len(reports), self.domain_size), bool)
        np.put_along_axis(holds, reports, values=True, axis=1)
        return np.packbits(holds, bitorder="little").tobytes()

    def unpack(self, payload: bytes, n: int, what: str) -> IntArray:
        """(n, w) int64.

        Raises:
            ReportError: bits of another number of members. Remedy: one oracle on both sides.
        """
        if not self._is_bitmap:
            return unpack_integers(payload, n * self.size, self._width).reshape(n, self.size)
        holds = unpack_integers(payload, n * self.domain_size, 1).reshape(n, self.domain_size)
        if np.any(holds.sum(axis=1) != self.size):
            raise self._refusal(what)
        return np.nonzero(holds)[1].reshape(n, self.size).astype(np.int64, copy=False)

    def _others(self, codes: IntArray, size: int, *, bits: Bits) -> IntArray:
        """Uniform sorted subsets of the values other than each code."""
        chosen = subsets(len(codes), self.domain_size - 1, size, bits=bits)
        return np.asarray(chosen + (chosen >= codes[:, None]), np.int64)

    def _refusal(self, what: str) -> ReportError:
        return ReportError(
            "A report of {what} must hold {size} increasing codes from 0 to {largest}.",
            "use the same oracle with the same parameters on the devices and on the server.",
            what=what,
            size=self.size,
            largest=self.domain_size - 1,
        )

    @property
    def _width(self) -> int:
        """Bits of one code."""
        return (self.domain_size - 1).bit_length()

    @property
    def _is_bitmap(self) -> bool:
        """Whether a bit for each value is shorter than the members' codes."""
        return self.domain_size < self.size * self._width


@dataclass(frozen=True, slots=True)
class SubsetSelection(FrequencyOracle[IntArray]):
    """Report w values out of k; the set holds the true one with probability w e^ε/(w e^ε+k-w).

    All sets that hold the value are equally likely, and so are all that do not. A report supports its
    members: p = w e^ε/(w e^ε+k-w), q = (p(w-1) + (1-p)w)/(k-1). Members are sorted, so their order
    tells nothing.

    Proof of ε: a set that holds v has probability p/C(k-1,w-1) with v, and (1-p)/C(k-1,w) with a value
    outside it; the ratio is (p/(1-p))·(k-w)/w with the float p or 1-p that is sampled.

    Source:
        M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation under Locally
        Differential Privacy", IEEE Trans. Inf. Theory 64(8), 2018; S. Wang et al., "Mutual Information
        Optimally Local Private Discrete Distribution Estimation", arXiv:1607.08025.

    Example:
        >>> oracle = SubsetSelection(1.0, 100)
        >>> oracle.encoding.size, round(oracle.support.p, 4)
        (27, 0.5013)
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle.randomize(np.array([5, 7]), bits=SystemBits()).shape
        (2, 27)
    """

    name: ClassVar[str] = "SubsetSelection"
    place: ClassVar[int] = 60

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Subset:
        """A set of the best size."""
        return Subset(domain_size, best_subset_size(epsilon, domain_size))
