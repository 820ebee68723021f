"""A declared plane over a part of the Earth: metres east and north of an origin, and square cells on it.

The plane is public, declared before anybody is observed. Degrees become metres by the equirectangular projection with the
scale of the origin's parallel; how much longer than on the sphere a distance can become is said by `Region.stretch`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.numbers.exact import exact
from sfumato.table.cells import EARTH

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.numbers.exact import Exact
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_CELLS = 2**40
_METRES_A_DEGREE = math.radians(EARTH)


def distance(
    latitude: FloatArray, longitude: FloatArray, other_latitude: FloatArray, other_longitude: FloatArray
) -> FloatArray:
    """Metres between positions on the sphere, by the haversine formula, which is right for near points too.

    Args:
        latitude: degrees, with the others of shapes that fit together.
        longitude: degrees.
        other_latitude: degrees.
        other_longitude: degrees.

    Source:
        R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68, 1984; radius 6 371 008.8 m.

    Example:
        >>> paris, lyon = np.array([48.8566, 2.3522]), np.array([45.764, 4.8357])
        >>> round(float(distance(*paris, *lyon)))
        391499
    """
    first, second = np.radians(latitude), np.radians(other_latitude)
    turn = np.radians(np.asarray(other_longitude) - longitude)
    half = np.sin((second - first) / 2) ** 2 + np.cos(first) * np.cos(second) * np.sin(turn / 2) ** 2
    return np.asarray(2 * EARTH * np.arcsin(np.minimum(np.sqrt(half), 1.0)), np.float64)


def on_sphere(latitude: FloatArray, longitude: FloatArray) -> FloatArray:
    """(n, 3) float64: positions in metres from the center of the Earth; near points are as far apart as on the ground.

    Example:
        >>> near = on_sphere(np.array([45.0, 45.001]), np.array([4.8, 4.8]))
        >>> round(float(np.linalg.norm(near[0] - near[1])), 1)
        111.2
    """
    return np.asarray(EARTH * directions(latitude, longitude).T)


def directions(latitude: FloatArray, longitude: FloatArray) -> FloatArray:
    """(3, n) float64 unit vectors from the center of the Earth to positions.

    Example:
        >>> directions(np.array([90.0]), np.array([0.0])).round(3)[:, 0].tolist()
        [0.0, 0.0, 1.0]
    """
    lat, lon = np.radians(latitude), np.radians(longitude)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


@dataclass(frozen=True, slots=True)
class Plane:
    """Metres east and north of an origin, by the equirectangular projection.

    Args:
        latitude: of the origin in degrees, within ±85.
        longitude: of the origin in degrees, within ±180.

    Raises:
        ParameterError: an origin elsewhere. Remedy: put it into the region that is observed.

    Example:
        >>> east, north = Plane(45.75, 4.85).metres_of(np.array([45.76]), np.array([4.85]))
        >>> float(east[0]), round(float(north[0]))
        (0.0, 1112)
    """

    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        if not (-85 <= self.latitude <= 85 and -180 <= self.longitude <= 180):
            raise ParameterError(
                "An origin must lie within ±85 degrees of latitude and ±180 of longitude; got {latitude}, {longitude}.",
                "put it into the region that is observed.",
                latitude=self.latitude,
                longitude=self.longitude,
            )

    def metres_of(self, latitude: FloatArray, longitude: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Metres east and metres north; the way over the 180th meridian is taken if it is shorter.

        Raises:
            ParameterError: a position that is no finite number or no place. Remedy: leave such fixes out first.
        """
        lat, lon = np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)
        if not np.all((np.abs(lat) <= 90) & (np.abs(lon) <= 180)):
            raise ParameterError(
                "Every position must have a latitude within ±90 and a longitude within ±180 degrees.",
                "leave fixes without a position out, and check which of the two comes first.",
            )
        turn = (lon - self.longitude + 180) % 360 - 180
        return turn * self._a_degree_east, (lat - self.latitude) * _METRES_A_DEGREE

    def degrees_of(self, east: FloatArray, north: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Latitude and longitude of points of the plane."""
        lat = self.latitude + np.asarray(north, np.float64) / _METRES_A_DEGREE
        lon = self.longitude + np.asarray(east, np.float64) / self._a_degree_east
        return lat, (lon + 180) % 360 - 180

    @property
    def _a_degree_east(self) -> float:
        """Metres of a degree of longitude at the origin."""
        return _METRES_A_DEGREE * math.cos(math.radians(self.latitude))


@dataclass(frozen=True, slots=True)
class Region:
    """Square cells from the origin of a plane to the north and the east.

    Args:
        plane: its origin is the south-west corner of cell (0, 0).
        metres: side of a cell, an exact number > 0 (a float stands for its decimal text).
        rows: cells from south to north, >= 1.
        columns: cells from west to east, >= 1.

    Raises:
        ParameterError: no positive side, no cell, more than 2⁴⁰, or more than half of the Earth. Remedy: other numbers.

    Example:
        >>> lyon = Region(Plane(45.70, 4.78), metres=100, rows=120, columns=100)
        >>> cells = lyon.cells_of(np.array([45.7009, 0.0]), np.array([4.7813, 0.0]))
        >>> cells.tolist(), [round(float(x[0]), 4) for x in lyon.centers_of(cells)]
        ([[1, 1], [0, 0]], [45.7013, 4.7819])
    """

    plane: Plane
    metres: Exact
    rows: int
    columns: int

    def __post_init__(self) -> None:
        side = exact("metres", self.metres)
        if side <= 0 or min(self.rows, self.columns) < 1 or self.rows * self.columns > MOST_CELLS:
            raise ParameterError(
                "A region must have cells of a side above 0, 1 to 2^40 of them; got {metres} metres, {rows} rows and "
                "{columns} columns.",
                "declare other cells.",
                metres=self.metres,
                rows=self.rows,
                columns=self.columns,
            )
        corner, _ = self.plane.degrees_of(np.zeros(1), np.array([float(side) * self.rows]))
        width = float(side) * self.columns / self.plane._a_degree_east  # noqa: SLF001
        if corner[0] > 85 or width > 180:
            raise ParameterError(
                "A region must end at 85 degrees of latitude and span 180 of longitude at most.",
                "declare fewer cells, or smaller ones.",
            )

    @property
    def side(self) -> Fraction:
        """Metres of a cell's side, exactly."""
        return exact("metres", self.metres)

    def cells_of(self, latitude: FloatArray, longitude: FloatArray) -> IntArray:
        """(n, 2) int64 row and column of positions; outside the region the nearest cell.

        Raises:
            ParameterError: see `Plane.metres_of`.
        """
        east, north = self.plane.metres_of(latitude, longitude)
        side = float(self.side)
        return self.nearest(np.stack([np.floor(north / side), np.floor(east / side)], axis=1))

    def codes_of(self, latitude: FloatArray, longitude: FloatArray) -> IntArray:
        """(n,) int64 numbers of the cells of positions, row by row from the south-west.

        Example:
            >>> Region(Plane(45.70, 4.78), 100, 120, 100).codes_of(np.array([45.7009]), np.array([4.7813])).tolist()
            [101]
        """
        cells = self.cells_of(latitude, longitude)
        return cells[:, 0] * self.columns + cells[:, 1]

    def coarser(self, times: int) -> Region:
        """The same region in cells that are so many times as wide; the last ones may reach beyond it.

        Example:
            >>> Region(Plane(45.70, 4.78), 100, 120, 95).coarser(10)
            Region(plane=Plane(latitude=45.7, longitude=4.78), metres=Fraction(1000, 1), rows=12, columns=10)
        """
        n = as_whole("times", times, low=1)
        return Region(self.plane, self.side * n, -(-self.rows // n), -(-self.columns // n))

    def holds(self, latitude: FloatArray, longitude: FloatArray) -> BoolArray:
        """(n,) bool: which positions lie in a cell of the region.

        Raises:
            ParameterError: see `Plane.metres_of`.

        Example:
            >>> one = Region(Plane(45.0, 4.8), metres=100, rows=1, columns=1)
            >>> one.holds(np.array([45.0005, 45.001]), np.array([4.8005, 4.8005])).tolist()
            [True, False]
        """
        east, north = self.plane.metres_of(latitude, longitude)
        side = float(self.side)
        within = (east >= 0) & (np.floor(east / side) < self.columns)
        return np.asarray(within & (north >= 0) & (np.floor(north / side) < self.rows))

    def nearest(self, cells: IntArray | FloatArray) -> IntArray:
        """(n, 2) int64, of each cell of the endless grid the nearest one of the region."""
        return np.clip(cells, 0, [self.rows - 1, self.columns - 1]).astype(np.int64)

    def centers_of(self, cells: IntArray) -> tuple[FloatArray, FloatArray]:
        """Latitude and longitude of the centers of cells."""
        at = (np.asarray(cells, np.float64) + 0.5) * float(self.side)
        return self.plane.degrees_of(at[:, 1], at[:, 0])

    @property
    def middle_width(self) -> float:
        """Metres on the sphere along the region's middle parallel, for a metre of the plane to the east.

        Example:
            >>> round(Region(Plane(45.0, 4.0), 1000, 200, 100).middle_width, 4)
            0.9842
        """
        middle, _ = self.plane.degrees_of(np.zeros(1), np.array([float(self.side) * self.rows / 2]))
        return math.cos(math.radians(float(middle[0]))) / math.cos(math.radians(self.plane.latitude))

    @property
    def stretch(self) -> float:
        """At most so many metres of the plane are one metre of the sphere, between positions of the region; >= 1.

        A metre along a parallel is cos(origin) / cos(latitude) metres of the plane, a metre along a meridian one; the
        shortest way on the sphere, at most as long as that of the plane over cos(origin), stays within half of its length
        of its ends.
        """
        south, north = self.plane.latitude, self.plane.latitude + float(self.side) * self.rows / _METRES_A_DEGREE
        diagonal = math.hypot(self.rows, self.columns) * float(self.side) / self.plane._a_degree_east  # noqa: SLF001
        farthest = min(max(abs(south), abs(north)) + diagonal / 2, 89.9)
        ratio = math.cos(math.radians(self.plane.latitude)) / math.cos(math.radians(farthest))
        return max(1.0, ratio * (1 + 1e-12))
