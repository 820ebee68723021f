"""The encoding by local hashing, which BLH and OLH share: a random hash function and a bucket.

The hash is multiply-shift: for words of W bits and a uniform pair (a, b), z(x) = (a x + b mod 2^W) div
2^(W/2), and the bucket is floor(z g / 2^(W/2)). For x < 2^(W/2+1) the pair z(x), z(y), x != y, is exactly
uniform and independent, so the buckets are independent too and their law is known exactly.

Source: M. Dietzfelbinger, "Universal hashing and k-wise independent random variables via integer
arithmetic without primes", STACS 1996, theorem 3; M. Thorup, "High Speed Hashing for Integers and Strings",
2015, section 3.3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.compiled import compiled, pays
from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Direct
from sfumato.noise.bits import narrow
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

Records: TypeAlias = "npt.NDArray[np.void]"
"""(n,) reports: two words of the hash function and a bucket."""

MOST_BUCKETS = 2**16
"""Buckets fit in two bytes; with so many, collisions are rarer than any noise."""

_SHORT_DOMAIN = 2**17
_SHORT_BUCKETS = 2**8
"""Up to here words of 32 bits are enough, and the bucket fits in one byte."""

_BLOCK = 1 << 15
"""Reports counted at a time; their three arrays stay in the cache."""

COMPILING_PAYS_FROM = 2 * 10**9
"""Hashes from which compiling (about one second) is worth its time."""


@dataclass(frozen=True, slots=True)
class Hashing:
    """A family of hash functions, and how its reports are laid out.

    Args:
        domain_size: values, 2 … 2³¹.
        n_buckets: g, 2 … 2¹⁶.
    """

    domain_size: int
    n_buckets: int

    @property
    def word_bits(self) -> int:
        """W, 32 or 64."""
        return 32 if self.domain_size <= _SHORT_DOMAIN and self.n_buckets <= _SHORT_BUCKETS else 64

    @property
    def report_type(self) -> np.dtype[np.void]:
        """One report: the seed's two words and the bucket; 9 or 18 bytes."""
        word, bucket = ("<u4", "u1") if self.word_bits == 32 else ("<u8", "<u2")
        return np.dtype([("a", word), ("b", word), ("bucket", bucket)])

    @property
    def collision(self) -> Fraction:
        """The exact probability that two values share a bucket: the sum of squared bucket shares."""
        size = 2 ** (self.word_bits // 2)
        least, larger = divmod(size, self.n_buckets)
        squares = larger * (least + 1) ** 2 + (self.n_buckets - larger) * least**2
        return Fraction(squares, size**2)

    def starts(self) -> npt.NDArray[np.uint64]:
        """(g+1,) the least z of each bucket, and 2^(W/2)."""
        size = 2 ** (self.word_bits // 2)
        places = np.arange(self.n_buckets + 1, dtype=np.uint64) * np.uint64(size)
        return (places + np.uint64(self.n_buckets - 1)) // np.uint64(self.n_buckets)

    @property
    def law(self) -> Direct:
        """Without noise the report is the value's own bucket, which another value shares with the collision
        probability; with noise it is a uniform bucket, independent of every hash.
        """
        return Direct(self.n_buckets, self.collision)

    @property
    def bits_per_report(self) -> int:
        """72 or 144: the seed's two words and the bucket."""
        return 8 * self.report_type.itemsize

    @property
    def costs(self) -> tuple[int, int]:
        """Two words, a coin and a bucket; one step for each value."""
        return 4, self.domain_size

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The number of buckets, and the coin."""
        return self.n_buckets, coin.rare, coin.rare_is_noise

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> Records:
        """(n,) records of `a`, `b` (a fresh hash function for each person) and the noisy `bucket` of the value."""
        n, g, half = len(codes), self.n_buckets, self.word_bits // 2
        word: Any = np.uint32 if half == 16 else np.uint64
        out = np.empty(n, self.report_type)
        a, b = narrow(n, word, bits=bits), narrow(n, word, bits=bits)
        bucket = self.buckets(a, b, codes)
        noisy = np.flatnonzero(coin.toss_noise(n, bits=bits))
        bucket[noisy] = uniform_integers(len(noisy), g, bits=bits)
        out["a"], out["b"], out["bucket"] = a, b, bucket
        return out

    def buckets(self, a: npt.NDArray[Any], b: npt.NDArray[Any], codes: IntArray) -> IntArray:
        """The bucket of each code under the hash function of two words; shapes broadcast.

        Args:
            a: words of W bits.
            b: words of W bits.
            codes: 0 … k-1.
        """
        word = a.dtype.type
        half = word(self.word_bits // 2)
        place = (a * codes.astype(word) + b) >> half
        return np.asarray((place * word(self.n_buckets)) >> half, np.int64)

    def count_support(self, reports: Records) -> IntArray:
        """(k,) int64: reports whose bucket is that of each value."""
        return count(reports, self)

    def checked(self, reports: Records, what: str) -> Records:
        """Reports of the right layout with buckets below g."""
        fits = isinstance(reports, np.ndarray) and reports.ndim == 1 and reports.dtype == self.report_type
        if not fits or np.any(reports["bucket"] >= self.n_buckets):
            raise ReportError(
                "Reports of {what} must hold two words of {word_bits} bits and a bucket below {n_buckets}.",
                "use the same oracle with the same parameters on the devices and on the server.",
                what=what,
                word_bits=self.word_bits,
                n_buckets=self.n_buckets,
            )
        return reports

    def pack(self, reports: Records) -> bytes:
        """9 or 18 bytes a report."""
        return reports.tobytes()

    def unpack(self, payload: bytes, n: int, what: str) -> Records:
        """(n,) records."""
        del n, what
        return np.frombuffer(payload, self.report_type)


def count(reports: Records, hashing: Hashing) -> IntArray:
    """(k,) int64: reports whose bucket is that of each value. Compiled where that pays.

    A value x falls into the reported bucket iff a x + b - start, modulo 2^W, is below the bucket's
    width, so each value costs one addition and one comparison a report.
    """
    work = len(reports) * hashing.domain_size
    if pays(work, COMPILING_PAYS_FROM):
        return count_compiled(reports, hashing)
    return count_plain(reports, hashing)


def count_plain(reports: Records, hashing: Hashing) -> IntArray:
    """The counts by numpy, value by value on blocks of reports."""
    total = np.zeros(hashing.domain_size, np.int64)
    for start in range(0, len(reports), _BLOCK):
        step, place, width = _walks(reports[start : start + _BLOCK], hashing)
        falls = np.empty(len(place), bool)
        for value in range(hashing.domain_size):
            np.less(place, width, out=falls)
            total[value] += np.count_nonzero(falls)
            np.add(place, step, out=place)
    return total


def count_compiled(reports: Records, hashing: Hashing) -> IntArray:
    """The same counts by a compiled loop; needs numba (the extra `fast`)."""
    total = np.zeros(hashing.domain_size, np.int64)
    kernel = compiled(_count_loop)
    for start in range(0, len(reports), 1 << 16):
        step, place, width = _walks(reports[start : start + (1 << 16)], hashing)
        part = np.zeros(hashing.domain_size, step.dtype)
        kernel(step, place, width, part)
        total += part.astype(np.int64)
    return total


def _walks(block: Records, hashing: Hashing) -> tuple[npt.NDArray[Any], ...]:
    """For each report: step a, place b - start at value 0, and width, all in the top half of a word."""
    starts, bucket = hashing.starts(), block["bucket"].astype(np.int64)
    step = np.ascontiguousarray(block["a"])
    half = np.uint64(hashing.word_bits // 2)
    low = (starts[bucket] << half).astype(step.dtype)
    width = ((starts[bucket + 1] - starts[bucket]) << half).astype(step.dtype)
    return step, block["b"] - low, width


def _count_loop(step: Any, place: Any, width: Any, part: Any) -> None:
    """Adds 1 to part[x] for each report whose bucket holds x."""
    word = part.dtype.type
    for i in range(len(step)):
        a, at, wide = step[i], place[i], width[i]
        for x in range(len(part)):
            part[x] += word(word(at + a * word(x)) < wide)
