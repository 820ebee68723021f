"""Unary encoding: one noisy bit for each value of the domain, flipped alike (SUE) or not (OUE).

The reports of n persons are a bit matrix, packed along the values: (n, ceil(k/8)) uint8, value v in bit
v mod 8 of byte v div 8. Bits beyond the last value are zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Asymmetric, Symmetric
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.packed import bernoulli_packed

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

Rows: TypeAlias = "npt.NDArray[np.uint8]"
"""(n, ceil(k/8)) packed reports."""

_BLOCK_BITS = 1 << 20
"""Bits that are counted at a time; they stay in the cache."""

_RUN = 255
"""Rows whose bits add up in one byte."""


def bytes_per_row(domain_size: int) -> int:
    """Bytes of one packed report."""
    return -(-domain_size // 8)


@dataclass(frozen=True, slots=True)
class Unary:
    """A report is a bit for each value, and supports the values whose bit is 1.

    Args:
        domain_size: k >= 2.
        law: `Symmetric`: the bit of the value is flipped as the others are; `Asymmetric`: it is a fair coin.
    """

    domain_size: int
    law: Symmetric | Asymmetric

    @property
    def bits_per_report(self) -> int:
        """One for each value, in whole bytes."""
        return 8 * bytes_per_row(self.domain_size)

    @property
    def costs(self) -> tuple[int, int]:
        """A coin for each value and one more; one step for each value."""
        return 1 + self.domain_size, self.domain_size

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The coin, whose rarer side is always the noise."""
        return (coin.rare,)

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> Rows:
        """(n, ceil(k/8)) uint8 packed bits."""
        rows = self.randomize_nothing(len(codes), coin, bits=bits)
        if isinstance(self.law, Symmetric):
            ones = ~bernoulli(len(codes), coin.rare, bits=bits)
        else:
            ones = bernoulli(len(codes), 0.5, bits=bits)
        places, byte, mask = np.arange(len(codes)), codes >> 3, np.left_shift(1, codes & 7).astype(np.uint8)
        rows[places, byte] = np.where(ones, rows[places, byte] | mask, rows[places, byte] & ~mask)
        return rows

    def randomize_nothing(self, n: int, coin: Coin, *, bits: Bits) -> Rows:
        """Reports of n persons who hold no value at all: noise in every bit (fake data start here)."""
        width = bytes_per_row(self.domain_size)
        out = bernoulli_packed(n * width, coin.rare, bits=bits).reshape(n, width)
        if self.domain_size % 8:
            out[:, -1] &= (1 << self.domain_size % 8) - 1
        return out

    def count_support(self, reports: Rows) -> IntArray:
        """(k,) int64: reports whose bit of each value is 1."""
        return count_ones(reports, self.domain_size)

    def checked(self, reports: Rows, what: str) -> Rows:
        """Packed reports of the right width, with zeros beyond the last value."""
        width, beyond = bytes_per_row(self.domain_size), self.domain_size % 8
        is_packed = isinstance(reports, np.ndarray) and reports.dtype == np.uint8 and reports.shape[1:] == (width,)
        if not is_packed or (beyond and np.any(reports[:, -1] >> beyond)):
            raise ReportError(
                "Reports of {what} must be {domain_size} bits packed in {width} bytes each, without bits beyond the domain.",
                "use the same oracle with the same parameters on the devices and on the server.",
                what=what,
                domain_size=self.domain_size,
                width=width,
            )
        return reports

    def pack(self, reports: Rows) -> bytes:
        """The packed bits as they are."""
        return reports.tobytes()

    def unpack(self, payload: bytes, n: int, what: str) -> Rows:
        """(n, ceil(k/8)) uint8."""
        del what
        return np.frombuffer(payload, np.uint8).reshape(n, bytes_per_row(self.domain_size))


def count_ones(packed: Rows, domain_size: int) -> IntArray:
    """(k,) int64: rows that hold a 1 for each value.

    Runs of 255 rows add up in single bytes, which is what keeps it fast.
    """
    total = np.zeros(domain_size, np.int64)
    step = _RUN * max(1, _BLOCK_BITS // (domain_size * _RUN))
    for start in range(0, len(packed), step):
        rows = np.unpackbits(packed[start : start + step], axis=1, count=domain_size, bitorder="little")
        for first in range(0, len(rows), _RUN):
            total += rows[first : first + _RUN].sum(axis=0, dtype=np.uint8)
    return total
