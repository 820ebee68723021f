"""Unary encoding: one noisy bit for each value of the domain. What SUE and OUE share.

The reports of n persons are a bit matrix, packed along the values: (n, ceil(k/8)) uint8, value v in bit
v mod 8 of byte v div 8. Bits beyond the last value are zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.noise.packed import bernoulli_packed

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray

_BLOCK_BITS = 1 << 20
"""Bits that are counted at a time; they stay in the cache."""

_RUN = 255
"""Rows whose bits add up in one byte."""


def bytes_per_row(domain_size: int) -> int:
    """Bytes of one packed report."""
    return -(-domain_size // 8)


def noisy_rows(n: int, domain_size: int, q: float, *, bits: Bits) -> npt.NDArray[np.uint8]:
    """Packed reports of n persons without any value: every bit is 1 with probability q."""
    width = bytes_per_row(domain_size)
    out = bernoulli_packed(n * width, q, bits=bits).reshape(n, width)
    if domain_size % 8:
        out[:, -1] &= (1 << domain_size % 8) - 1
    return out


def set_bits(packed: npt.NDArray[np.uint8], columns: IntArray, ones: BoolArray) -> None:
    """Write one bit of each row, in place: ones[i] at columns[i]."""
    rows, byte = np.arange(len(columns)), columns >> 3
    mask = np.left_shift(1, columns & 7).astype(np.uint8)
    packed[rows, byte] = np.where(ones, packed[rows, byte] | mask, packed[rows, byte] & ~mask)


def check_rows(reports: npt.NDArray[np.uint8], domain_size: int, what: str) -> npt.NDArray[np.uint8]:
    """Packed reports of the right width, with zeros beyond the last value.

    Raises:
        ReportError: another type or width, or a bit beyond the domain. Remedy: one oracle on both sides.
    """
    width = bytes_per_row(domain_size)
    is_packed = isinstance(reports, np.ndarray) and reports.dtype == np.uint8 and reports.shape[1:] == (width,)
    if not is_packed or (domain_size % 8 and np.any(reports[:, -1] >> (domain_size % 8))):
        raise ReportError(
            "Reports of {what} must be {domain_size} bits packed in {width} bytes each, without bits beyond the domain.",
            "use the same oracle with the same parameters on the devices and on the server.",
            what=what,
            domain_size=domain_size,
            width=width,
        )
    return reports


def count_ones(packed: npt.NDArray[np.uint8], domain_size: int) -> IntArray:
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


def to_rows(payload: bytes, n: int, domain_size: int, what: str) -> npt.NDArray[np.uint8]:
    """Packed reports out of their bytes, checked."""
    rows = np.frombuffer(payload, np.uint8).reshape(n, bytes_per_row(domain_size))
    return check_rows(rows, domain_size, what)
