"""The distribution from which reports most likely come: expectation-maximization, with smoothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.numeric.base import check_numeric_reports
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.base import NumericMechanism
    from sfumato.types import FloatArray, IntArray

_TOLERANCE = 1e-3
"""Gain of the log-likelihood, in nats, below which the steps stop (the paper's, times e^ε without smoothing)."""

_MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Shares of the grid points.

    Args:
        points: (steps+1,) float64, grid points.
        shares: (steps+1,) float64 >= 0, summing to 1.
        log_likelihood: of the reports under the shares, in nats, up to a constant.
        iterations: steps made.
        converged: whether the last step gained less than the tolerance.
    """

    points: FloatArray
    shares: FloatArray
    log_likelihood: float
    iterations: int
    converged: bool

    def mean(self) -> float:
        """Σ share·point."""
        return float(self.shares @ self.points)

    def variance(self) -> float:
        """Σ share·(point - mean)²."""
        return float(self.shares @ (self.points - self.mean()) ** 2)

    def quantile(self, level: float) -> float:
        """The least point with at least `level` of the mass at or below it.

        Args:
            level: in [0, 1].
        """
        reached = np.cumsum(self.shares) >= level - 1e-12
        return float(self.points[np.argmax(reached)] if reached.any() else self.points[-1])


def estimate_distribution(
    mechanism: NumericMechanism, reports: IntArray, *, smooth: bool = True, most_iterations: int = _MOST_STEPS
) -> Distribution:
    """The distribution over the grid by expectation-maximization, smoothed after each step unless told not to.

    Biased, but never negative: with smoothing the best known answer for smooth distributions. Without,
    it is the maximum-likelihood estimate, which keeps spikes (and makes some).

    Args:
        mechanism: what made the reports; `SquareWave` is made for this.
        reports: (n,) int64.
        smooth: average each share with its neighbors by (1, 2, 1)/4 after each step.
        most_iterations: limit of steps, >= 1.

    Raises:
        ReportError: reports that the mechanism cannot make. Remedy: use the mechanism that made them.

    Source:
        Z. Li et al., SIGMOD 2020, section 5.5, algorithm 1, "EMS".

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> from sfumato.mechanism.local.numeric.square_wave import SquareWave
        >>> mechanism = SquareWave(Grid.integers(0, 2), epsilon=10.0)
        >>> estimate_distribution(mechanism, np.array([0, 0, 1, 2]), smooth=False).shares.round(3).tolist()
        [0.5, 0.25, 0.25]
    """
    counts = np.bincount(check_numeric_reports(mechanism, reports), minlength=mechanism.n_outputs)
    tolerance = _TOLERANCE if smooth else _TOLERANCE * min(np.exp(mechanism.epsilon), 1 / _TOLERANCE)
    found = expectation_maximization(
        counts, mechanism.matrix(), smooth=smooth, tolerance=tolerance, most_iterations=most_iterations
    )
    return Distribution(mechanism.grid.points(), *found)


def expectation_maximization(
    counts: IntArray, matrix: FloatArray, *, smooth: bool, tolerance: float, most_iterations: int
) -> tuple[FloatArray, float, int, bool]:
    """Shares θ with θ_i ← θ_i Σ_j c_j P[i,j] / (n Σ_k θ_k P[k,j]), from uniform shares.

    Without smoothing each step raises the log-likelihood Σ_j c_j ln(Σ_k θ_k P[k,j]).

    Args:
        counts: (n_outputs,) int64 >= 0, how often each report came, not all 0.
        matrix: (m, n_outputs) float64, P[report | value].
        smooth: average with neighbors after each step.
        tolerance: gain in nats below which it stops.
        most_iterations: >= 1.

    Returns:
        (shares (m,) float64, log-likelihood, iterations, whether converged).

    Raises:
        ParameterError: no report. Remedy: wait for reports.

    Source:
        A. Dempster, N. Laird, D. Rubin, JRSS B 39(1), 1977; Z. Li et al., SIGMOD 2020, algorithm 1.

    Example:
        >>> shares, *_ = expectation_maximization(
        ...     np.array([60, 40]), np.array([[0.75, 0.25], [0.25, 0.75]]), smooth=False, tolerance=1e-9, most_iterations=999
        ... )
        >>> shares.round(3).tolist()
        [0.7, 0.3]
    """
    whole(most_iterations, "most_iterations", 1, 2**31)
    came = counts > 0
    if not came.any():
        raise ParameterError("An estimate needs at least one report.", "wait for reports.")
    weight, channel = counts[came] / counts.sum(), matrix[:, came]
    shares, before = np.full(len(matrix), 1 / len(matrix)), -np.inf
    for iteration in range(1, most_iterations + 1):
        mixture = shares @ channel
        likelihood = float(counts.sum() * (weight @ np.log(mixture)))
        if abs(likelihood - before) < tolerance:
            return shares, likelihood, iteration, True
        before = likelihood
        shares *= channel @ (weight / mixture)
        shares = _smoothed(shares) if smooth else shares / shares.sum()
    return shares, before, most_iterations, False


def _smoothed(shares: FloatArray) -> FloatArray:
    """Shares averaged with their neighbors by (1, 2, 1)/4; what would leave an end stays there."""
    padded = np.concatenate([shares[:1], shares, shares[-1:]])
    out = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    return np.asarray(out / out.sum(), np.float64)
