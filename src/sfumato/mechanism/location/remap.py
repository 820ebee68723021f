"""Optimal remapping: a report is replaced by the cell that is nearest on average, given the report and a public prior."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.loss import law_of
from sfumato.mechanism.location.prior import cells_of_region

if TYPE_CHECKING:
    from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
    from sfumato.mechanism.location.prior import Prior
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Remap:
    """Where each reported cell goes.

    It reads the report and what is public, so the promise of the report stays as it is.

    Args:
        to: (n,) int64 number of the cell that each reported cell becomes.
        before: metres between report and truth on average under the prior, without it.
        after: the same with it; never more.
        origin: where the prior is from.
    """

    to: IntArray
    before: float
    after: float
    origin: str

    def cells(self, reported: IntArray, columns: int) -> IntArray:
        """(n, 2) rows and columns of what reported rows and columns become."""
        number = reported[:, 0] * columns + reported[:, 1]
        return np.stack(np.divmod(self.to[number], columns), axis=1)


def bayes_remap(law: FloatArray, metres: FloatArray, prior: Prior) -> Remap:
    """The remap of least expected distance: for each report z the cell w with the least Σ_x prior(x) law(x, z) metres(x, w).

    A report that is as good as any other stays; one that the prior makes impossible, too.

    Args:
        law: (n, n) probability of each report from each cell.
        metres: (n, n) between cells.
        prior: of the cells.

    Raises:
        ParameterError: shapes that do not fit together.

    Source:
        K. Chatzikokolakis, E. ElSalamouny, C. Palamidessi, "Efficient utility improvement for location privacy", PETS 2017,
        section 4 (optimal remapping), here over cells and for the Euclidean distance.

    Example:
        >>> from sfumato.mechanism.location.prior import Prior
        >>> far = np.array([[0.0, 100.0], [100.0, 0.0]])
        >>> better = bayes_remap(np.array([[0.9, 0.1], [0.2, 0.8]]), far, Prior(np.array([99, 1]), origin="a map"))
        >>> better.to.tolist(), better.before > better.after
        ([0, 0], True)
    """
    n = len(prior.shares)
    if law.shape != (n, n) or metres.shape != (n, n):
        raise ParameterError("A law, its distances and a prior must be of the same cells.", "give all for n cells.")
    expected = metres.T @ (prior.shares[:, None] * law)
    own, best = np.diagonal(expected), expected.argmin(axis=0)
    least = expected[best, np.arange(n)]
    to = np.where(least < own, best, np.arange(n))
    return Remap(to.astype(np.int64), float(own.sum()), float(np.minimum(least, own).sum()), prior.origin)


def remap_of(protection: GeoIndistinguishable, prior: Prior) -> Remap:
    """The optimal remap of geo-indistinguishable cells.

    Args:
        protection: over a region of at most 4,096 cells.
        prior: one weight for each cell, row by row.

    Raises:
        ParameterError: a region that is too large, or a prior of other cells. Remedy: larger cells.

    Example:
        >>> from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
        >>> from sfumato.mechanism.location.prior import Prior
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.70, 4.78), 500, 4, 4)
        >>> village = np.ones(16)
        >>> village[5] = 50
        >>> better = remap_of(GeoIndistinguishable(region, "0.002"), Prior(village, origin="census"))
        >>> better.after < better.before
        True
    """
    region = protection.region
    if len(prior.shares) != region.rows * region.columns:
        raise ParameterError("A prior must have a weight for each cell of the region.", "give them row by row.")
    law = law_of(protection.rate, region.rows, region.columns)
    return bayes_remap(law, cells_of_region(region)[2], prior)
