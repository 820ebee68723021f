"""What a server keeps of RAPPOR reports: how many came from each cohort, and how often each bit was 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import BoolArray, IntArray


_BYTE = 255
"""Rows whose bits are added up in single bytes, which cannot overflow."""


@dataclass(frozen=True, slots=True, eq=False)
class BitCounts:
    """Counts of one collection; counts of parts add up to the counts of the whole.

    Args:
        n: (m,) int64, reports of each cohort.
        ones: (m, k) int64, reports of the cohort in which the bit was 1, each 0 … n of its cohort.

    Raises:
        ReportError: shapes that do not fit, or a count outside its range. Remedy: count the reports again.

    Example:
        >>> part = BitCounts(np.array([2]), np.array([[2, 0, 1]]))
        >>> (part + part).ones.tolist()
        [[4, 0, 2]]
    """

    n: IntArray
    ones: IntArray

    def __post_init__(self) -> None:
        fits = self.n.ndim == 1 and self.ones.ndim == 2 and len(self.ones) == len(self.n)
        if not fits or np.any(self.ones < 0) or np.any(self.ones > self.n[:, np.newaxis]):
            raise ReportError(
                "Counts of bits must lie between 0 and the reports of their cohort.", "count the reports again."
            )

    def __add__(self, other: BitCounts) -> BitCounts:
        """The counts of both parts."""
        if self.ones.shape != other.ones.shape:
            raise ReportError(
                "Only counts of one collection add up; got shapes {shape} and {shape2}.",
                "keep collections apart.",
                shape=self.ones.shape,
                shape2=other.ones.shape,
            )
        return BitCounts(self.n + other.n, self.ones + other.ones)

    @property
    def total(self) -> int:
        """Reports of all cohorts."""
        return int(self.n.sum())


def no_counts(params: RapporParams) -> BitCounts:
    """The counts before the first report."""
    return BitCounts(np.zeros(params.cohorts, np.int64), np.zeros((params.cohorts, params.bits), np.int64))


def count_reports(params: RapporParams, cohorts: IntArray, reports: BoolArray) -> BitCounts:
    """The counts of single reports.

    Args:
        params: of the collection.
        cohorts: (n,) int64, 0 … m-1.
        reports: (n, k) bool, the reported bits.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> tiny = RapporParams("tiny", bits=2, hashes=1, cohorts=2, f="1/2", p="1/2", q="3/4")
        >>> count_reports(tiny, np.array([1, 1]), np.array([[True, False], [True, True]])).ones.tolist()
        [[0, 0], [2, 1]]
    """
    return _counted(params, cohorts, lambda rows: reports[rows].view(np.uint8))


def count_packed(params: RapporParams, cohorts: IntArray, packed: npt.NDArray[np.uint8]) -> BitCounts:
    """The counts of single reports as they travel; they are unpacked a few at a time.

    Args:
        params: of the collection.
        cohorts: (n,) int64, 0 … m-1.
        packed: (n, ceil(k/8)) uint8; bit j of a report is bit j mod 8 of its byte j div 8.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> tiny = RapporParams("tiny", bits=2, hashes=1, cohorts=2, f="1/2", p="1/2", q="3/4")
        >>> count_packed(tiny, np.array([1, 1]), np.array([[0b01], [0b11]], np.uint8)).ones.tolist()
        [[0, 0], [2, 1]]
    """
    return _counted(
        params, cohorts, lambda rows: np.unpackbits(packed[rows], axis=1, count=params.bits, bitorder="little")
    )


def _counted(
    params: RapporParams, cohorts: IntArray, bits_of: Callable[[IntArray], npt.NDArray[np.uint8]]
) -> BitCounts:
    """The counts of reports whose bits, zeros and ones, are read a few rows at a time: they stay in the cache."""
    n = np.bincount(cohorts, minlength=params.cohorts).astype(np.int64)
    order = np.argsort(cohorts, kind="stable")
    ones = np.zeros((params.cohorts, params.bits), np.int64)
    for cohort, end in enumerate(np.cumsum(n).tolist()):
        for start in range(end - int(n[cohort]), end, _BYTE):
            rows = order[start : min(end, start + _BYTE)]
            ones[cohort] += bits_of(rows).sum(axis=0, dtype=np.uint8)
    return BitCounts(n, ones)
