"""Geo-indistinguishable positions on the cells of a declared region, drawn exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.location.loss import largest_loss
from sfumato.noise.planar_laplace import planar_laplace
from sfumato.numbers.check import as_whole
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import bounded

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.numbers.exact import Exact
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class GeoIndistinguishable:
    """A reported cell z of the true cell x with probability proportional to e^(-ε · metres between their centers).

    The law lives on the endless grid; a cell outside the region is replaced by the nearest one inside, which reads the
    drawn cell alone, and is never drawn again: that would make the law depend on x at the border.

    Promise: cells whose centers are d metres apart (on the declared plane) make no report more than e^(ε d) times
    likelier. Positions d metres apart lie in cells at most d plus a cell's diagonal apart; on the sphere, d metres are at
    most d · `region.stretch` metres of the plane. Reports of one person add up: n of them cost n ε.

    Args:
        region: the cells; public.
        epsilon: nats per metre, exact, > 0.

    Raises:
        ParameterError: no epsilon above 0.

    Proof:
        docs/proofs/location.md.

    Source:
        M. Andrés, N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, CCS 2013: definition 3.1 and section 4, whose grid
        has a largest radius and a corrected epsilon, which an exact law on the endless grid does not need.

    Example:
        >>> from sfumato.mechanism.location.planar import epsilon_per_metre
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.plane import Plane, Region
        >>> lyon = GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), epsilon_per_metre(4, 200))
        >>> latitude, longitude = lyon.protect(np.array([45.75]), np.array([4.85]), bits=SystemBits())
        >>> latitude.shape, round(float(lyon.between_positions(200)), 2)
        ((1,), 1.88)
    """

    region: Region
    epsilon: Exact

    def __post_init__(self) -> None:
        if bounded("epsilon", self.epsilon) <= 0:
            raise ParameterError(
                "`epsilon` per metre must be above 0; got {epsilon}.",
                "choose such as epsilon_per_metre(4, 200).",
                epsilon=self.epsilon,
            )

    @property
    def rate(self) -> Fraction:
        """Nats per step of a cell."""
        return bounded("epsilon", self.epsilon) * self.region.side

    def randomize(self, cells: IntArray, *, bits: Bits) -> IntArray:
        """(n, 2) int64 reported row and column of true ones; each is drawn on its own.

        Raises:
            ParameterError: a cell outside the region. Remedy: `region.cells_of`.
        """
        given = self.checked(cells)
        return self.region.nearest(given + planar_laplace(len(given), self.rate, bits=bits))

    def checked(self, cells: IntArray) -> IntArray:
        """Cells of the region as (n, 2) int64.

        Raises:
            ParameterError: a cell outside the region. Remedy: `region.cells_of`.
        """
        given = np.asarray(cells, np.int64)
        if given.ndim != 2 or given.shape[1] != 2 or not np.array_equal(given, self.region.nearest(given)):
            raise ParameterError("Every cell must be a row and a column of the region.", "use `region.cells_of`.")
        return given

    def protect(self, latitude: FloatArray, longitude: FloatArray, *, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Reported positions, centers of cells, of true ones; a position outside the region counts in the nearest cell.

        Raises:
            ParameterError: a position that is no place. Remedy: leave such fixes out first.
        """
        return self.region.centers_of(self.randomize(self.region.cells_of(latitude, longitude), bits=bits))

    def between_positions(self, metres: float, reports: int = 1) -> float:
        """What reports of positions, each at most so far from the other person's on the sphere, tell: nats, rounded up.

        Args:
            metres: between the positions, >= 0.
            reports: of one person, >= 1.
        """
        n, side = as_whole("reports", reports, low=1), float(self.region.side)
        apart = metres * self.region.stretch + np.sqrt(2) * side
        return round_up(bounded("epsilon", self.epsilon)) * n * float(apart) * (1 + 1e-12)

    def epsilon_of_law(self, cells: int = 6) -> float:
        """Nats per metre, computed from the law on the grid: all pairs of cells, all reports, the clamped border included.

        Args:
            cells: rows and columns of the region for which it is added up, at most 16; with three or more there is an inner
                cell, and more change nothing.

        Returns:
            Never below the truth; `epsilon` within 10⁻⁹ where there is an inner cell.

        Raises:
            ParameterError: cells that are tiny beside 1/ε, or too many of them.

        Example:
            >>> from sfumato.table.plane import Plane, Region
            >>> round(GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), "0.01").epsilon_of_law(), 9)
            0.01
        """
        rows, columns = min(cells, self.region.rows), min(cells, self.region.columns)
        return largest_loss(self.rate, rows, columns) / float(self.region.side) * (1 + 1e-15)

    def guarantee(self, reports: int = 1) -> Guarantee:
        """The promise of so many reports of one person."""
        n = as_whole("reports", reports, low=1)
        epsilon = bounded("epsilon", self.epsilon)
        return Guarantee(
            name="geo-indistinguishability",
            statement=(
                f"Two persons whose {n} positions have cell centers at most d metres apart make no {n} reported cells "
                f"more than e^({round_up(n * epsilon):g} d) times likelier."
            ),
            definition="Near positions are hard to tell apart by what is reported; far ones may be told apart.",
            parameters={"epsilon": epsilon, "reports": n, "cell": self.region.side},
            kind="proved",
            source="Andrés, Bordenabe, Chatzikokolakis and Palamidessi, CCS 2013, definition 3.1",
            assumptions=(
                "The random bits are secret and uniform.",
                (
                    f"Metres are those of the declared plane, between centers of cells of {float(self.region.side):g} m; "
                    "between positions a diagonal of a cell is added, and a metre of the sphere is at most "
                    f"{self.region.stretch:.6f} metres of the plane."
                ),
                "Everything that is reported of a person is counted; when a report is made is not hidden.",
            ),
        )
