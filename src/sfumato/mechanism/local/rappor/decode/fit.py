"""The share of each candidate beside the strings that are adjusted for: weighted least squares.

A selected string is estimated together with the other selected ones; every other candidate by the one-step estimate
that adding it alone would give. Strings that nobody selected, and strings that are no candidates, act through a
background column (their mean) and a variance factor φ >= 1 (their scatter: hashes are random, so it has no direction).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.decode.candidates import Candidates
    from sfumato.mechanism.local.rappor.decode.corrected import Corrected
    from sfumato.types import FloatArray

_NOTHING = 1e-9
"""A column whose weight outside the adjusted ones is below this share of its own cannot be estimated."""
_ROUNDING = 1e-6
"""A coefficient is determined by the data where its entry of G⁺G is 1, up to this."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of all columns.

    Args:
        selected: columns that are adjusted for.
        estimate: (n,) float64 share of each column; 0 where the data cannot tell.
        variance: (n,) float64, φ included; infinite where the data cannot tell.
        scatter: φ, the mean squared standardized residual, at least 1.
        left: (n_rows,) float64 weighted residuals, of which every score is a sum.
    """

    selected: tuple[int, ...]
    estimate: FloatArray
    variance: FloatArray
    scatter: float
    left: FloatArray

    @property
    def z(self) -> FloatArray:
        """(n,) float64, estimate over standard error; 0 where the data cannot tell."""
        return np.asarray(self.estimate / np.sqrt(self.variance))


def fit(data: Corrected, candidates: Candidates, selected: tuple[int, ...], *, background: bool) -> Fit:
    """Weighted least squares on the selected columns, and a one-step estimate of every other.

    With A the adjusted columns, W the weights and G = AᵀWA: b = G⁻¹AᵀWy; for another column x the residual's
    estimate is xᵀW(y - Ab) / v with v = xᵀWx - xᵀWA G⁻¹ AᵀWx, and its variance 1/v (Frisch, Waugh and Lovell).

    Args:
        data: corrected shares and weights.
        candidates: the design.
        selected: columns to adjust for.
        background: whether strings outside the candidates are allowed for, by a column and by φ; without, φ = 1.

    Example:
        >>> from sfumato.mechanism.local.rappor.decode.candidates import candidates_from
        >>> from sfumato.mechanism.local.rappor.decode.corrected import Corrected
        >>> found = candidates_from(["a", "b"], np.array([[[0]], [[1]]]), bits=2)
        >>> fit(Corrected(np.array([0.7, 0.3]), np.ones(2)), found, (), background=False).estimate.tolist()
        [0.7, 0.3]
    """
    adjusted = _adjusted(candidates, selected, background=background)
    weighted = adjusted * data.weight[:, np.newaxis]
    gram = adjusted.T @ weighted
    inverse = np.linalg.pinv(gram, rcond=_NOTHING, hermitian=True)
    b = inverse @ (weighted.T @ data.share)
    residual = data.share - adjusted @ b
    scatter = _scatter(data, residual, adjusted.shape[1]) if background else 1.0
    own = candidates.sums(data.weight)
    cross = _cross(data, candidates, selected, own, background=background)
    left = own - np.sum((cross @ inverse) * cross, axis=1)
    known = left > _NOTHING * np.maximum(own, _NOTHING)
    safe = np.where(known, left, 1.0)
    estimate = np.where(known, candidates.sums(data.weight * residual) / safe, 0.0)
    variance = np.where(known, scatter / safe, np.inf)
    places, offset = list(selected), adjusted.shape[1] - len(selected)
    told = np.abs(np.diag(inverse @ gram)[offset:] - 1) < _ROUNDING
    estimate[places] = np.where(told, b[offset:], 0.0)
    variance[places] = np.where(told, scatter * np.diag(inverse)[offset:], np.inf)
    return Fit(selected, estimate, variance, scatter, data.weight * residual)


def _cross(
    data: Corrected, candidates: Candidates, selected: tuple[int, ...], own: FloatArray, *, background: bool
) -> FloatArray:
    """(n, background + selected) float64: XᵀWA, the weight that each column shares with each adjusted one."""
    columns = [candidates.shared(j, data.weight) for j in selected]
    if background:
        columns.insert(0, own)
    return np.column_stack(columns) if columns else np.zeros((len(own), 0))


def _adjusted(candidates: Candidates, selected: tuple[int, ...], *, background: bool) -> FloatArray:
    """(n_rows, background + selected) float64."""
    columns = [candidates.column(j) for j in selected]
    if background:
        columns.insert(0, np.ones(candidates.n_rows))
    return np.column_stack(columns) if columns else np.zeros((candidates.n_rows, 0))


def _scatter(data: Corrected, residual: FloatArray, n_columns: int) -> float:
    """φ: 1 if the noise explains all residuals, more if unknown strings scatter them."""
    free = int(np.count_nonzero(data.weight)) - n_columns
    return max(1.0, float(data.weight @ residual**2) / free) if free > 0 else 1.0
