"""Positions become cells of a declared grid."""

import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.table.cells import EARTH, Box, HexagonGrid, SquareGrid

LYON = Box(45.70, 4.78, 45.80, 4.90)


def distance(a, b):
    """Great-circle distance in metres (haversine)."""
    (lat1, lon1), (lat2, lon2) = np.radians(a), np.radians(b)
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(h))


def test_cells_have_the_declared_side_within_a_part_of_it():
    grid = SquareGrid(LYON, 500)
    height = distance((45.70, 4.84), (45.80, 4.84)) / grid.rows
    width = distance((45.75, 4.78), (45.75, 4.90)) / grid.columns
    assert 475 <= height <= 500
    assert 475 <= width <= 500


def test_every_cell_is_met_and_the_border_belongs_to_the_nearest():
    grid = SquareGrid(LYON, 2000)
    lat, lon = np.meshgrid(np.linspace(45.7, 45.8, 200), np.linspace(4.78, 4.9, 200))
    assert sorted(set(grid.cells_of(lat.ravel(), lon.ravel()).tolist())) == list(range(grid.n_cells))
    outside = grid.cells_of(np.array([-80.0, 89.0]), np.array([-170.0, 170.0]))
    assert outside.tolist() == [0, grid.n_cells - 1]


@pytest.mark.parametrize("bounds", [(1, 0, 0, 1), (0, 1, 1, 0), (-91, 0, 0, 1), (0, 0, 1, 181), (math.nan, 0, 1, 1)])
def test_boxes_that_cannot_be_are_refused(bounds):
    with pytest.raises(ParameterError, match="south < north"):
        Box(*bounds)


@pytest.mark.parametrize("metres", [0, -1, math.inf, math.nan, 1e-3])
def test_sides_that_cannot_be_are_refused(metres):
    with pytest.raises(ParameterError):
        SquareGrid(Box(-90, -180, 90, 180), metres)


def test_positions_must_be_numbers_and_are_not_shown():
    with pytest.raises(ParameterError) as refused:
        SquareGrid(LYON, 1000).cells_of(np.array([45.123456, math.nan]), np.array([4.8, 4.8]))
    assert "45.123456" not in str(refused.value)


def test_hexagons_and_elsewhere():
    h3 = pytest.importorskip("h3")
    grid = HexagonGrid(LYON, 8)
    assert 100 < grid.n_cells < 400
    found = grid.cells_of([45.75, 0.0], [4.84, 0.0])
    assert grid.cells[found[0]] == h3.latlng_to_cell(45.75, 4.84, 8)
    assert found[1] == grid.n_cells - 1
    with pytest.raises(ParameterError, match=r"0 … 15"):
        HexagonGrid(LYON, 16)
