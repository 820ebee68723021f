"""What everybody knows of where people are: a public prior over cells, and what a law of reports is worth under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray

_DOWN = 1 - 1e-9
"""Distances are rounded down by more than floats err, so that what is promised of them holds of the true ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """How likely a person is at each cell, as everybody may know: a census, a map, a table that was paid for.

    It must not be counted from the traces that are protected: it is published with what is made of it.

    Args:
        weights: (n,) numbers >= 0, not all 0; they need not add up to 1.
        origin: where they are from, in words; it is told with what is made of them.

    Raises:
        ParameterError: no such numbers, or no origin. Remedy: say where the prior is from.

    Example:
        >>> Prior(np.array([3, 1]), origin="census 2022").shares.tolist()
        [0.75, 0.25]
    """

    weights: FloatArray
    origin: str

    def __post_init__(self) -> None:
        given = np.asarray(self.weights, np.float64)
        if given.ndim != 1 or not (given >= 0).all() or not 0 < given.sum() < np.inf:
            raise ParameterError("A prior needs a weight >= 0 for each cell, not all 0.", "give such weights.")
        if not self.origin.strip():
            raise ParameterError(
                "A prior must be public, and `origin` must say where it is from.",
                'say it, such as "census 2022"; do not count it from the traces that are protected.',
            )

    @property
    def shares(self) -> FloatArray:
        """(n,) float64, adding up to 1."""
        given = np.asarray(self.weights, np.float64)
        return np.asarray(given / given.sum())


def expected_metres(law: FloatArray, metres: FloatArray, prior: Prior) -> float:
    """How far reports lie from the truth on average under a prior.

    Args:
        law: (n, m) probability of each report from each cell.
        metres: (n, m) between them.
        prior: of the n cells.

    Example:
        >>> far = np.array([[0.0, 100.0], [100.0, 0.0]])
        >>> round(expected_metres(np.array([[0.9, 0.1], [0.2, 0.8]]), far, Prior(np.ones(2), origin="even")), 9)
        15.0
    """
    return float(np.einsum("x,xz,xz->", prior.shares, law, metres))


def cells_of_region(region: Region) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Latitudes and longitudes of the centers of all cells, row by row, and metres of the plane between them, rounded down.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> cells_of_region(Region(Plane(45.7, 4.8), 100, 1, 2))[2].round(6).tolist()
        [[0.0, 100.0], [100.0, 0.0]]
    """
    at = np.stack(np.divmod(np.arange(region.rows * region.columns), region.columns), axis=1)
    gap = (at[:, None, :] - at[None, :, :]).astype(np.float64)
    latitude, longitude = region.centers_of(at)
    return latitude, longitude, float(region.side) * np.hypot(gap[:, :, 0], gap[:, :, 1]) * _DOWN


def metres_between(latitude: FloatArray, longitude: FloatArray) -> FloatArray:
    """(n, n) float64 metres on the sphere between positions, such as centers of hexagons, rounded down.

    Example:
        >>> metres_between(np.array([45.0, 45.001]), np.array([4.8, 4.8])).round(1).tolist()
        [[0.0, 111.2], [111.2, 0.0]]
    """
    lat, lon = np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)
    return distance(lat[:, None], lon[:, None], lat[None, :], lon[None, :]) * _DOWN
