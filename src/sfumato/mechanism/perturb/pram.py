"""Post-randomization of the cells of a column by a matrix of transition, and the shares there were before.

Codes are categories 0 … k-1; -1 is a missing cell, which stays missing in its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.categorical import categorical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.perturb.transition import Transition
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

MISSING = -1


def randomize(codes: IntArray, chance: Transition, *, bits: Bits) -> IntArray:
    """The published codes: each cell i becomes j with probability P_ij, independently.

    Args:
        codes: (n,) int64 in [-1, k).
        chance: P.
        bits: source of chance; the same words give the same codes.

    Returns:
        (n,) int64, in the order of the rows.

    Raises:
        ParameterError: a code outside the categories (it is not named), before any chance is drawn.

    Source:
        J. M. Gouweleeuw et al., "Post Randomisation for Statistical Disclosure Control: Theory and
        Implementation", Journal of Official Statistics 14(4), 1998.

    Example:
        >>> from sfumato.mechanism.perturb.transition import transition
        >>> from sfumato.noise.bits import SystemBits
        >>> swap = transition(np.array([[0.0, 1.0], [1.0, 0.0]]))
        >>> randomize(np.array([0, -1, 1]), swap, bits=SystemBits()).tolist()
        [1, -1, 0]
    """
    given = _codes(codes, len(chance.weights))
    out = given.copy()
    order = np.argsort(given, kind="stable")
    starts = np.searchsorted(given[order], np.arange(len(chance.weights) + 1))
    for i, weights in enumerate(chance.weights):
        rows = order[starts[i] : starts[i + 1]]
        if len(rows):
            out[rows] = categorical(len(rows), weights, bits=bits)
    return out


def randomize_strata(codes: IntArray, strata: IntArray, chances: Sequence[Transition], *, bits: Bits) -> IntArray:
    """As `randomize`, with one matrix for each stratum.

    Args:
        codes: (n,) int64 in [-1, k).
        strata: (n,) int64, the stratum of each row, 0 … s-1.
        chances: s matrices, all k by k.
        bits: source of chance.

    Raises:
        ParameterError: a code or stratum outside its range, or matrices of unequal size.

    Example:
        >>> from sfumato.mechanism.perturb.transition import transition
        >>> from sfumato.noise.bits import SystemBits
        >>> keep, swap = transition(np.eye(2)), transition(np.eye(2)[::-1])
        >>> randomize_strata(np.array([0, 0]), np.array([0, 1]), [keep, swap], bits=SystemBits()).tolist()
        [0, 1]
    """
    if len({len(chance.weights) for chance in chances}) != 1:
        raise ParameterError("The matrices of all strata must have one size.", "give one for each stratum.")
    given = _codes(codes, len(chances[0].weights))
    groups = _codes(strata, len(chances), least=0)
    if len(groups) != len(given):
        raise ParameterError(
            "Every row needs a stratum; got {n_given} rows, {n_groups} strata.",
            "give them.",
            n_given=len(given),
            n_groups=len(groups),
        )
    out = given.copy()
    for i, chance in enumerate(chances):
        rows = np.flatnonzero(groups == i)
        out[rows] = randomize(given[rows], chance, bits=bits)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Estimated shares of the original categories among the known cells.

    Args:
        values: (k,) float64, unbiased; they may be negative.
        covariance: (k, k) float64 of the estimate, over the chance of the publication alone.
        n: known cells.
    """

    values: FloatArray
    covariance: FloatArray
    n: int

    @property
    def variance(self) -> FloatArray:
        """(k,) float64."""
        return np.asarray(np.diag(self.covariance).copy(), np.float64)


def estimate(published: IntArray, chance: Transition) -> Shares:
    """Original shares from published codes: p̂ = P^-T λ, unbiased since E[λ] = Pᵀ p.

    Cov(λ) = (1/n) Σ_i p_i (diag(P_i) - P_iᵀ P_i) for the fixed table, and Cov(p̂) = P^-T Cov(λ) P^-1;
    p is replaced by p̂, and Cov is linear in p, so the covariance is unbiased too.

    Args:
        published: (n,) int64 in [-1, k).
        chance: the matrix that made them.

    Raises:
        ParameterError: no known cell, a code outside, or a matrix that cannot be inverted (its rows tell
            too little). Remedy: keep a larger share of the cells.

    Source:
        A. van den Hout and P. G. M. van der Heijden, "Randomized Response, Statistical Disclosure Control
        and Misclassification: a Review", International Statistical Review 70(2), 2002, section 3.

    Example:
        >>> from sfumato.mechanism.perturb.transition import keep_share
        >>> estimate(np.array([0, 0, 0, 1]), keep_share(2, 0.75)).values.round(9).tolist()
        [1.0, 0.0]
    """
    given = _codes(published, len(chance.weights))
    known = given[given != MISSING]
    p = chance.matrix
    if not len(known) or np.linalg.cond(p) > 1 / np.finfo(np.float64).eps:
        raise ParameterError(
            "An estimate needs a known cell and a matrix whose rows are independent.", "keep a larger share of cells."
        )
    shares = np.bincount(known, minlength=len(p)) / len(known)
    values = np.asarray(shares @ np.linalg.inv(p), np.float64)
    return Shares(values, covariance_of(values, len(known), chance), len(known))


def covariance_of(shares: FloatArray, n: int, chance: Transition) -> FloatArray:
    """(k, k) float64: covariance of the estimated shares of n cells, over the chance of the publication alone.

    Formula: P^-T [(1/n) Σ_i p_i (diag(P_i) - P_iᵀ P_i)] P^-1.

    Args:
        shares: (k,) float64, original shares p, or an unbiased estimate of them.
        n: known cells, >= 1.
        chance: P, which can be inverted.

    Example:
        >>> from sfumato.mechanism.perturb.transition import keep_share
        >>> float(covariance_of(np.array([0.5, 0.5]), 100, keep_share(2, 0.75))[0, 0])
        0.0075
    """
    p = chance.matrix
    inverse = np.linalg.inv(p)
    spread = (np.diag(shares @ p) - p.T @ (shares[:, np.newaxis] * p)) / n
    return np.asarray(inverse.T @ spread @ inverse, np.float64)


def combine(strata: Sequence[Shares]) -> Shares:
    """Shares of all strata together: Σ (n_s/n) p̂_s, with covariance Σ (n_s/n)² Cov_s.

    Example:
        >>> one = Shares(np.array([1.0, 0.0]), np.zeros((2, 2)), 3)
        >>> two = Shares(np.array([0.0, 1.0]), np.zeros((2, 2)), 1)
        >>> combine([one, two]).values.tolist()
        [0.75, 0.25]
    """
    n = sum(part.n for part in strata)
    values = sum((part.n / n * part.values for part in strata), np.zeros_like(strata[0].values))
    covariance = sum(((part.n / n) ** 2 * part.covariance for part in strata), np.zeros_like(strata[0].covariance))
    return Shares(values, covariance, n)


def _codes(codes: IntArray, k: int, *, least: int = MISSING) -> IntArray:
    """The codes as int64, if all lie in their range."""
    array = np.asarray(codes)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ParameterError(
            "Codes must be a row of whole numbers; got {dtype} with {ndim} dimensions.",
            "encode each category by its place in the declared list.",
            dtype=array.dtype,
            ndim=array.ndim,
        )
    if array.size and (array.min() < least or array.max() >= k):
        raise ParameterError(
            "Every code must lie between {least} and {k}; at least one does not.",
            "declare every category, and -1 for a missing cell.",
            least=least,
            k=k - 1,
        )
    return array.astype(np.int64, copy=False)
