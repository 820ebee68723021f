"""Matrices of transition, as sampled: the probability with which each category is published as each other one."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.numbers.exact import as_fraction
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

TOTAL = 2**53
"""Denominator of the probabilities: floats of [0, 1] are nearly all kept, and rows of integers add up exactly."""

_SLACK = 1e-9
"""How far a row given in floats may be from 1."""

_SOURCE = (
    "J. M. Gouweleeuw et al., Post Randomisation for Statistical Disclosure Control, J. Official Statistics 14, 1998"
)


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """P_ij = weights_ij / 2⁵³: the probability that category i is published as j, exactly as sampled.

    Args:
        weights: (k, k) int64 >= 0, every row with sum 2⁵³. Make it with `transition`, `keep_share` or `invariant`.

    Raises:
        ParameterError: another shape, negative entries or other sums.
    """

    weights: IntArray

    def __post_init__(self) -> None:
        w = self.weights
        if w.ndim != 2 or w.shape[0] != w.shape[1] or len(w) < 2 or np.any(w < 0) or np.any(w.sum(axis=1) != TOTAL):
            raise ParameterError(
                "Transition weights must be a square of whole numbers >= 0, at least 2 by 2, with rows of sum 2^53; got shape {shape}.",
                "make them with `transition`.",
                shape=w.shape,
            )

    @property
    def matrix(self) -> FloatArray:
        """(k, k) float64, exact: the probabilities."""
        return np.asarray(self.weights / TOTAL, np.float64)

    @property
    def epsilon(self) -> float:
        """ε = ln max_j max_{i,i'} P_ij / P_i'j, rounded up; infinite where a publication excludes a category."""
        most, least = self.weights.max(axis=0), self.weights.min(axis=0)
        if np.any((least == 0) & (most > 0)):
            return inf
        return log_up(max(Fraction(int(a), int(b)) for a, b in zip(most, least, strict=True) if a))

    def guarantee(self, column: str, *, from_table: bool = False) -> Guarantee:
        """What is promised about one cell of the column.

        Args:
            column: its name.
            from_table: whether the matrix was computed from the table (invariant PRAM).
        """
        epsilon = self.epsilon
        odds = f"e^{epsilon:.6g} = {exp(epsilon):.6g}" if isfinite(epsilon) and epsilon < 700 else "any number of"
        seen = ("The matrix was computed from the shares of the table; whoever gets it learns them.",)
        return Guarantee(
            name="post-randomization (PRAM)",
            statement=f"A published cell of {column!r} is at most {odds} times more likely under one original category than another.",
            definition="epsilon = ln max_j max_{i,i'} P_ij / P_i'j for the matrix P of transition.",
            parameters={"column": column, "categories": len(self.weights), "epsilon": epsilon},
            kind="proved",
            source=_SOURCE,
            assumptions=(
                "The epsilons of several columns of one row add up.",
                "That a cell is missing is published as it is.",
                "Class sizes of the published table, and k-anonymity risks read off them, are not valid after PRAM.",
                *(seen if from_table else ()),
            ),
        )


def transition(matrix: FloatArray) -> Transition:
    """The matrix made whole: each row as integers over 2⁵³, what rounding leaves to its largest entry.

    Args:
        matrix: (k, k) float64 >= 0, rows sum to 1 within 1e-9.

    Raises:
        ParameterError: not such a matrix. Remedy: give one row for each category, with sum 1.

    Example:
        >>> transition(np.array([[0.75, 0.25], [0.25, 0.75]])).epsilon
        1.0986122886681098
    """
    p = np.asarray(matrix, np.float64)
    if p.ndim != 2 or p.shape[0] != p.shape[1] or not (np.all(p >= 0) and np.all(abs(p.sum(axis=1) - 1) <= _SLACK)):
        raise ParameterError(
            "A transition matrix must be square with rows of sum 1; got shape {shape}.",
            "give one row for each category.",
            shape=p.shape,
        )
    return Transition(_whole(p))


def keep_share(n_categories: int, keep: float) -> Transition:
    """Every category stays with this probability and otherwise becomes any other, all equally likely.

    Args:
        n_categories: k, >= 2.
        keep: in [1/k, 1).

    Raises:
        ParameterError: a number outside its range.

    Example:
        >>> keep_share(4, 0.7).matrix[0].round(3).tolist()
        [0.7, 0.1, 0.1, 0.1]
    """
    if n_categories < 2 or not 1 / n_categories <= keep < 1:
        raise ParameterError(
            "`keep` must lie between 1/k and 1 for k >= 2 categories; got {keep} for {n_categories}.",
            "give a larger share to keep more.",
            keep=keep,
            n_categories=n_categories,
        )
    off = (1 - keep) / (n_categories - 1)
    return transition(np.full((n_categories, n_categories), off) + (keep - off) * np.eye(n_categories))


def invariant_each(name: str, chance: Transition, cells: IntArray, *, alpha: float) -> tuple[Transition, ...]:
    """The invariant matrix of each stratum: see `invariant`.

    Args:
        name: of the column.
        chance: the matrix of all.
        cells: (n_strata, k) int64 cells of each category.
        alpha: as of `invariant`.

    Raises:
        ParameterError: a stratum without a cell. Remedy: merge it with another.
    """
    if not cells.sum(axis=1).all():
        raise ParameterError(
            "Every stratum of {name!r} needs a known cell for its shares; one has none.",
            "merge it with another.",
            name=name,
        )
    return tuple(invariant(chance, row / row.sum(), alpha=alpha) for row in cells)


def invariant(chance: Transition, shares: FloatArray, *, alpha: float) -> Transition:
    """Invariant PRAM: a matrix R* with p R* = p, so that expected published shares are the original ones.

    Q_kj = P_jk p_j / Σ_i p_i P_ik sends a published category back by Bayes' rule; R = PQ keeps p, and so
    does R* = α R + (1-α) I. A category of share 0 that nothing reaches stays as it is.

    Args:
        chance: P.
        shares: p, (k,) float64 >= 0, sum 1 within 1e-9 (of one stratum, if strata are kept).
        alpha: weight of R, in (0, 1]; less keeps more cells.

    Returns:
        R*, equal to the real-number matrix within k 2⁻⁵³ in each entry.

    Raises:
        ParameterError: shares or alpha outside their range.

    Source:
        P. Kooiman, L. Willenborg and J. Gouweleeuw, "PRAM: A Method for Disclosure Limitation of Microdata",
        Statistics Netherlands, 1997.

    Example:
        >>> kept = invariant(keep_share(3, 0.8), np.array([0.7, 0.2, 0.1]), alpha=0.5)
        >>> (np.array([0.7, 0.2, 0.1]) @ kept.matrix).round(12).tolist()
        [0.7, 0.2, 0.1]
    """
    p, chances = np.asarray(shares, np.float64), chance.matrix
    share = float(as_fraction("alpha", alpha, low=0, high=1))
    if share == 0 or p.shape != (len(chances),) or not (np.all(p >= 0) and abs(p.sum() - 1) <= _SLACK):
        raise ParameterError(
            "Invariant PRAM needs alpha > 0 and one share >= 0 for each of {n_chances} categories, with sum 1.",
            "give the shares of the column's known cells.",
            n_chances=len(chances),
        )
    joint = p[:, np.newaxis] * chances
    reached = joint.sum(axis=0)
    back = np.where(reached > 0, np.divide(joint, reached, out=np.zeros_like(joint), where=reached > 0), np.eye(len(p)))
    return transition(share * chances @ back.T + (1 - share) * np.eye(len(p)))


def _whole(p: FloatArray) -> IntArray:
    """(k, k) int64: rows over 2⁵³; an entry of 0 stays 0."""
    weights: IntArray = np.floor(p / p.sum(axis=1, keepdims=True) * TOTAL).astype(np.int64)
    weights[np.arange(len(p)), weights.argmax(axis=1)] += TOTAL - weights.sum(axis=1)
    return weights
