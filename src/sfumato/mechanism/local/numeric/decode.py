"""The number that the server puts for each report, so that the average is right whatever the values are.

A table h over the reports with P h = t has E[h(report) | x] = t(x) at each grid point x. Where there are
more reports than grid points, the table of least variance under equally frequent values is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import FloatArray

_TOLERANCE = 1e-7
"""Largest error of an expectation, as a share of the target's range."""


def unbiased(matrix: FloatArray, target: FloatArray) -> FloatArray:
    """The table h with matrix @ h = target, of least mean square under equally frequent grid points.

    With w_j the column means of P: h = W^(-1/2) g, g the least-norm solution of (P W^(-1/2)) g = target.

    Args:
        matrix: (m, n_outputs) float64, P[report | grid point].
        target: (m,) or (m, t) float64, what to estimate at each grid point.

    Returns:
        (n_outputs,) or (n_outputs, t) float64.

    Raises:
        ParameterError: the reports do not determine the target (Duchi's bit says nothing of a variance), or
            floats cannot solve for it. Remedy: fewer steps, or a mechanism with more reports.

    Source:
        Least-norm inverse of a channel, as for randomized response in A. Chaudhuri and R. Mukerjee,
        "Randomized Response", 1988, chapter 2.

    Example:
        >>> unbiased(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0.0, 1.0])).round(9).tolist()
        [-0.5, 1.5]
    """
    used = matrix.mean(axis=0)
    root = np.sqrt(np.where(used > 0, used, 1))
    if matrix.shape[0] == matrix.shape[1]:
        solution = _square(matrix, target)
    else:
        solution = (np.linalg.lstsq(matrix / root, target, rcond=None)[0].T / root).T
    error = np.abs(matrix @ solution - target).max()
    if not error <= _TOLERANCE * max(np.ptp(target), np.finfo(float).tiny):
        raise ParameterError(
            "Reports of this mechanism with {shape} steps do not determine what is asked.",
            "use fewer steps, or a mechanism with more reports (piecewise, square wave).",
            shape=matrix.shape[0] - 1,
        )
    return np.asarray(solution, np.float64)


def _square(matrix: FloatArray, target: FloatArray) -> FloatArray:
    """The one solution; zeros where there is none, which the caller's check refuses."""
    try:
        return np.asarray(np.linalg.solve(matrix, target), np.float64)
    except np.linalg.LinAlgError:
        return np.zeros_like(target)
