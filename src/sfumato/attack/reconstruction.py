"""Secret bits read off noisy counts of random groups: two ways to explain all counts at once.

Linear programming shrugs off a few answers that are wholly wrong; least squares is faster, and better where every
answer is a little wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Noisy counts of groups.

    Args:
        groups: (m, n) bool, the persons in each group.
        answers: (m,) float64, the noisy number of persons in each whose bit is set.
    """

    groups: BoolArray
    answers: FloatArray


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """The secret bit of everybody, as it explains all counts at once best; knows nothing beside them.

    Args:
        by: what is minimized.
    """

    attack: ClassVar[str] = "reconstruction"
    by: Literal["absolute errors", "squared errors"]

    def guess(self, view: Counts, _knowledge: None, _rng: np.random.Generator, /) -> BoolArray:
        """(n,) bool."""
        solve = reconstruct if self.by == "absolute errors" else reconstruct_by_squares
        return solve(view.groups, view.answers)


def random_groups(n_groups: int, n_persons: int, *, rng: np.random.Generator) -> BoolArray:
    """(n_groups, n_persons) bool: groups that hold each person with probability one half.

    Example:
        >>> random_groups(2, 3, rng=np.random.default_rng(1)).shape
        (2, 3)
    """
    return rng.random((n_groups, n_persons)) < 0.5


def reconstruct(groups: BoolArray, answers: FloatArray) -> BoolArray:
    """Bits that explain the answers best: minimize Σ|answer - Σ x| over 0 <= x <= 1, then round.

    Written as a linear program: each residual is the difference of two parts >= 0, whose sum is minimized. If every
    answer is off by o(√n), nearly all bits come out right, whatever the noise looks like; and also if most answers are
    right and the others arbitrarily wrong.

    Args:
        groups: (m, n) bool, the persons in each counted group; known to the attacker.
        answers: (m,) float64, the noisy number of persons in each group whose bit is set.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: shapes that do not fit, or SciPy is not installed. Remedy: install `sfumato[learn]`.

    Source:
        I. Dinur and K. Nissim, "Revealing information while preserving privacy", PODS 2003; C. Dwork, F. McSherry and
        K. Talwar, "The price of privacy and the limits of LP decoding", STOC 2007.

    Example:
        >>> groups = np.array([[True, False], [True, True], [False, True]])
        >>> reconstruct(groups, np.array([1.0, 1.0, 0.0])).tolist()
        [True, False]
    """
    _check(groups, answers)
    m, n = groups.shape
    with Needs("learn", "Linear programming needs the package scipy."):
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, eye_array, hstack
    cost = np.concatenate((np.zeros(n), np.ones(2 * m)))
    both = hstack([csr_array(groups.astype(np.float64)), eye_array(m), -eye_array(m)])
    bounds = [(0, 1)] * n + [(0, None)] * (2 * m)
    solved = linprog(cost, A_eq=both, b_eq=answers, bounds=bounds, method="highs")
    return np.asarray(solved.x[:n] > 0.5)


def reconstruct_by_squares(groups: BoolArray, answers: FloatArray) -> BoolArray:
    """Bits that explain the answers best in the sense of least squares: minimize Σ(answer - Σ x)², then round.

    Bits are measured from one half, so that what the answers leave open is guessed blindly.

    Args:
        groups: (m, n) bool.
        answers: (m,) float64.

    Returns:
        (n,) bool.

    Raises:
        ParameterError: shapes that do not fit.

    Source:
        S. Kasiviswanathan, M. Rudelson, A. Smith and J. Ullman, "The price of privately releasing contingency tables
        and the spectra of random matrices with correlated rows", STOC 2010: attacks by least squares.

    Example:
        >>> groups = np.array([[True, False], [True, True], [False, True]])
        >>> reconstruct_by_squares(groups, np.array([1.0, 1.0, 0.0])).tolist()
        [True, False]
    """
    _check(groups, answers)
    design = groups.astype(np.float64)
    from_half = np.linalg.lstsq(design, answers - design.sum(axis=1) / 2, rcond=None)[0]
    return np.asarray(from_half > 0)


def recovered(guess: BoolArray, truth: BoolArray) -> float:
    """Share of persons whose bit was guessed right.

    Example:
        >>> recovered(np.array([True, False]), np.array([True, True]))
        0.5
    """
    return float(np.mean(guess == truth))


def _check(groups: BoolArray, answers: FloatArray) -> None:
    if groups.ndim != 2 or answers.shape != groups.shape[:1]:
        raise ParameterError(
            "There must be one answer for each group; got shapes {shape} and {shape2}.",
            "give as many answers as groups.",
            shape=groups.shape,
            shape2=answers.shape,
        )
