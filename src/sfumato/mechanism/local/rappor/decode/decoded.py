"""The decoder's result: for every candidate a share, its error, and whether it is a discovery."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.decode.correction import Correction
    from sfumato.mechanism.local.rappor.decode.select import Selection
    from sfumato.types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """Estimates of all candidates; candidates that share all bits are one entry with several names.

    Args:
        names: names of each entry, usually one.
        share: (n,) float64, unbiased share of persons; may be negative.
        error: (n,) float64 standard error; infinite where the counts cannot tell.
        low: (n,) float64, lower end of the interval of the share.
        high: (n,) float64, upper end.
        p_value: (n,) float64, one-sided, of "nobody holds it".
        adjusted: (n,) float64, p-values corrected for the number of candidates.
        significance: discoveries have an adjusted p-value of at most this.
        confidence: of each single interval.
        correction: what the significance bounds.
        selection: how the adjusted strings were found.
        reports: number of reports.
        silent: cohorts without a report.
        scatter: variance factor for strings that are no candidates or not selected, at least 1.
    """

    names: tuple[tuple[str, ...], ...]
    share: FloatArray
    error: FloatArray
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    adjusted: FloatArray
    significance: float
    confidence: float
    correction: Correction
    selection: Selection
    reports: int
    silent: tuple[int, ...]
    scatter: float

    @property
    def found(self) -> BoolArray:
        """(n,) bool: the discoveries."""
        return np.asarray(self.adjusted <= self.significance)

    @property
    def non_negative(self) -> FloatArray:
        """(n,) float64: the shares, negative ones as 0; for tables, not for tests."""
        return np.maximum(self.share, 0.0)

    @property
    def unexplained(self) -> float:
        """Share of persons whose string is no discovery, 1 minus the discoveries' shares, within [0, 1]."""
        return float(np.clip(1 - self.share[self.found].sum(), 0.0, 1.0))
