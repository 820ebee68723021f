"""The cell of a declared grid in which a position lies: squares over a bounding box, or hexagons of H3.

A grid is public: it is declared before anybody is observed, so that a position is one of finitely many values.
"""

from __future__ import annotations

import math
import re
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import FloatArray, IntArray

EARTH = 6_371_008.8
"""Mean radius of the Earth in metres (IUGG)."""
MOST_CELLS = 2**31
_HEXADECIMAL = re.compile(r"0?8[0-9a-f]{14}")


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the Earth between two parallels and two meridians, in degrees; it does not cross the 180th meridian.

    Raises:
        ParameterError: bounds out of order or outside -90 … 90 and -180 … 180.
    """

    south: float
    west: float
    north: float
    east: float

    def __post_init__(self) -> None:
        if not (-90 <= self.south < self.north <= 90 and -180 <= self.west < self.east <= 180):
            raise ParameterError(
                "A box must have south < north and west < east in degrees; got {south}, {west}, {north}, {east}.",
                "declare the region that is observed.",
                south=self.south,
                west=self.west,
                north=self.north,
                east=self.east,
            )


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """Squares of `metres` over a box, row by row from the south-west; positions outside count in the nearest cell.

    Rows are `metres` high everywhere; columns are `metres` wide at the middle parallel, and a little wider or narrower
    elsewhere.

    Args:
        box: the region.
        metres: side of a cell, > 0.

    Raises:
        ParameterError: no positive side, or more than 2³¹ cells. Remedy: larger cells.

    Example:
        >>> lyon = SquareGrid(Box(45.70, 4.78, 45.80, 4.90), metres=1000)
        >>> lyon.rows, lyon.columns, lyon.cells_of(np.array([45.7001]), np.array([4.7801])).tolist()
        (12, 10, [0])
    """

    box: Box
    metres: float

    def __post_init__(self) -> None:
        if not 0 < self.metres < math.inf or self.n_cells > MOST_CELLS:
            raise ParameterError(
                "A cell must have a side above 0 and there may be 2^31 of them; got {metres!r} metres.",
                "declare larger cells.",
                metres=self.metres,
            )

    @property
    def rows(self) -> int:
        """From south to north."""
        return max(1, math.ceil(math.radians(self.box.north - self.box.south) * EARTH / self.metres))

    @property
    def columns(self) -> int:
        """From west to east."""
        middle = math.cos(math.radians((self.box.north + self.box.south) / 2))
        return max(1, math.ceil(math.radians(self.box.east - self.box.west) * EARTH * middle / self.metres))

    @property
    def n_cells(self) -> int:
        """Size of the domain."""
        return self.rows * self.columns

    def cells_of(self, latitude: FloatArray, longitude: FloatArray) -> IntArray:
        """(n,) int64 cells of positions in degrees.

        Raises:
            ParameterError: a position that is no finite number. Remedy: leave such fixes out first.
        """
        lat, lon = np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)
        if not (np.all(np.isfinite(lat)) and np.all(np.isfinite(lon))):
            raise ParameterError("Every position must be two finite numbers.", "leave fixes without a position out.")
        row = (lat - self.box.south) / (self.box.north - self.box.south) * self.rows
        column = (lon - self.box.west) / (self.box.east - self.box.west) * self.columns
        at = np.clip(np.floor(row), 0, self.rows - 1) * self.columns + np.clip(np.floor(column), 0, self.columns - 1)
        return np.asarray(at, np.int64)

    def centers_of(self, cells: IntArray) -> tuple[FloatArray, FloatArray]:
        """Latitude and longitude of the centers of cells.

        Example:
            >>> lyon = SquareGrid(Box(45.70, 4.78, 45.80, 4.90), metres=1000)
            >>> lyon.cells_of(*lyon.centers_of(np.array([0, 57]))).tolist()
            [0, 57]
        """
        row, column = np.divmod(np.asarray(cells, np.int64), self.columns)
        latitude = self.box.south + (row + 0.5) / self.rows * (self.box.north - self.box.south)
        return latitude, self.box.west + (column + 0.5) / self.columns * (self.box.east - self.box.west)


@dataclass(frozen=True, slots=True)
class HexagonGrid:
    """Hexagons of H3 whose centers lie in a box, and one cell for everywhere else.

    Args:
        box: the region.
        resolution: of H3, 0 … 15; a cell of resolution 8 has about 0.74 km², of 9 about 0.11 km².

    Raises:
        ParameterError: another resolution, or the h3 package is not installed. Remedy: `sfumato[mobility]`.
    """

    box: Box
    resolution: int
    cells: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.resolution, bool) or not 0 <= self.resolution <= 15:
            raise ParameterError(
                "A resolution of H3 lies in 0 … 15; got {resolution!r}.",
                "choose 7 to 9 for a city.",
                resolution=self.resolution,
            )
        b = self.box
        corners = [(b.south, b.west), (b.south, b.east), (b.north, b.east), (b.north, b.west)]
        h3 = _h3()
        object.__setattr__(self, "cells", tuple(sorted(h3.polygon_to_cells(h3.LatLngPoly(corners), self.resolution))))

    @property
    def n_cells(self) -> int:
        """Size of the domain: the cells, and elsewhere."""
        return len(self.cells) + 1

    def cells_of(self, latitude: Sequence[float] | FloatArray, longitude: Sequence[float] | FloatArray) -> IntArray:
        """(n,) int64 cells of positions in degrees; the last number is elsewhere."""
        h3, place = _h3(), {cell: i for i, cell in enumerate(self.cells)}
        pairs = zip(np.asarray(latitude).tolist(), np.asarray(longitude).tolist(), strict=True)
        return np.array(
            [place.get(h3.latlng_to_cell(lat, lon, self.resolution), len(self.cells)) for lat, lon in pairs], np.int64
        )


Cells: TypeAlias = "SquareGrid | Literal['h3']"
"""What a column of cells is of: squares by their numbers, or hexagons of H3 of any resolution by their names."""


def centers_of(cells: Sequence[str], grid: Cells | None) -> tuple[FloatArray, FloatArray]:
    """Latitude and longitude of the centers of cells by their texts; NaN for a text that is no cell.

    Args:
        cells: numbers of a square grid, or H3 cells as 15 or 16 hexadecimal digits or as whole numbers.
        grid: what they are of.

    Raises:
        ParameterError: no grid, or h3 is not installed. Remedy: declare the grid.

    Example:
        >>> lyon = SquareGrid(Box(45.70, 4.78, 45.80, 4.90), metres=1000)
        >>> centers_of(["0", "no cell"], lyon)[0].round(4).tolist()
        [45.7042, nan]
    """
    if grid is None:
        raise ParameterError("A column of cells needs its grid.", 'declare a `SquareGrid`, or "h3".')
    out = np.full((len(cells), 2), np.nan)
    if isinstance(grid, SquareGrid):
        numbers = [int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 12 else -1 for cell in cells]
        known = [i for i, number in enumerate(numbers) if 0 <= number < grid.n_cells]
        out[known] = np.stack(grid.centers_of(np.array([numbers[i] for i in known], np.int64)), axis=1)
        return out[:, 0], out[:, 1]
    h3 = _h3()
    names = [h3.int_to_str(int(cell)) if cell.isdecimal() and len(cell) > 16 else cell.lower() for cell in cells]
    known = [i for i, name in enumerate(names) if _HEXADECIMAL.fullmatch(name) and h3.is_valid_cell(name)]
    if known:
        out[known] = [h3.cell_to_latlng(names[i]) for i in known]
    return out[:, 0], out[:, 1]


def _h3() -> Any:
    """The h3 package."""
    with Needs("mobility", "Hexagons need the package h3."):
        import h3
    return h3
