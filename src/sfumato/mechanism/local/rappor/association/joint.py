"""The joint shares that make the reports most probable, and their errors: EM, stopped by a certificate.

With A and B the likelihoods of a person's two reports, person i has the likelihood w_i = A_iᵀ P B_i under the shares P.
EM multiplies P by the gradient's mean G = (1/n) Σ A_i B_iᵀ / w_i. The log-likelihood is concave in P, so max G - 1
bounds what n⁻¹ times the log-likelihood can still gain: EM stops when it is small, wherever it started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray

MOST_CELLS = 1024
"""Cells of the joint table; its errors need a matrix with their square."""
_CHUNK = 1 << 22
"""Numbers held at a time when errors are computed."""
_BOLDER, _BOLDEST = 1.5, 64.0
"""The step grows by the first factor while the likelihood rises, to the second at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Joint shares of two variables.

    Args:
        share: (a, b) float64, at least 0, sum 1.
        error: (a, b) float64 standard errors; near 0 they are those of an estimate that may be negative.
        gap: how far the log-likelihood of all reports is from its maximum, at most.
        rounds: of EM.
    """

    share: FloatArray
    error: FloatArray
    gap: float
    rounds: int


def joint_shares(first: FloatArray, second: FloatArray, *, gap: float = 0.01, most_rounds: int = 5000) -> Joint:
    """Maximum-likelihood joint shares.

    Args:
        first: (n, a) float64, likelihood of each person's first report under each string, each row > 0 somewhere.
        second: (n, b) float64, of the second report of the same person.
        gap: stop when the log-likelihood of all reports is surely this close to its maximum.
        most_rounds: stop anyway; the result tells its gap.

    Returns:
        Shares and errors from the observed information, Σ s_i s_iᵀ with s_i = A_i B_iᵀ / w_i, on the shares that sum to 1.

    Raises:
        ParameterError: no persons, unequal numbers of them, or too many cells. Remedy: name fewer strings.

    Source:
        Fanti, Pihur and Erlingsson 2016, section 3 (EM on two variables); R. Salakhutdinov and S. Roweis, "Adaptive
        overrelaxed bound optimization methods", ICML 2003, for bolder steps. The stopping rule is our own.

    Example:
        >>> exact = np.eye(2)[[0, 0, 0, 1]]
        >>> joint_shares(exact, exact).share.round(2).tolist()
        [[0.75, 0.0], [0.0, 0.25]]
    """
    n, cells = len(first), first.shape[1] * second.shape[1]
    if not n or len(second) != n or cells > MOST_CELLS:
        raise ParameterError(
            "Both variables must come from the same persons, with at most {most_cells} cells; got {n} and {n_second} "
            "persons, {cells} cells.",
            "pair the reports person by person, and name fewer strings.",
            most_cells=MOST_CELLS,
            n=n,
            n_second=len(second),
            cells=cells,
        )
    share, rounds, slack = _climb(first, second, gap / n, most_rounds)
    return Joint(share, _errors(first, second, share), slack * n, rounds)


def _climb(first: FloatArray, second: FloatArray, slack: float, most_rounds: int) -> tuple[FloatArray, int, float]:
    """EM with bolder and bolder steps; a step that loses is taken back, and a plain one is made."""
    share = np.full((first.shape[1], second.shape[1]), 1 / (first.shape[1] * second.shape[1]))
    gain, level = _gain(first, second, share)
    bold, rounds = 1.0, 0
    while (left := float(gain.max()) - 1) > slack and rounds < most_rounds:
        rounds += 1
        tried = share * gain**bold
        tried /= tried.sum()
        new_gain, new_level = _gain(first, second, tried)
        if new_level < level and bold > 1:
            bold = 1.0
            continue
        share, gain, level, bold = tried, new_gain, new_level, min(_BOLDEST, bold * _BOLDER)
    return share, rounds, max(left, 0.0)


def _gain(first: FloatArray, second: FloatArray, share: FloatArray) -> tuple[FloatArray, float]:
    """(a, b) mean gradient G, and the mean log-likelihood."""
    w = np.maximum(np.einsum("ij,ij->i", first @ share, second), np.finfo(float).tiny)
    return np.asarray(first.T @ (second / w[:, np.newaxis]) / len(first)), float(np.log(w).mean())


def _errors(first: FloatArray, second: FloatArray, share: FloatArray) -> FloatArray:
    """(a, b) standard errors: the inverse information on the plane where changes sum to 0."""
    cells = share.size
    information = np.zeros((cells, cells))
    step = max(1, _CHUNK // cells)
    for start in range(0, len(first), step):
        a, b = first[start : start + step], second[start : start + step]
        w = np.maximum(np.einsum("ij,ij->i", a @ share, b), np.finfo(float).tiny)
        score = (a[:, :, np.newaxis] * (b / w[:, np.newaxis])[:, np.newaxis, :]).reshape(len(a), cells)
        information += score.T @ score
    plane = np.linalg.svd(np.ones((1, cells)))[2][1:].T
    covariance = plane @ np.linalg.pinv(plane.T @ information @ plane, hermitian=True) @ plane.T
    return np.asarray(np.sqrt(np.maximum(np.diag(covariance), 0.0)).reshape(share.shape))
