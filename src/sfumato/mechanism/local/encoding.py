"""The joint of all encodings: how a value becomes a report, how reports are counted, checked and packed.

An oracle is an encoding and a coin. What several encodings share is here: reports that are integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_reports
from sfumato.mechanism.local.wire import pack_integers, unpack_integers

if TYPE_CHECKING:
    from sfumato.mechanism.local.coin import Coin, Law
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

R = TypeVar("R")


class Encoding(Protocol[R]):
    """What a report says of a value. R is the array form of many reports, one report a row."""

    @property
    def law(self) -> Law:
        """What noise does to a report."""
        ...

    @property
    def bits_per_report(self) -> int:
        """Bits of one report on the wire, without the header."""
        ...

    @property
    def costs(self) -> tuple[int, int]:
        """Random numbers that a device draws for a report, and elementary steps of the server for it, about."""
        ...

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """What devices and server must have alike beside name and domain; it enters the digest of the wire form."""
        ...

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> R:
        """The reports of n persons; codes are checked already."""
        ...

    def count_support(self, reports: R) -> IntArray:
        """(domain_size,) int64: reports that support each value; reports are checked already."""
        ...

    def checked(self, reports: R, what: str) -> R:
        """The reports, if they are some of this encoding.

        Raises:
            ReportError: they are not. Remedy: one oracle on both sides.
        """
        ...

    def pack(self, reports: R) -> bytes:
        """The payload of reports that are checked."""
        ...

    def unpack(self, payload: bytes, n: int, what: str) -> R:
        """The n reports of a payload of the right length, still to be checked."""
        ...


@dataclass(frozen=True, slots=True)
class IntegerReports:
    """What encodings share whose report is one integer 0 … K-1.

    Args:
        domain_size: k >= 2.
    """

    domain_size: int

    @property
    def n_reports(self) -> int:
        """K, the number of different reports."""
        return self.domain_size

    @property
    def bits_per_report(self) -> int:
        """ceil(log2 K)."""
        return (self.n_reports - 1).bit_length()

    @property
    def costs(self) -> tuple[int, int]:
        """A coin and an integer; one place to count at."""
        return 2, 1

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The coin."""
        return coin.rare, coin.rare_is_noise

    def checked(self, reports: IntArray, what: str) -> IntArray:
        """(n,) int64, each from 0 to K-1."""
        return check_reports(reports, self.n_reports, what)

    def pack(self, reports: IntArray) -> bytes:
        """ceil(log2 K) bits a report."""
        return pack_integers(reports, self.bits_per_report)

    def unpack(self, payload: bytes, n: int, what: str) -> IntArray:
        """What `pack` packed."""
        del what
        return unpack_integers(payload, n, self.bits_per_report)

    def hits(self, reports: IntArray) -> IntArray:
        """(K,) int64: how often each report came."""
        return np.bincount(reports, minlength=self.n_reports).astype(np.int64, copy=False)
